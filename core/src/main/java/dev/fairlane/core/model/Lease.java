package dev.fairlane.core.model;

import org.jspecify.annotations.Nullable;

/**
 * A job given to a worker session by a pick; it leaves the node once its fact is committed.
 *
 * @param slot where the engine keeps the job while it is open: it need not be searched for
 * @param spec null when a deep backlog pushed it out of memory: it is fetched from the store beside the commit
 */
public record Lease(
        int session,
        int slot,
        JobId id,
        TenantId tenant,
        @Nullable JobSpec spec,
        JobStatus status,
        long leaseMicros) {}
