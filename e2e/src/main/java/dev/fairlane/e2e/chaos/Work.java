package dev.fairlane.e2e.chaos;

/** What is submitted and what comes back. */
final class Work {
    /** Done at once. */
    static final String QUICK = "quick";
    /** Takes seconds and listens for cancels. */
    static final String SLOW = "slow";
    /** Fails once, then succeeds. */
    static final String FLAKY = "flaky";
    /** Ends dead. */
    static final String POISON = "poison";
    /** Given to zombies too. */
    static final String ZOMBIE = "zombie";

    /** Submitted by schedules; done at once. */
    static final String TICK = "tick";

    /** Takes a while, under limits. */
    static final String LIMITED = "limited";

    /** Done at once; only one tenant submits it, and it has a quota. */
    static final String COUNTED = "counted";

    /** Payload: the number of the call in the history. */
    record Order(long call) {}

    /** Result: the token under which it was done. */
    record Done(long token) {}

    private Work() {}
}
