package dev.fairlane.core.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far a schedule is.
 *
 * @param cursor every tick up to here was dealt with, and none up to here ever will be again. It only grows
 * @param fired ticks that submitted a job
 * @param skipped ticks left out for an open run
 * @param missed ticks left out because they were late; counted up to a bound at a time
 * @param refused ticks whose job was refused
 * @param triggered runs asked for by hand
 * @param buffered tick that waits for the end of the open run; 0: none
 * @param lastTick the last tick that submitted a job; 0: none did
 * @param lastFiredAt when a job was submitted last, by a tick or by hand; 0: never
 * @param lastJob that job
 * @param endedAt when the last run ended, or what stood for one failed to begin; 0: none did
 * @param open its runs that are not at their end, oldest first
 * @param problem why the last refused job was
 * @param pause who paused it and why; null when it is not paused
 */
public record ScheduleProgress(
        long cursor,
        long fired,
        long skipped,
        long missed,
        long refused,
        long triggered,
        long buffered,
        long lastTick,
        long lastFiredAt,
        @Nullable JobId lastJob,
        long endedAt,
        List<JobId> open,
        String problem,
        @Nullable Pause pause,
        long changedAt) {

    public record Pause(String by, String why, long at) {}

    /** A schedule whose ticks count from after this time. */
    public static ScheduleProgress begun(long cursor, long now) {
        return new ScheduleProgress(cursor, 0, 0, 0, 0, 0, 0, 0, 0, null, 0, List.of(), "", null, now);
    }

    /** Ticks up to here do not count any more, and none waits. */
    public ScheduleProgress movedTo(long at, long now) {
        return change().cursor(at).buffered(0).build(now);
    }

    public ScheduleProgress paused(@Nullable Pause by, long now) {
        Change change = change();
        change.pause = by;
        return change.build(now);
    }

    public Change change() {
        return new Change(this);
    }

    /** One step of a schedule, put together. */
    public static final class Change {
        private final ScheduleProgress was;
        private long cursor;
        private long fired;
        private long skipped;
        private long missed;
        private long refused;
        private long triggered;
        private long buffered;
        private long lastTick;
        private long lastFiredAt;
        private @Nullable JobId lastJob;
        private long endedAt;
        private List<JobId> open;
        private String problem;
        private @Nullable Pause pause;

        private Change(ScheduleProgress was) {
            this.was = was;
            this.cursor = was.cursor;
            this.fired = was.fired;
            this.skipped = was.skipped;
            this.missed = was.missed;
            this.refused = was.refused;
            this.triggered = was.triggered;
            this.buffered = was.buffered;
            this.lastTick = was.lastTick;
            this.lastFiredAt = was.lastFiredAt;
            this.lastJob = was.lastJob;
            this.endedAt = was.endedAt;
            this.open = was.open;
            this.problem = was.problem;
            this.pause = was.pause;
        }

        /** It never goes back. */
        public Change cursor(long at) {
            cursor = Math.max(cursor, at);
            return this;
        }

        public Change missed(long more) {
            missed += more;
            return this;
        }

        public Change skipped() {
            skipped++;
            return this;
        }

        public Change buffered(long tick) {
            buffered = tick;
            return this;
        }

        public Change fired(long tick, JobId job, long now) {
            fired++;
            lastTick = tick;
            return began(job, now);
        }

        public Change triggered(JobId job, long now) {
            triggered++;
            return began(job, now);
        }

        private Change began(JobId job, long now) {
            lastFiredAt = now;
            lastJob = job;
            problem = "";
            return this;
        }

        /** The run is one to wait for. */
        public Change opened(JobId job) {
            List<JobId> more = new ArrayList<>(open);
            more.add(job);
            open = List.copyOf(more);
            return this;
        }

        public Change refused(String why, long now) {
            refused++;
            problem = why;
            endedAt = now;
            return this;
        }

        /** What stands for a run is at its end already. */
        public Change ended(long now) {
            endedAt = now;
            return this;
        }

        /** A run is at its end. */
        public Change ended(JobId job, long now) {
            if (open.contains(job)) {
                List<JobId> less = new ArrayList<>(open);
                less.remove(job);
                open = List.copyOf(less);
                endedAt = now;
            }
            return this;
        }

        public Change pause(Pause by) {
            pause = by;
            return this;
        }

        public ScheduleProgress build(long now) {
            return new ScheduleProgress(
                    cursor,
                    fired,
                    skipped,
                    missed,
                    refused,
                    triggered,
                    buffered,
                    lastTick,
                    lastFiredAt,
                    lastJob,
                    endedAt,
                    open,
                    problem,
                    pause,
                    Math.max(now, was.changedAt));
        }
    }
}
