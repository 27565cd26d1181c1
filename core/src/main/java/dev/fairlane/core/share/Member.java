package dev.fairlane.core.share;

import org.jspecify.annotations.Nullable;

/**
 * A node's place in a view: in the order of its siblings while it has a job for the view and may give it. The members of a view
 * form a tree of their own, of the nodes that have jobs for it: {@link Leaf leaves} have queues, {@link Branch branches} have children.
 */
abstract sealed class Member permits Leaf, Branch {
    static final int OUT = -1;

    /** Null at the top of a view. */
    final @Nullable Node node;

    final View view;
    /** Null at the top of a view. */
    final @Nullable Branch parent;

    /** The same node's place in another view. */
    @Nullable Member next;

    /** Place in its parent's order by key, or {@link #OUT}. */
    int place = OUT;
    /** Place in its parent's clock, or {@link #OUT}. */
    int clockPlace = OUT;
    /** Children or queues that may ever have something for the view. */
    int covered;

    Member(@Nullable Node node, View view, @Nullable Branch parent) {
        this.node = node;
        this.view = view;
        this.parent = parent;
    }

    abstract boolean hasWork();

    final boolean listed() {
        return place != OUT;
    }
}
