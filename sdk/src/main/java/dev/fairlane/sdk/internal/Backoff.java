package dev.fairlane.sdk.internal;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Growing pauses between tries, with full jitter in the upper half so that many clients do not come back together.
 * Not thread-safe.
 */
final class Backoff {
    private final long firstNanos;
    private final long mostNanos;
    private int tries;

    Backoff(long firstMillis, long mostMillis) {
        this.firstNanos = TimeUnit.MILLISECONDS.toNanos(firstMillis);
        this.mostNanos = TimeUnit.MILLISECONDS.toNanos(mostMillis);
    }

    long nextNanos() {
        long pause = Math.min(mostNanos, firstNanos << Math.min(tries, 20));
        tries++;
        return pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2 + 1);
    }

    void reset() {
        tries = 0;
    }
}
