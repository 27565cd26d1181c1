package dev.fairlane.core.share;

/** What few nodes have beyond their weight, in thousandths of slots unless it says otherwise. */
final class Bounds {
    static final long NONE = Long.MAX_VALUE;

    /** Slots nobody else may use: they count as held. */
    long reserved;

    /** Slots it gets before all others. */
    long assured;

    /** Whether it is promised a part of the pool. */
    boolean guaranteed;

    /** Executions. */
    int maxRunning = Integer.MAX_VALUE;

    long maxHeld = NONE;

    boolean full(Node node) {
        return node.running >= maxRunning || maxHeld != NONE && node.held + Requirement.SLOT > maxHeld;
    }
}
