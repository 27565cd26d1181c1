package dev.fairlane.runtime;

import dev.fairlane.core.model.JobId;

/** Makes the ids of one start of a node: sequence under its epoch, shards filled evenly. */
final class JobIds {
    private final int cell;
    private final long epoch;
    private long sequence;

    JobIds(int cell, long epoch) {
        this.cell = cell;
        this.epoch = epoch;
    }

    JobId next(long now) {
        return of(now / 1_000, cell, epoch, ++sequence);
    }

    /** The id that was made so many after this one, or before it, for a job of the same call. */
    static JobId sibling(JobId id, int after) {
        return of(id.millis(), id.cell(), id.epoch(), id.sequence() + after);
    }

    private static JobId of(long millis, int cell, long epoch, long number) {
        return JobId.of(millis, cell, (int) (number & JobId.SHARDS - 1), epoch, number & JobId.MAX_SEQUENCE);
    }
}
