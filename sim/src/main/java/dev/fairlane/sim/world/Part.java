package dev.fairlane.sim.world;

/** What clients and workers of a world may use beyond plain jobs. Each world has only some of it. */
public enum Part {
    /** Groups of jobs with a callback. */
    GROUPS,
    /** Types, lanes, tenants and pools are paused and resumed. */
    GATES,
    /** Many jobs are cancelled at once. */
    BULK,
    /** Long executions save how far they came, and are handed over. */
    CHECKPOINTS,
    /** Types that want one job of a kind. */
    KINDS,
    /** Types whose executions at once are capped. */
    CAPS,
    /** Many jobs die and are brought back, one by one and all at once. */
    DEAD_LETTERS,
    /** Schedules that tick every few seconds. */
    SCHEDULES
}
