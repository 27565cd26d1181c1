package dev.fairlane.sdk.internal;

import dev.fairlane.protocol.v1.Welcome;
import java.util.concurrent.TimeUnit;

/**
 * Numbers heartbeats and knows which the server has heard. A hello counts as one too: it lists everything held, and the welcome is
 * its answer. Only the loop uses it.
 */
final class Beats {
    /** More than can be under way: after {@link #UNHEARD_BEATS} without answer the link is given up. */
    private static final int REMEMBERED = 64;

    private static final int UNHEARD_BEATS = 3;

    /** A busy machine is not a dead one, however short the beats. */
    private static final long UNHEARD_NANOS_MIN = TimeUnit.SECONDS.toNanos(1);

    private static final long EVERY_NANOS_DEFAULT = TimeUnit.SECONDS.toNanos(3);

    private final long[] sentNanos = new long[REMEMBERED];
    private long last;
    private long confirmed;
    private long nextAt;
    private long everyNanos = EVERY_NANOS_DEFAULT;
    private boolean answered;

    /** The number of the heartbeat that is sent now. */
    long next(long now) {
        last++;
        sentNanos[(int) (last % REMEMBERED)] = now;
        nextAt = now + everyNanos;
        return last;
    }

    void welcomed(Welcome welcome, long now) {
        everyNanos = welcome.getHeartbeatMs() > 0
                ? TimeUnit.MILLISECONDS.toNanos(welcome.getHeartbeatMs())
                : EVERY_NANOS_DEFAULT;
        answered = welcome.getHeartbeatAcks();
        confirmed = last;
        nextAt = now + everyNanos;
    }

    /** @return whether the server has heard a later one than before */
    boolean confirm(long heard) {
        if (heard <= confirmed || heard > last) {
            return false;
        }
        confirmed = heard;
        return true;
    }

    /** @return whether sending is all the confirmation there will be */
    boolean sent(long now) {
        if (answered) {
            return false;
        }
        confirmed = last;
        return true;
    }

    /** Whether the link looks alive but nobody listens. */
    boolean unheard(long now) {
        return last > confirmed
                && now - sentNanos[(int) ((confirmed + 1) % REMEMBERED)]
                        > Math.max(UNHEARD_BEATS * everyNanos, UNHEARD_NANOS_MIN);
    }

    /** Whether none that was sent waits for its answer. */
    boolean allHeard() {
        return last == confirmed;
    }

    boolean due(long now) {
        return now - nextAt >= 0;
    }

    long nextAt() {
        return nextAt;
    }

    long confirmed() {
        return confirmed;
    }

    long confirmedSentNanos() {
        return sentNanos[(int) (confirmed % REMEMBERED)];
    }
}
