package dev.fairlane.runtime;

import java.util.function.LongSupplier;

/**
 * The node's time: the store's clock at opening plus what a monotonic ticker has counted since, never below what the journal has
 * already seen. The machine's wall clock decides nothing.
 *
 * <p>A store whose clock was put back leaves the node ahead. Time must not go back, and it must not stand still either: retries,
 * leases and due jobs wait for it. So the node walks a little slower than the store until they meet.
 *
 * <p>For the same reason a leap of the store's clock cannot be taken back once it was followed, and all that is to run later would run
 * too early for days. So a leap is believed only when the store has said the same for a while: somebody who set a clock wrong has that long
 * to set it right. After a failover the new owner believes the store at once, as there is nothing else to believe.
 */
final class NodeClock {
    /** Pace while ahead: in eight microseconds the node counts seven. A lease of 10 s then takes 11.4 s. */
    private static final int SLOW = 7;

    private static final int OF = 8;

    /** More than this ahead is a leap. */
    static final long LEAP_MICROS = 60_000_000;

    /** A leap that lasts is followed after this. */
    static final long DOUBT_NANOS = 300_000_000_000L;

    private static final long NO_DOUBT = Long.MIN_VALUE;

    private final LongSupplier tickerNanos;
    private long baseAt;
    private long baseNanos;
    private long last;
    private long lastNanos;
    /** Ticker when the store was first seen to have leapt. */
    private long doubtsSince = NO_DOUBT;

    private long leapMicros;

    NodeClock(LongSupplier tickerNanos, long storeNowAt, long highWaterAt) {
        this.tickerNanos = tickerNanos;
        this.baseNanos = tickerNanos.getAsLong();
        this.baseAt = storeNowAt;
        this.last = highWaterAt;
        this.lastNanos = baseNanos;
    }

    long now() {
        long nanos = tickerNanos.getAsLong();
        long stores = baseAt + (nanos - baseNanos) / 1_000;
        long steps = (nanos - lastNanos) / (1_000 * OF);
        long walked = last + steps * SLOW;
        if (stores >= walked) {
            last = stores;
            lastNanos = nanos;
        } else {
            last = walked;
            lastNanos += steps * 1_000 * OF;
        }
        return last;
    }

    /**
     * Compares with a reading of the store's clock and follows it.
     *
     * @param askedNanos ticker when the question was sent; the reading belongs somewhere between then and now
     * @return how far the store was ahead of us, in microseconds (negative: behind); 0 within the round trip, and for a leap that is not
     *     believed yet
     */
    long adjust(long storeNowAt, long askedNanos) {
        long nanos = tickerNanos.getAsLong();
        long ours = baseAt + (nanos - baseNanos) / 1_000;
        long oursWhenAsked = baseAt + (askedNanos - baseNanos) / 1_000;
        long skew = 0;
        if (storeNowAt > ours) {
            skew = storeNowAt - ours;
        } else if (storeNowAt < oursWhenAsked) {
            skew = storeNowAt - oursWhenAsked;
        }
        if (doubts(skew, nanos)) {
            return 0;
        }
        baseAt = ours + skew;
        baseNanos = nanos;
        return skew;
    }

    private boolean doubts(long skew, long nanos) {
        leapMicros = skew > LEAP_MICROS ? skew : 0;
        if (leapMicros == 0) {
            doubtsSince = NO_DOUBT;
            return false;
        }
        if (doubtsSince == NO_DOUBT) {
            doubtsSince = nanos;
        }
        if (nanos - doubtsSince < DOUBT_NANOS) {
            return true;
        }
        doubtsSince = NO_DOUBT;
        leapMicros = 0;
        return false;
    }

    /** How far the store leapt ahead of us without being followed yet; 0: it did not. */
    long doubtedMicros() {
        return leapMicros;
    }

    /** How far we are ahead of the store; negative while a leap of its clock is not followed. */
    long aheadMicros() {
        return leapMicros > 0
                ? -leapMicros
                : Math.max(0, now() - (baseAt + (tickerNanos.getAsLong() - baseNanos) / 1_000));
    }

    long tickNanos() {
        return tickerNanos.getAsLong();
    }
}
