package dev.fairlane.core.shard;

import dev.fairlane.core.model.TenantId;
import java.util.List;

/**
 * The engine's live counters. Making them looks at a bounded number of tenants, see {@link Standings}: ask about once a second.
 *
 * @param tenants those with open jobs or past use, the busiest {@link #MAX_TENANTS} as far as they have been seen; with more than {@link
 *     Standings#PORTION} tenants it takes several calls until a new one is
 */
public record EngineStats(
        int openJobs, int keys, int sessions, int timers, List<PoolStats> pools, List<TenantStats> tenants) {
    public static final int MAX_TENANTS = 1_000;

    /**
     * @param slots offered by connected workers that take jobs
     * @param oldestQueuedAt when the job waiting longest was queued, 0 if none waits
     */
    public record PoolStats(String pool, int waiting, int running, int slots, long oldestQueuedAt) {}

    /**
     * @param scheduled not due yet, retries included
     * @param slotSeconds used since this start
     * @param completed ended well since this start
     */
    public record TenantStats(
            TenantId tenant, int waiting, int scheduled, int running, double slotSeconds, long completed) {}
}
