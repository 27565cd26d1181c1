package dev.fairlane.core.shard;

/** What holds jobs back, in numbers. */
public record GuardStats(int openBreakers, long breakersRefused) {}
