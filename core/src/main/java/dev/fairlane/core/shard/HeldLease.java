package dev.fairlane.core.shard;

import dev.fairlane.core.model.JobId;

/** A live lease as its worker would name it. */
public record HeldLease(JobId id, long token) {}
