package dev.fairlane.core.model;

/**
 * When a schedule ticks and what becomes of its ticks.
 *
 * @param catchupPerMinute bound on missed ticks made up for in a minute
 * @param jitterMicros ticks come later by up to this; {@link #USUAL_JITTER}: as {@link Schedule#jitter} says
 * @param pauseOnFailure a run that ends DEAD pauses the schedule
 * @param startAt no ticks before; 0: none
 * @param endAt no ticks after; 0: none
 * @param maxRuns ticks that submit a job before it is done; 0: no bound
 * @param description for people
 */
public record ScheduleRules(
        TimeRule time,
        Catchup catchup,
        int catchupPerMinute,
        Overlap overlap,
        long jitterMicros,
        boolean pauseOnFailure,
        long startAt,
        long endAt,
        long maxRuns,
        String description) {
    public static final long USUAL_JITTER = -1;
    public static final long MAX_JITTER = 60_000_000;
    public static final int CATCHUP_PER_MINUTE = 60;
    public static final int MAX_CATCHUP_PER_MINUTE = 6_000;
    public static final long MIN_EVERY = 1_000_000;
    public static final long MAX_EVERY = 366L * 86_400 * 1_000_000;

    /** The usual in everything but time. */
    public static ScheduleRules at(TimeRule time) {
        return new ScheduleRules(
                time, Catchup.NONE, CATCHUP_PER_MINUTE, Overlap.SKIP, USUAL_JITTER, false, 0, 0, 0, "");
    }

    public ScheduleRules catching(Catchup other, int perMinute) {
        return new ScheduleRules(
                time, other, perMinute, overlap, jitterMicros, pauseOnFailure, startAt, endAt, maxRuns, description);
    }

    public ScheduleRules overlapping(Overlap other) {
        return new ScheduleRules(
                time,
                catchup,
                catchupPerMinute,
                other,
                jitterMicros,
                pauseOnFailure,
                startAt,
                endAt,
                maxRuns,
                description);
    }

    public ScheduleRules jittered(long micros) {
        return new ScheduleRules(
                time, catchup, catchupPerMinute, overlap, micros, pauseOnFailure, startAt, endAt, maxRuns, description);
    }

    public ScheduleRules pausing() {
        return new ScheduleRules(
                time, catchup, catchupPerMinute, overlap, jitterMicros, true, startAt, endAt, maxRuns, description);
    }

    public ScheduleRules within(long start, long end, long runs) {
        return new ScheduleRules(
                time, catchup, catchupPerMinute, overlap, jitterMicros, pauseOnFailure, start, end, runs, description);
    }

    /** Whether both have the same ticks. */
    boolean ticksAs(ScheduleRules other) {
        return time.equals(other.time) && startAt == other.startAt;
    }

    /** What becomes of ticks that were missed. The order is part of the stored format: append only. */
    public enum Catchup {
        NONE,
        LATEST,
        ALL;

        private static final Catchup[] VALUES = values();

        public static Catchup of(int ordinal) {
            return VALUES[ordinal];
        }
    }

    /** What becomes of a tick while a run is open. The order is part of the stored format: append only. */
    public enum Overlap {
        SKIP,
        BUFFER_ONE,
        CANCEL_PREVIOUS,
        ALLOW;

        private static final Overlap[] VALUES = values();

        public static Overlap of(int ordinal) {
            return VALUES[ordinal];
        }
    }
}
