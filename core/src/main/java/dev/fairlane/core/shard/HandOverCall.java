package dev.fairlane.core.shard;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.TenantId;

/**
 * An execution shall hand over at its next checkpoint. Soft: nobody is forced, and it is said once.
 *
 * @param by whose it is
 * @param to who waits below its share
 */
public record HandOverCall(JobId id, long token, TenantId by, TenantId to, String pool) {}
