package dev.fairlane.runtime;

import dev.fairlane.core.model.JobId;

/** One lease of one job. */
public record LeaseRef(JobId id, long token) {}
