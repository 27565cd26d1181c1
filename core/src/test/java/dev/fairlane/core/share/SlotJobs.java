package dev.fairlane.core.share;

import java.util.function.IntUnaryOperator;

/** Jobs that came in the order of their slots. */
final class SlotJobs implements WaitingJobs {
    private final long[] queuedAt;
    private final IntUnaryOperator priorityOf;

    SlotJobs(int slots, IntUnaryOperator priorityOf) {
        this.queuedAt = new long[slots];
        this.priorityOf = priorityOf;
    }

    void queued(int slot, long at) {
        queuedAt[slot] = at;
    }

    @Override
    public long queuedAt(int slot) {
        return queuedAt[slot];
    }

    @Override
    public long sequence(int slot) {
        return slot;
    }

    @Override
    public int priority(int slot) {
        return priorityOf.applyAsInt(slot);
    }
}
