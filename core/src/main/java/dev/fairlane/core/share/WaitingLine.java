package dev.fairlane.core.share;

/** Puts jobs into queues and takes them out, with what follows for those above. */
final class WaitingLine {
    private final Presence presence;
    private final WaitingJobs jobs;
    private final Queues queues;
    private int waiting;

    WaitingLine(Presence presence, WaitingJobs jobs, Queues queues) {
        this.presence = presence;
        this.jobs = jobs;
        this.queues = queues;
    }

    int waiting() {
        return waiting;
    }

    void enqueue(Queue queue, int slot, int priority, long now) {
        queue.insert(slot, priority, queues, jobs);
        enqueued(queue, slot, priority, now);
    }

    void enqueueFirst(Queue queue, int slot, int priority, long now) {
        queue.insertFirst(slot, priority, queues);
        enqueued(queue, slot, priority, now);
    }

    void enqueueEarly(Queue queue, int slot, int priority, long now) {
        queue.insertEarly(slot, priority, queues, jobs);
        enqueued(queue, slot, priority, now);
    }

    private void enqueued(Queue queue, int slot, int priority, long now) {
        waiting++;
        for (Node node = queue.lane.node; node != null; node = node.parent) {
            node.waiting++;
        }
        if (queue.shown) {
            if (queue.head(priority) == slot) {
                presence.headChanged(queue, priority);
                presence.earlier(queue, jobs.queuedAt(slot));
            }
        } else if (queue.mayShow()) {
            presence.show(queue, jobs.queuedAt(slot), true, now);
        }
    }

    void remove(Queue queue, int slot, int priority, long now) {
        waiting--;
        for (Node node = queue.lane.node; node != null; node = node.parent) {
            node.waiting--;
        }
        unlink(queue, slot, priority);
        if (queue.shown && queue.isEmpty()) {
            presence.hide(queue, now);
        }
    }

    private void unlink(Queue queue, int slot, int priority) {
        boolean first = queue.head(priority) == slot;
        queue.remove(slot, priority, queues);
        if (first && queue.shown) {
            presence.headChanged(queue, priority);
        }
    }

    /**
     * Puts a waiting job elsewhere in line, by the time it is queued at now. A node that has only this one does not go and come
     * back by it: what it is owed stays.
     */
    void move(Queue from, int fromPriority, Queue to, int slot, int priority, long now) {
        unlink(from, slot, fromPriority);
        to.insert(slot, priority, queues, jobs);
        for (Node node = from.lane.node; node != null; node = node.parent) {
            node.waiting--;
        }
        for (Node node = to.lane.node; node != null; node = node.parent) {
            node.waiting++;
        }
        if (to.shown) {
            presence.headChanged(to, priority);
            presence.earlier(to, jobs.queuedAt(slot));
        } else if (to.mayShow()) {
            presence.show(to, jobs.queuedAt(slot), true, now);
        }
        if (from.shown && from.isEmpty()) {
            presence.hide(from, now);
        }
    }

    /** Jobs of the queue's lane that are before one of the queue. */
    int ahead(Queue queue, int slot, int priority, int most) {
        long at = jobs.queuedAt(slot);
        int[] count = {0};
        queue.account().forEachQueue(other -> {
            if (other.lane == queue.lane && !other.isEmpty()) {
                count[0] += other.ahead(at, slot, priority, queues, jobs, Math.max(0, most - count[0]));
            }
        });
        return count[0];
    }
}
