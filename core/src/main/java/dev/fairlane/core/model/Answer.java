package dev.fairlane.core.model;

import org.jspecify.annotations.Nullable;

/** What the asker hears, once the journal position it rests on is committed. Refusals are values. */
public sealed interface Answer {

    /**
     * @param existing true when an idempotency key or a unique rule led to a job that was already there
     * @param degraded true when it is new and was taken while the node was near its bounds
     */
    record Submitted(JobId id, JobState state, boolean existing, boolean degraded) implements Answer {
        public Submitted(JobId id, JobState state, boolean existing) {
            this(id, state, existing, false);
        }
    }

    /** What a cancel came to; {@code state} is the job's state after it. */
    record Cancelled(JobId id, CancelOutcome outcome, JobState state) implements Answer {}

    /**
     * What a change, a pause or a resume of one job came to.
     *
     * @param state of the job after it
     * @param revision of the job after it; −1 when the job has ended
     */
    record Changed(JobId id, ChangeOutcome outcome, JobState state, int revision) implements Answer {}

    /** The spec the change is to be made to is only in the store: somebody fetches it and asks again. */
    record SpecNeeded(JobId id) implements Answer {}

    /** What a replay came to; {@code state} is the job's state after it. */
    record Replayed(JobId id, ReplayOutcome outcome, JobState state) implements Answer {}

    /** The message about a lease was applied, now or (a repetition) before. */
    record Applied(JobId id, long token, JobState state) implements Answer {}

    record GateIs(Gate gate) implements Answer {}

    record GroupIs(JobGroup group) implements Answer {}

    /**
     * A schedule as it is, or would be.
     *
     * @param before as it was; null when there was none
     */
    record ScheduleIs(Schedule schedule, @Nullable Schedule before, ScheduleOutcome outcome) implements Answer {}

    record TenantIs(Tenant tenant) implements Answer {}

    record TypeIs(JobType type) implements Answer {}

    /** Nothing to say: a timer whose reason has gone. */
    record Nothing() implements Answer {
        public static final Nothing INSTANCE = new Nothing();
    }

    /** The job is not in memory; somebody who can look it up in the store has to answer. */
    record NotInMemory(JobId id) implements Answer {}

    /** A key of the submit may be stored: somebody has to look, and to send the submit again with what was found. */
    record LookUpKey(KeyProbe probe) implements Answer {}

    record Refused(Refusal refusal) implements Answer {
        public static Refused of(RefusalCode code, String message) {
            return new Refused(new Refusal(code, message, 0));
        }
    }

    enum ScheduleOutcome {
        CREATED,
        CHANGED,
        UNCHANGED,
        DELETED
    }

    enum ChangeOutcome {
        OK,
        ALREADY_RUNNING,
        ALREADY_DONE
    }

    enum ReplayOutcome {
        REPLAYED,
        /** Somebody was faster: it is open. */
        ALREADY_OPEN,
        /** It ended in another way and stays so. */
        NOT_DEAD
    }

    enum CancelOutcome {
        CANCELLED,
        CANCEL_REQUESTED,
        ALREADY_DONE
    }
}
