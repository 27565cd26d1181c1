package dev.fairlane.core.shard;

/**
 * How long executions of a type take.
 *
 * @param estimateMicros learned slot-time of one; before the first, what its pool says
 * @param p95Micros 0 before the first
 * @param violations of its present pool's bound within the window of moves
 */
public record PaceStats(long estimateMicros, long p95Micros, int violations) {}
