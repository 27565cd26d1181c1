package dev.fairlane.runtime;

import dev.fairlane.core.model.Notice;
import dev.fairlane.core.model.Resources;
import dev.fairlane.core.shard.GuardStats;
import java.util.List;
import java.util.Map;

/**
 * A picture of a node, taken about twice a second by its loop.
 *
 * @param guards what holds jobs back
 * @param noticed how often each kind of notice was given since this start
 * @param stranded jobs that nobody can run
 * @param schedules how well they keep time
 * @param due how well jobs keep time that were submitted to run later
 * @param pickupMicros submit-to-dispatch times per pool as counts per bucket of {@link #PICKUP_BOUNDS_MICROS} (one more for the rest)
 */
public record NodeStatus(
        String node,
        State state,
        long epoch,
        long startedAt,
        long takenAt,
        long committed,
        long flushed,
        Counters counters,
        List<PoolStatus> pools,
        List<TenantStatus> tenants,
        List<WorkerStatus> workers,
        Map<String, Pickups> pickupMicros,
        DeadLetterCounts deadLetters,
        GuardStats guards,
        Map<Notice.Kind, Long> noticed,
        List<StrandedStatus> stranded,
        ScheduleStatus schedules,
        DueStatus due) {

    public static final List<Long> PICKUP_BOUNDS_MICROS = List.of(
            1_000L,
            2_000L,
            5_000L,
            10_000L,
            20_000L,
            50_000L,
            100_000L,
            200_000L,
            500_000L,
            1_000_000L,
            5_000_000L,
            60_000_000L);

    /** The same picture of a node in another state. */
    NodeStatus in(State other) {
        return new NodeStatus(
                node,
                other,
                epoch,
                startedAt,
                takenAt,
                committed,
                flushed,
                counters,
                pools,
                tenants,
                workers,
                pickupMicros,
                deadLetters,
                guards,
                noticed,
                stranded,
                schedules,
                due);
    }

    public enum State {
        RECOVERING,
        SERVING,
        /** The store cannot be reached; submits wait or are refused, nothing is lost. */
        STALLED,
        FENCED,
        STOPPED
    }

    /**
     * @param oldestDueMicros age of the oldest tick that is due and not dealt with
     * @param latenessMicros how late ticks submitted their jobs since this start, in the buckets of pickups; bounded: see {@link Lateness}
     * @param clockAheadMicros how far the node's clock is ahead of the store's; negative while a leap of the store's is not believed
     */
    public record ScheduleStatus(long oldestDueMicros, Map<LatenessOf, Pickups> latenessMicros, long clockAheadMicros) {
        public static final ScheduleStatus NONE = new ScheduleStatus(0, Map.of(), 0);
    }

    /** @param tenant by its name; this and the schedule are {@link #OTHERS} where several are counted together */
    public record LatenessOf(String tenant, String schedule) {
        public static final String OTHERS = "(other)";
    }

    /**
     * @param oldestUnpromotedMicros for how long the job has been due that is due longest and not yet queued
     * @param far open jobs that are in the store alone until shortly before they are due
     * @param loadedAhead of those, how many are in memory by now
     */
    public record DueStatus(long oldestUnpromotedMicros, long far, long loadedAhead) {
        public static final DueStatus NONE = new DueStatus(0, 0, 0);
    }

    /** Since the start of the node. */
    public record Counters(
            long submitted,
            long refused,
            long dispatched,
            long succeeded,
            long retried,
            long dead,
            long cancelled,
            long expired,
            long leasesExpired,
            long staleResults,
            long commits,
            long committedFacts,
            long committedBytes,
            long commitMicros,
            long flushes,
            long flushedRows,
            long flushMicros,
            long turns,
            long longestTurnMicros) {}

    /**
     * Since the start of the node.
     *
     * @param byType jobs that died, by their type; a bounded number of types, the rest under {@link #OTHER_TYPES}
     */
    public record DeadLetterCounts(long replayed, Map<String, Long> byType) {
        public static final String OTHER_TYPES = "(other)";
    }

    public record Pickups(List<Long> counts, long sumMicros) {}

    public record PoolStatus(
            String pool, long waiting, long running, long slots, long oldestWaitingMicros, HandOverCounts handOvers) {}

    /**
     * Since the start of the node.
     *
     * @param asked executions that were asked to make room for another tenant
     * @param handedOver those of them that did
     */
    public record HandOverCounts(long asked, long handedOver) {
        public static final HandOverCounts NONE = new HandOverCounts(0, 0);

        HandOverCounts plus(HandOverCounts more) {
            return new HandOverCounts(asked + more.asked, handedOver + more.handedOver);
        }
    }

    public record TenantStatus(
            String tenant,
            int weight,
            long waiting,
            long scheduled,
            long running,
            double slotSeconds,
            long completed) {}

    /** Jobs that no connected worker can run: it lacks the type, a tag, or size. */
    public record StrandedStatus(
            String tenant,
            String pool,
            String type,
            Resources demand,
            List<String> tags,
            long waiting,
            long oldestWaitingMicros) {}

    public record WorkerStatus(
            String worker,
            String tenant,
            List<String> types,
            Map<String, Integer> slots,
            int running,
            long lastSeenMicros,
            boolean draining,
            Resources resources,
            List<String> tags) {}
}
