package dev.fairlane.sim.world;

/** What {@link Nemesis} can do. */
public enum FaultKind {
    /** The process of the owner is gone; a new one starts soon. */
    NODE_CRASH,
    /** The owner gets no processor for a while and nobody takes over. */
    NODE_PAUSE,
    /** The owner gets no processor for so long that another start takes its log over; later it wakes. */
    TAKEOVER,
    /** Another start takes the log over while the owner is well. */
    RIVAL,
    /** The owner's loop stands still for a moment that is no stall yet, or just one. */
    NODE_HICCUP,
    /** The owner cannot reach the store, which is well; if it takes long, another start takes over. */
    STORE_CUT,
    STORE_SLOW,
    /** The store does nothing at all for a while and breaks nothing: one commit takes seconds. */
    STORE_STALL,
    /** The store ends whatever is under way and refuses what comes. */
    STORE_OUTAGE,
    /** All connections to the store break at once; what was under way may have happened. */
    STORE_FAILOVER,
    /** The store's clock jumps, either way. */
    CLOCK_JUMP,
    WORKER_CRASH,
    /** A worker gets no processor for longer than its leases: it wakes as a zombie. */
    WORKER_PAUSE,
    STREAM_BREAK,
    /** Messages between one party and the owner get stuck or lost, in one direction. */
    PARTITION
}
