package dev.fairlane.runtime;

import java.util.function.LongSupplier;

/**
 * The node's time: the store's clock at opening plus what a monotonic ticker has counted since, never below what the journal has
 * already seen. The machine's wall clock decides nothing.
 */
final class NodeClock {
    private final LongSupplier tickerNanos;
    private long baseAt;
    private long baseNanos;
    private long last;

    NodeClock(LongSupplier tickerNanos, long storeNowAt, long highWaterAt) {
        this.tickerNanos = tickerNanos;
        this.baseNanos = tickerNanos.getAsLong();
        this.baseAt = storeNowAt;
        this.last = highWaterAt;
    }

    long now() {
        last = Math.max(last, baseAt + (tickerNanos.getAsLong() - baseNanos) / 1_000);
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
