package dev.fairlane.runtime;

import java.util.concurrent.Executor;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * What a node is given instead of making it: a monotonic ticker, a place to encode batches, randomness for jitter, a way to wake
 * whoever drives the loop, and a look at its memory.
 *
 * @param encoder runs one task at a time, in order
 * @param heapPercent of the heap that is still used after collections; asked every turn
 */
public record NodeParts(
        LongSupplier tickerNanos, Executor encoder, LongSupplier random, Runnable wake, IntSupplier heapPercent) {
    /** With memory that never ends. */
    public NodeParts(LongSupplier tickerNanos, Executor encoder, LongSupplier random, Runnable wake) {
        this(tickerNanos, encoder, random, wake, () -> 0);
    }
}
