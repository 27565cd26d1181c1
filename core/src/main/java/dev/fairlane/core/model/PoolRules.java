package dev.fairlane.core.model;

import java.util.List;

/** What a pool does to its jobs unless they say otherwise (semantics §4). */
public record PoolRules(String name, long leaseMicros, int slotsPerWorker, int retries, long timeLimitMicros) {
    private static final long SECOND = 1_000_000;

    public static final String SHORT = "short";
    public static final String MEDIUM = "medium";
    public static final String LONG = "long";

    public static final List<PoolRules> DEFAULTS = List.of(
            new PoolRules(SHORT, 10 * SECOND, 50, 5, 30 * SECOND),
            new PoolRules(MEDIUM, 60 * SECOND, 8, 3, 600 * SECOND),
            new PoolRules(LONG, 90 * SECOND, 2, 2, 86_400 * SECOND));
}
