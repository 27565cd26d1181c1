package dev.fairlane.core.shard;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.TenantId;
import org.jspecify.annotations.Nullable;

/** @param spec null when it is only in the store */
public record JobSnapshot(
        JobId id, TenantId tenant, @Nullable JobSpec spec, JobStatus status) {}
