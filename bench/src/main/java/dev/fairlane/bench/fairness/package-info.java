/**
 * Who gets what: a conformance test of fair share that other schedulers could run too.
 *
 * <p>A {@link dev.fairlane.bench.fairness.Scenario} says who is there, what they do and when, and which share of the slot-time is due to each of
 * them in every phase. It knows nothing of Fairlane. Two worlds play it: {@link dev.fairlane.bench.fairness.VirtualWorld} on the real core in
 * virtual time, where a quarter of an hour with millions of jobs takes seconds, and
 * {@link dev.fairlane.bench.fairness.ServerWorld} on the real server through its public API, in shorter time.
 * {@link dev.fairlane.bench.fairness.UsedTime} is what both bring back, and {@link dev.fairlane.bench.fairness.ShareErrors} the measure.
 */
@NullMarked
package dev.fairlane.bench.fairness;

import org.jspecify.annotations.NullMarked;
