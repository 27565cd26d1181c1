package dev.fairlane.core.share;

import org.jspecify.annotations.Nullable;

/**
 * A member with children: it keeps their order and their {@link VirtualClock}. A single child needs neither.
 */
final class Branch extends Member {
    /** Its child, while there is exactly one and {@link #heap} is empty. */
    private @Nullable Member only;
    /** Its children by key; null before there were two. */
    private @Nullable NodeHeap heap;
    /** Its children by virtual time; null before there were two, and where nobody competes. */
    private @Nullable NodeHeap byVirtual;
    /** V, see {@link VirtualClock}. */
    private double virtual = VirtualClock.UNKNOWN;

    Branch(@Nullable Node node, View view, @Nullable Branch parent) {
        super(node, view, parent);
    }

    @Override
    boolean hasWork() {
        return !isEmpty();
    }

    boolean isEmpty() {
        return only == null && (heap == null || heap.isEmpty());
    }

    /** Its child if it has but one. */
    @Nullable Member only() {
        return only;
    }

    /** All children by key; there are several. */
    NodeHeap heap() {
        if (heap == null) {
            heap = new NodeHeap(false);
        }
        return heap;
    }

    /** The first child as far as known; there is one. */
    Member top() {
        return only != null ? only : heap().top();
    }

    /** In a view of one tenant nobody competes at the top. */
    boolean clocked() {
        return node != null || view.crew().isWide();
    }

    /** Brings V up to date. To be called before the set of its children changes. */
    double advance(long now) {
        if (only != null) {
            virtual = Math.max(virtual, Presence.node(only).virtualAt(now));
        } else if (byVirtual != null) {
            virtual = VirtualClock.advance(virtual, byVirtual, now);
        }
        return virtual;
    }

    /** Takes in a child where there is none. */
    void addOnly(Member child) {
        if (heap != null && !heap.isEmpty()) {
            throw new IllegalStateException("expected no children");
        }
        only = child;
        child.place = 0;
        child.clockPlace = 0;
    }

    /** Takes in one of several. */
    void add(Member child, double key, long tie, double childVirtual) {
        heap().push(child, key, tie);
        if (clocked()) {
            if (byVirtual == null) {
                byVirtual = new NodeHeap(true);
            }
            byVirtual.push(child, childVirtual, 0);
        }
    }

    /** Takes the only child out, to be added as one of several. */
    Member takeOnly() {
        Member child = top();
        only = null;
        return child;
    }

    void remove(Member child) {
        if (only == child) {
            only = null;
            child.place = OUT;
            child.clockPlace = OUT;
            return;
        }
        heap().remove(child);
        if (byVirtual != null && clocked()) {
            byVirtual.remove(child);
        }
    }

    /** A child's key or tie may have fallen; returns whether those above should look too. */
    boolean lower(Member child, double key, long tie) {
        return only == child || heap().lower(child, key, tie);
    }
}
