package dev.fairlane.core.shard;

import dev.fairlane.core.model.JobId;
import java.util.Set;

/**
 * Why an open job waits.
 *
 * @param reasons everything that holds it back; empty if it runs
 * @param ahead jobs before it in its lane, the more urgent ones included: counted up to {@link #COUNTED_AHEAD}, beyond that estimated from
 *     when it was queued, since counting goes from job to job
 * @param laneWaiting jobs waiting in its lane
 * @param cap how many of its kind run at once, if a cap of its type or key holds it back; else 0
 * @param aheadAtCap jobs before it that wait for the same, as far as they are in the same queue
 * @param goesOnAt when its rate key has starts again, or it is due; 0 where no time is known
 * @param share of its tenant in its pool
 */
public record WaitingJob(
        JobId id,
        String lane,
        Set<WaitReason> reasons,
        int ahead,
        int laneWaiting,
        int cap,
        int aheadAtCap,
        long goesOnAt,
        TenantShare share) {
    public static final int COUNTED_AHEAD = 1_000;
}
