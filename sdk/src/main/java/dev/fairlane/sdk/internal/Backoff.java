package dev.fairlane.sdk.internal;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Growing pauses between tries, with full jitter in the upper half so that many clients do not come back together.
 * Not thread-safe.
 */
public final class Backoff {
    private final long firstNanos;
    private final long mostNanos;
    private int tries;

    public Backoff(long firstMillis, long mostMillis) {
        this.firstNanos = TimeUnit.MILLISECONDS.toNanos(firstMillis);
        this.mostNanos = TimeUnit.MILLISECONDS.toNanos(mostMillis);
    }

    public long nextNanos() {
        long pause = Math.min(mostNanos, firstNanos << Math.min(tries, 20));
        tries++;
        return pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2 + 1);
    }

    public void reset() {
        tries = 0;
    }
}
