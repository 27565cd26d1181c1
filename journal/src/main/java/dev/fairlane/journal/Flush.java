package dev.fairlane.journal;

import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.GroupProgress;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.ScheduleProgress;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.UsageRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the facts up to a position come to, in rows. The first flush of a log also covers the tails of the logs closed when it was
 * opened.
 *
 * <p>A job's home is the segment that took its spec: the receipt of the flush that added it, or of the last compaction that moved
 * it. A changed image goes to the current segment and leaves the home as it is. A revised job has its new spec, so it moves: its home
 * is then the segment of the receipt.
 *
 * <p>A job that is due long after now is at home in {@link #FAR}, where it is found by the time it wakes up, and of which a recovery tells only
 * how many there are. It is there as long as it is not due: changed by hand, its row is; promoted, it moves to the current segment.
 *
 * <p>A job of this log that waits as it was added may be left out for a while ({@link #mayLeaveOut}): most of those that come in a flood are run soon, and what is written of
 * one that ends is one row. The journal is kept for it: rows and the facts from {@code keptFrom} on tell everything. Whatever else happens to such a
 * job, the flush that covers it stores the job as well. Jobs of older logs are never left out.
 *
 * @param upTo last batch sequence of the log that is covered (0: only the older logs' tails)
 * @param keptFrom the first batch that is needed again, for a job it added that is left out; the one behind {@code upTo} if there is none. It never
 *     goes back, and a flush may do nothing but move it
 * @param added open jobs not stored before
 * @param revised stored open jobs with another spec
 * @param changed new images of stored open jobs
 * @param ended jobs that reached their end
 * @param gates that were closed or opened, in order
 * @param replayed dead letters that are none any more: they are removed before anything else is written, and each is also among {@code
 *     added} or {@code ended}
 * @param groups of jobs that are new or moved
 * @param schedules that are new, moved or gone
 * @param usage to be added to what is stored, by hour and account
 * @param audit entries in the order of their chains
 */
public record Flush(
        long upTo,
        long keptFrom,
        List<Added> added,
        List<Revised> revised,
        List<Changed> changed,
        List<Ended> ended,
        List<Replayed> replayed,
        List<Tenant> tenants,
        List<JobType> types,
        List<Gate> gates,
        Groups groups,
        Schedules schedules,
        List<UsageRow> usage,
        List<AuditEntry> audit,
        long highWaterAt) {

    public Flush {
        if (keptFrom < 1 || keptFrom > upTo + 1) {
            throw new IllegalArgumentException(
                    "expected batches to be kept from 1 to " + (upTo + 1) + " on, but got " + keptFrom);
        }
    }

    /** Whether nothing but its own row goes with a job that was added so; others are stored with the next flush. */
    public static boolean mayLeaveOut(JobSpec spec, JobStatus status) {
        return status.state() == JobState.QUEUED && spec.terms().group().isEmpty();
    }

    /** A flush that leaves nobody out, in which nobody came back and no group moved. */
    public Flush(
            long upTo,
            List<Added> added,
            List<Revised> revised,
            List<Changed> changed,
            List<Ended> ended,
            List<Tenant> tenants,
            List<JobType> types,
            List<Gate> gates,
            long highWaterAt) {
        this(
                upTo,
                upTo + 1,
                added,
                revised,
                changed,
                ended,
                List.of(),
                tenants,
                types,
                gates,
                Groups.NONE,
                Schedules.NONE,
                List.of(),
                List.of(),
                highWaterAt);
    }

    public record Replayed(TenantId tenant, JobId id) {}

    /**
     * @param added groups not stored before, as they are now
     * @param changed newest images of stored groups
     * @param members which jobs joined which group
     */
    public record Groups(List<JobGroup> added, List<GroupChange> changed, List<Member> members) {
        public static final Groups NONE = new Groups(List.of(), List.of(), List.of());
    }

    /**
     * What schedules came to, each named once.
     *
     * @param set schedules as they are now, stored before or not
     * @param moved how far stored schedules are
     * @param gone schedules to be forgotten, stored or not
     */
    public record Schedules(List<Schedule> set, List<ScheduleMove> moved, List<ScheduleName> gone) {
        public static final Schedules NONE = new Schedules(List.of(), List.of(), List.of());
    }

    public record ScheduleMove(ScheduleName id, ScheduleProgress progress) {}

    public record GroupChange(JobId id, GroupProgress progress) {}

    public record Member(JobId group, JobId job) {}

    /** The home of jobs that are far from due. */
    public static final int FAR = -2;

    /** @param wakeAt of a job that is to be at home in {@link #FAR}, else 0 */
    public record Added(JobSpec spec, JobStatus status, long wakeAt) {
        public Added(JobSpec spec, JobStatus status) {
            this(spec, status, 0);
        }
    }

    /**
     * @param segment the home of the spec that this one replaces
     * @param wakeAt of a job that is to be at home in {@link #FAR} from now on, else 0
     */
    public record Revised(JobSpec spec, JobStatus status, int segment, long wakeAt) {
        public Revised(JobSpec spec, JobStatus status, int segment) {
            this(spec, status, segment, 0);
        }
    }

    /** @param far whether it was at home in {@link #FAR} */
    public record Changed(JobId id, JobStatus status, boolean far) {
        public Changed(JobId id, JobStatus status) {
            this(id, status, false);
        }

        /** Whether it stays there, to wake up when it did: only another spec changes when a job is due. */
        public boolean staysFar() {
            return far && status.state() == JobState.SCHEDULED;
        }
    }

    /**
     * @param spec null when it is only in the store: the row is then completed from there
     * @param segment the job's home if it is stored as open, or {@link #NOT_STORED}
     */
    public record Ended(
            JobId id,
            @Nullable JobSpec spec,
            JobStatus status,
            @Nullable Payload result,
            @Nullable Failure failure,
            int segment) {
        public static final int NOT_STORED = -1;
    }
}
