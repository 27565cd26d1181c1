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
        long number = ++sequence;
        return JobId.of(now / 1_000, cell, (int) (number & JobId.SHARDS - 1), epoch, number & JobId.MAX_SEQUENCE);
    }
}
