package dev.fairlane.sim.seen;

import dev.fairlane.core.model.JobMarks;
import dev.fairlane.core.model.JobStatus;

/** A job that was brought back from the dead letters has more than one life. */
public final class Lives {
    private Lives() {}

    /** How often the job had been brought back when it was like this. */
    public static int of(JobStatus status) {
        JobMarks.Replay replay = status.marks().replay();
        return replay == null ? 0 : replay.count();
    }
}
