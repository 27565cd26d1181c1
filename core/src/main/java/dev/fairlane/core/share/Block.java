package dev.fairlane.core.share;

/**
 * Why a lane, or a whole account, is held back. Each reason is set and taken off by the one who knows it; a lane is given from when
 * none is left. Blocks are derived or soft: whoever sets one restores it after a restart.
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
    /** For limits on concurrency, of a type or a lane. */
    public static final int CONCURRENCY = 1 << 4;

    private Block() {}
}
