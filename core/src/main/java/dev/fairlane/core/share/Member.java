package dev.fairlane.core.share;

import org.jspecify.annotations.Nullable;

/**
 * A node's place in a view: in the order of its siblings while it has a job for the view and may give it. The members of a view
 * form a tree of their own, of the nodes that have jobs for it.
 */
final class Member {
    static final int OUT = -1;

    /** Null at the top of a view. */
    final @Nullable Node node;

    final View view;
    /** Null at the top of a view. */
    final @Nullable Member parent;

    /** Order of its children by key; null for lanes. */
    final @Nullable NodeHeap heap;
    /** Null for lanes, and at the top of a view of one tenant, where nobody competes. */
    final @Nullable VirtualClock clock;
    /** Null but for lanes. */
    final @Nullable ReadyQueues queues;

    /** Place in its parent's order by key, or {@link #OUT}. */
    int place = OUT;
    /** Place in its parent's clock, or {@link #OUT}. */
    int clockPlace = OUT;
    /** Children or queues that may ever have something for the view. */
    int covered;

    private Member(
            @Nullable Node node,
            View view,
            @Nullable Member parent,
            @Nullable NodeHeap heap,
            @Nullable VirtualClock clock,
            @Nullable ReadyQueues queues) {
        this.node = node;
        this.view = view;
        this.parent = parent;
        this.heap = heap;
        this.clock = clock;
        this.queues = queues;
    }

    static Member top(View view, boolean clocked) {
        return new Member(null, view, null, new NodeHeap(false), clocked ? new VirtualClock() : null, null);
    }

    static Member inner(Node node, View view, Member parent) {
        return new Member(node, view, parent, new NodeHeap(false), new VirtualClock(), null);
    }

    static Member lane(Node node, View view, Member parent) {
        return new Member(node, view, parent, null, null, new ReadyQueues());
    }

    boolean hasWork() {
        return queues != null ? queues.count() > 0 : heap != null && !heap.isEmpty();
    }

    boolean listed() {
        return place != OUT;
    }
}
