package dev.fairlane.core.model;

import org.jspecify.annotations.Nullable;

/** What became true. Facts are all that changes hard state, all that is journaled and all that is replayed. */
public sealed interface Fact {

    /** A job exists. */
    record JobAdded(JobSpec spec, JobStatus status) implements Fact {
        public JobId id() {
            return spec.id();
        }
    }

    /** A waiting job was changed by hand: the whole new spec, one revision further, and the whole new image. */
    record JobRevised(JobSpec spec, JobStatus status) implements Fact {
        public JobId id() {
            return spec.id();
        }
    }

    /** A job that is not at its end changed: the whole new image. */
    record JobChanged(JobId id, JobStatus status) implements Fact {}

    /**
     * A job reached its end.
     *
     * @param result of a SUCCEEDED job
     * @param failure that led to DEAD, CANCELLED or EXPIRED, where there is one
     * @param spec the spec if it was in memory, to spare a look-up when the history is written. Not journaled, null after replay
     */
    record JobEnded(
            JobId id,
            JobStatus status,
            @Nullable Payload result,
            @Nullable Failure failure,
            @Nullable JobSpec spec) implements Fact {}

    /** Jobs are held back, or no longer. */
    record GateSet(Gate gate) implements Fact {}

    /**
     * A DEAD job was brought back: it is open again, with this spec, whose payload may have been edited. Decided only when the end it
     * comes back from is stored.
     */
    record JobReplayed(JobSpec spec, JobStatus status) implements Fact {
        public JobId id() {
            return spec.id();
        }
    }

    /** A group exists. */
    record GroupAdded(JobGroup group) implements Fact {}

    /** A group took a member, lost one to its end, was sealed or is done: the whole new image. */
    record GroupChanged(JobId id, GroupProgress progress) implements Fact {}

    /** A schedule exists or is another now: the whole of it. */
    record ScheduleSet(Schedule schedule) implements Fact {}

    /** A schedule dealt with a tick, lost a run to its end, was paused or resumed: the whole new image of how far it is. */
    record ScheduleMoved(ScheduleName id, ScheduleProgress progress) implements Fact {}

    /** There is no such schedule any more. */
    record ScheduleGone(ScheduleName id, long at) implements Fact {}

    /** A tenant exists or changed. */
    record TenantSet(Tenant tenant) implements Fact {}

    /** A job type of a tenant exists or changed. */
    record TypeSet(JobType type) implements Fact {}

    /** Somebody changed the control plane: stands in the same batch as the change. It is no state of the engine's. */
    record Audited(AuditEntry entry) implements Fact {}
}
