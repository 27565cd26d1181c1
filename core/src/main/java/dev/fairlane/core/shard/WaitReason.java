package dev.fairlane.core.shard;

import dev.fairlane.core.share.Block;
import java.util.EnumSet;
import java.util.Set;

/** Why a job is not running. The order is that of telling: what people can do something about first. */
public enum WaitReason {
    /** The whole system is in maintenance. */
    MAINTENANCE(0),
    /** Its pool is paused. */
    POOL_PAUSED(0),
    /** The job itself is paused. */
    JOB_PAUSED(0),
    /** Its tenant, lane or type is paused. */
    PAUSED(Block.PAUSE),
    /** No connected worker has its type and its tags, or none is big enough for what it demands. */
    NO_WORKER(0),
    /** A dependency its type declares, or the one its last try failed for, is failing. */
    BREAKER(Block.BREAKER),
    /** As many executions as a dependency bears are running. */
    DEPENDENCY_CAP(Block.DEPENDENCY_CAP),
    /** Its tenant's jobs crash workers. */
    CRASHING(Block.RECYCLE),
    /** As many of its type are running as may. */
    TYPE_CAP(Block.TYPE_CAP),
    /** As many of its concurrency key are running as may. */
    KEY_CAP(Block.KEY_CAP),
    /** Its rate key has no starts left for now. */
    RATE(Block.RATE),
    /** As many of its tenant are running in the pool as may. */
    TENANT_CAP(Block.CAP),
    /** The free tenants together hold all of the pool that is theirs. */
    FREE_SLICE(Block.SLICE),
    /** It is not due yet. */
    NOT_DUE(0),
    /** It is due, with more others than are queued in a second. */
    PROMOTION(0),
    /** Its tenant retries more than its budget allows. */
    RETRY_BUDGET(0),
    /** Workers that could run it have not enough left of what it demands, or its tenant's jobs have all their slots. */
    NO_ROOM(0),
    /** The slots that are left are kept for tenants with a reservation or less than their share. */
    KEPT_SLOTS(0),
    /** Others' jobs have the slots by their shares. */
    FAIR_SHARE(0);

    private final int block;

    WaitReason(int block) {
        this.block = block;
    }

    /** The reasons that blocks stand for. */
    static Set<WaitReason> of(int blocks) {
        Set<WaitReason> reasons = EnumSet.noneOf(WaitReason.class);
        for (WaitReason reason : values()) {
            if ((reason.block & blocks) != 0) {
                reasons.add(reason);
            }
        }
        return reasons;
    }
}
