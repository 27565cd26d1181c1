package dev.fairlane.runtime;

import java.util.function.LongSupplier;

/**
 * The node's time: the store's clock at opening plus what a monotonic ticker has counted since, never below what the journal has
 * already seen. The machine's wall clock decides nothing.
 *
 * <p>A store whose clock was put back leaves the node ahead. Time must not go back, and it must not stand still either: retries,
 * leases and due jobs wait for it. So the node walks a little slower than the store until they meet.
 */
final class NodeClock {
    /** Pace while ahead: in eight microseconds the node counts seven. A lease of 10 s then takes 11.4 s. */
    private static final int SLOW = 7;

    private static final int OF = 8;

    private final LongSupplier tickerNanos;
    private long baseAt;
    private long baseNanos;
    private long last;
    private long lastNanos;

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
     * @return how far the store was ahead of us, in microseconds (negative: behind); 0 within the round trip
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
        baseAt = ours + skew;
        baseNanos = nanos;
        return skew;
    }

    long tickNanos() {
        return tickerNanos.getAsLong();
    }
}
