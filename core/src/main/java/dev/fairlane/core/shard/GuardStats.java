package dev.fairlane.core.shard;

/**
 * What holds jobs back, in numbers.
 *
 * @param noticesDropped things noticed of which nobody heard, because too many came at once
 */
public record GuardStats(int openBreakers, long breakersRefused, long noticesDropped) {}
