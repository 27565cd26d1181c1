package dev.fairlane.core.share;

/**
 * Why a queue, a type or a node is held back. Each reason is set and taken off by the one who knows it; a job is given when none is left
 * from its queue up to the root. Blocks are derived or soft: whoever sets one restores it after a restart.
 */
public final class Block {
    /** Paused by hand. */
    public static final int PAUSE = 1;
    /** A breaker on a dependency the type declares is open. */
    public static final int BREAKER = 1 << 1;
    /** As many executions as a dependency bears are running. */
    public static final int DEPENDENCY_CAP = 1 << 2;
    /** The account's jobs crash workers: one at a time. */
    public static final int RECYCLE = 1 << 3;
    /** As many of the type run as its rules allow. */
    public static final int TYPE_CAP = 1 << 4;
    /** As many of the concurrency key run as the tenant's rules allow. */
    public static final int KEY_CAP = 1 << 5;
    /** The rate key has no starts left for now. */
    public static final int RATE = 1 << 6;
    /** As many of the tenant run in the pool as may. */
    public static final int CAP = 1 << 7;
    /** The free tenants together hold what they may of the pool's slots. Counts where those are, see {@link View#common}. */
    public static final int SLICE = 1 << 8;

    private Block() {}
}
