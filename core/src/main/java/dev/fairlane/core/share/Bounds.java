package dev.fairlane.core.share;

import org.jspecify.annotations.Nullable;

/** What few nodes have beyond their weight, in thousandths of slots unless it says otherwise. */
final class Bounds {
    static final long NONE = Long.MAX_VALUE;

    /** Slots nobody else may use: they count as held. */
    long reserved;

    /** Slots it gets before all others. */
    long assured;

    /** Whether it is promised a part of the pool. */
    boolean guaranteed;

    /** What it would weigh without that promise, see {@link Floor}; 0 where there is none. */
    int ownWeight;

    /** Slots of a tenant that nobody else may use, as its rules have it; {@link #reserved} is what it gets. */
    int reservedSlots;

    /** Of its children that are eligible or hold slots. */
    long activeWeight;

    /** Of a lane with times of its own. */
    @Nullable Aging aging;

    /** Thousandths of slots its jobs take of workers that are no part of the pool's slots, see {@link Crew#isCommon}. */
    long aside;

    /** Executions. */
    int maxRunning = Integer.MAX_VALUE;

    long maxHeld = NONE;

    boolean full(Node node) {
        return node.running >= maxRunning;
    }

    boolean atSlice(Node node) {
        return maxHeld != NONE && node.shared() + Requirement.SLOT > maxHeld;
    }
}
