package dev.fairlane.core.share;

import org.jspecify.annotations.Nullable;

/** A queue's place in a view: among the queues of its lane that the view may take from. */
final class Spot {
    static final int OUT = -1;

    final Queue queue;
    final Leaf lane;
    /** The same queue's place in another view. */
    @Nullable Spot next;

    /** Place among the ready ones, or {@link #OUT}. */
    int place = OUT;
    /** Places in the index by priority, where there is one. */
    int[] ranks = NONE;

    static final int[] NONE = {};

    Spot(Queue queue, Leaf lane) {
        this.queue = queue;
        this.lane = lane;
    }
}
