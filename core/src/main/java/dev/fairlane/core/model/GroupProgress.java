package dev.fairlane.core.model;

import org.jspecify.annotations.Nullable;

/**
 * How far a group is: a small image, written again with every step of a member.
 *
 * @param total members so far
 * @param callbackJob the job that was submitted at the end, or null
 * @param doneAt 0 before its end
 */
public record GroupProgress(
        State state,
        int total,
        int succeeded,
        int dead,
        int cancelled,
        int expired,
        @Nullable JobId callbackJob,
        long changedAt,
        long doneAt) {

    /** The order is part of the stored format: append only. */
    public enum State {
        /** Takes members. */
        OPEN,
        /** Takes no more, and waits for those it has. */
        SEALED,
        /** All members were at their end. Nothing changes it any more. */
        DONE;

        private static final State[] ALL = values();

        public static State of(int ordinal) {
            return ALL[ordinal];
        }
    }

    public static GroupProgress begun(long now) {
        return new GroupProgress(State.OPEN, 0, 0, 0, 0, 0, null, now, 0);
    }

    public int ended() {
        return succeeded + dead + cancelled + expired;
    }

    public boolean complete() {
        return state == State.SEALED && ended() == total;
    }

    public GroupProgress joined(long now) {
        return new GroupProgress(state, total + 1, succeeded, dead, cancelled, expired, callbackJob, now, doneAt);
    }

    /** A member ended so. */
    public GroupProgress ended(JobState how, long now) {
        return counted(how, 1, now);
    }

    /** A dead member is open again. */
    public GroupProgress revived(long now) {
        return counted(JobState.DEAD, -1, now);
    }

    private GroupProgress counted(JobState how, int by, long now) {
        return new GroupProgress(
                state,
                total,
                succeeded + (how == JobState.SUCCEEDED ? by : 0),
                dead + (how == JobState.DEAD ? by : 0),
                cancelled + (how == JobState.CANCELLED ? by : 0),
                expired + (how == JobState.EXPIRED ? by : 0),
                callbackJob,
                now,
                doneAt);
    }

    public GroupProgress sealed(long now) {
        return new GroupProgress(State.SEALED, total, succeeded, dead, cancelled, expired, callbackJob, now, doneAt);
    }

    public GroupProgress done(@Nullable JobId callback, long now) {
        return new GroupProgress(State.DONE, total, succeeded, dead, cancelled, expired, callback, now, now);
    }
}
