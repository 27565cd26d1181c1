package dev.fairlane.server.api;

import dev.fairlane.core.shard.WaitReason;
import dev.fairlane.core.shard.WaitingJob;
import dev.fairlane.protocol.v1.EtaBand;
import dev.fairlane.protocol.v1.JobExplanation;
import dev.fairlane.protocol.v1.TenantShare;
import dev.fairlane.runtime.Explained;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Puts into words why a job waits, and guesses when it will not. */
final class Explanations {
    /** What goes away by itself, in the order of the line. */
    private static final Set<WaitReason> IN_LINE = EnumSet.of(
            WaitReason.FAIR_SHARE,
            WaitReason.NO_ROOM,
            WaitReason.KEPT_SLOTS,
            WaitReason.TENANT_CAP,
            WaitReason.FREE_SLICE,
            WaitReason.TYPE_CAP,
            WaitReason.KEY_CAP,
            WaitReason.PROMOTION);

    private static final Set<WaitReason> BY_TIME = EnumSet.of(WaitReason.NOT_DUE, WaitReason.RATE);

    /** Shares shift and jobs differ: the guess may be off by this in both directions. */
    private static final double BAND = 2;

    private static final double LEAST_SLOTS = 0.01;

    private Explanations() {}

    static JobExplanation of(Explained explained) {
        JobExplanation.Builder told = JobExplanation.newBuilder()
                .setId(explained.id().toString())
                .setState(Messages.state(explained.state()));
        WaitingJob waiting = explained.waiting();
        if (waiting == null || waiting.reasons().isEmpty()) {
            return told.setSummary(waiting == null ? "It is at its end." : "It is with a worker.")
                    .build();
        }
        told.setPool(waiting.share().pool())
                .setLane(waiting.lane())
                .setAhead(waiting.ahead())
                .setLaneWaiting(waiting.laneWaiting())
                .setGoesOnAtMicros(waiting.goesOnAt())
                .setShare(share(waiting.share()));
        for (WaitReason reason : waiting.reasons()) {
            told.addReasons(dev.fairlane.protocol.v1.WaitReason.newBuilder()
                    .setCode(reason.name().toLowerCase(Locale.ROOT))
                    .setText(text(reason))
                    .setUnblock(unblock(reason)));
        }
        EtaBand eta = eta(explained, waiting);
        if (eta != null) {
            told.setEta(eta);
        }
        WaitReason first = waiting.reasons().iterator().next();
        return told.setSummary("It waits: " + text(first) + ".").build();
    }

    private static TenantShare share(dev.fairlane.core.shard.TenantShare share) {
        return TenantShare.newBuilder()
                .setWeight(share.weight())
                .setWaiting(share.waiting())
                .setRunning(share.running())
                .setHeldSlots(share.heldSlots())
                .setFairSlots(share.fairSlots())
                .setReservedSlots(share.reservedSlots())
                .setSlotSeconds(share.slotSeconds())
                .setDeficitSlotSeconds(share.deficitSlotSeconds())
                .build();
    }

    /** Those ahead of it take the tenant's slots, or what a cap leaves of them, one after the other; null where no time is of help. */
    private static @Nullable EtaBand eta(Explained explained, WaitingJob waiting) {
        long later = 0;
        for (WaitReason reason : waiting.reasons()) {
            if (BY_TIME.contains(reason)) {
                later = Math.max(later, waiting.goesOnAt() - explained.now());
            } else if (!IN_LINE.contains(reason)) {
                return null;
            }
        }
        double slots = Math.max(
                LEAST_SLOTS,
                Math.max(waiting.share().heldSlots(), waiting.share().fairSlots()));
        int ahead = waiting.ahead();
        if (waiting.cap() > 0) {
            slots = Math.min(slots, waiting.cap());
            ahead = waiting.aheadAtCap();
        }
        double line = ahead * explained.estimateMicros() / slots;
        return EtaBand.newBuilder()
                .setEarliestMs((long) (later + line / BAND) / 1_000)
                .setLatestMs((long) (later + line * BAND + explained.estimateMicros()) / 1_000)
                .build();
    }

    private static String text(WaitReason reason) {
        return switch (reason) {
            case MAINTENANCE -> "the whole system is in maintenance";
            case POOL_PAUSED -> "its pool is paused";
            case JOB_PAUSED -> "it is paused";
            case PAUSED -> "its tenant, lane or type is paused";
            case NO_WORKER -> "no connected worker can run it: none has its type and all its tags and is big enough";
            case BREAKER -> "a dependency it uses is failing, and the breaker is open";
            case DEPENDENCY_CAP -> "as many jobs use one of its dependencies as may";
            case CRASHING -> "its tenant's jobs crash workers, so they run one at a time";
            case TYPE_CAP -> "as many jobs of its type run as may";
            case KEY_CAP -> "as many jobs of its concurrency key run as may";
            case RATE -> "its rate key has no starts left for now";
            case TENANT_CAP -> "as many jobs of its tenant run in the pool as may";
            case FREE_SLICE -> "the free tenants together have all slots of the pool that are theirs";
            case NOT_DUE -> "it is not due yet";
            case PROMOTION -> "it is due, together with more jobs than are queued in a second";
            case RETRY_BUDGET -> "its tenant has more retries than its retry budget allows";
            case NO_ROOM -> "workers that could run it are busy with its tenant's jobs, or have not enough left for it";
            case KEPT_SLOTS -> "the slots that are free are kept for tenants with a reservation or below their share";
            case FAIR_SHARE -> "other tenants' jobs have the slots by their shares";
        };
    }

    private static String unblock(WaitReason reason) {
        return switch (reason) {
            case MAINTENANCE -> "end the maintenance: fairlane resume system";
            case POOL_PAUSED, PAUSED -> "resume it: fairlane resume, see GET /v1/pauses";
            case JOB_PAUSED -> "resume it: fairlane resume job ID";
            case NO_WORKER -> "start a worker with the type, the tags and the resources it asks for";
            case BREAKER -> "when the dependency answers again, probes close the breaker within seconds";
            case DEPENDENCY_CAP -> "raise the cap of the dependency in its type, or wait for others to end";
            case CRASHING -> "find out what crashes the workers";
            case TYPE_CAP -> "raise max_in_flight of the type, or wait for others to end";
            case KEY_CAP -> "raise the tenant's limit of the key, or wait for others to end";
            case RATE -> "raise the tenant's limit of the key, or wait";
            case TENANT_CAP -> "raise the tenant's in_flight of the pool, or wait for others to end";
            case FREE_SLICE -> "move the tenant to another tier, add workers, or wait for others to end";
            case NOT_DUE -> "change run_at to now, or wait";
            case PROMOTION -> "it goes on by itself within seconds";
            case RETRY_BUDGET -> "it goes on by itself when the budget has room: fewer retries, or more first tries";
            case NO_ROOM -> "add workers, or wait for others to end";
            case KEPT_SLOTS -> "add workers, or wait";
            case FAIR_SHARE ->
                "add workers, or a larger weight of the tenant or lane; a higher priority helps inside its lane. Below its share"
                        + " it gets a slot when jobs of preemptible types of others hand over";
        };
    }
}
