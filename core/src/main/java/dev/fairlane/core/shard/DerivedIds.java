package dev.fairlane.core.shard;

import dev.fairlane.core.model.JobId;

/**
 * Ids of jobs that decisions make by themselves. They are numbered in the upper half of the epoch's sequence, which the makers of
 * submitted ids never reach; the counter moves when such a job is added, so deciding stays a read. A new start has a new epoch.
 */
final class DerivedIds {
    private static final long FIRST = 1L << JobId.SEQUENCE_BITS - 1;

    private final long epoch;
    private long last;

    DerivedIds(long epoch) {
        this.epoch = epoch;
    }

    /** @param ahead how many of this decision come before it */
    JobId next(JobId cause, long now, int ahead) {
        long number = last + 1 + ahead;
        return JobId.of(now / 1_000, cause.cell(), (int) (number & JobId.SHARDS - 1), epoch, FIRST | number);
    }

    /** Whether a decision made the id, of whatever epoch. */
    static boolean derived(JobId id) {
        return (id.sequence() & FIRST) != 0;
    }

    void added(JobId id) {
        if (id.epoch() == epoch && derived(id)) {
            last = Math.max(last, id.sequence() & ~FIRST);
        }
    }
}
