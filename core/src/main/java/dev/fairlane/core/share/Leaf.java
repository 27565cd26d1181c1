package dev.fairlane.core.share;

import org.jspecify.annotations.Nullable;

/** A member with queues: the place of a lane, or of a tenant that has but one. Most have one queue, which needs no list. */
final class Leaf extends Member {
    /** Its ready queue while it never had two at once. */
    private @Nullable Spot only;
    /** All its ready queues, since there were two. */
    private @Nullable ReadyQueues many;

    Leaf(Node node, View view, Branch parent) {
        super(node, view, parent);
    }

    @Override
    boolean hasWork() {
        return only != null || many != null && many.count() > 0;
    }

    void add(Spot spot, WaitingJobs jobs) {
        if (many != null) {
            many.add(spot, jobs);
        } else if (only == null) {
            only = spot;
            spot.place = 0;
        } else {
            many = new ReadyQueues();
            many.add(only, jobs);
            many.add(spot, jobs);
            only = null;
        }
    }

    void remove(Spot spot, WaitingJobs jobs) {
        if (many != null) {
            many.remove(spot, jobs);
        } else {
            only = null;
            spot.place = Spot.OUT;
        }
    }

    /** Another job is the first of the spot's queue in this tier, or none is. */
    void headChanged(Spot spot, int tier, WaitingJobs jobs) {
        if (many != null) {
            many.headChanged(spot, tier, jobs);
        }
    }

    /** The job that is next; there is one. */
    int head(Aging aging, WaitingJobs jobs, long now) {
        if (only != null) {
            return only.queue.next(aging, jobs, now);
        }
        return many == null ? Queues.NONE : many.head(aging, jobs, now);
    }

    /** A job that is likely to be next, if that is easy to say. */
    int glance() {
        return only == null ? Queues.NONE : only.queue.soleHead();
    }

    /** When the earliest job was queued. */
    long earliest(WaitingJobs jobs) {
        if (only != null) {
            return only.queue.earliest(jobs);
        }
        return many == null ? Long.MAX_VALUE : many.earliest(jobs);
    }
}
