package dev.fairlane.runtime;

import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * What a node is given instead of making it: a monotonic ticker, a place to encode batches, randomness for jitter, and a way to
 * wake whoever drives the loop.
 *
 * @param encoder runs one task at a time, in order
 */
public record NodeParts(LongSupplier tickerNanos, Executor encoder, LongSupplier random, Runnable wake) {}
