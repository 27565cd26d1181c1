package dev.fairlane.core.model;

import java.util.List;

/**
 * What a pool does to its jobs unless they say otherwise (semantics §4).
 *
 * @param boundMicros jobs that run longer violate the pool; 0: none does
 * @param estimateMicros slot-time a type is thought to take before anything is known of it
 * @param headroomPercent of the slots, kept for tenants that hold less than their share
 * @param perSlot resources that count as one slot; those that are 0 do not count
 */
public record PoolRules(
        String name,
        long leaseMicros,
        int slotsPerWorker,
        int retries,
        long timeLimitMicros,
        long boundMicros,
        long estimateMicros,
        int headroomPercent,
        Resources perSlot) {
    private static final long SECOND = 1_000_000;

    /** What counts as one slot unless the pool says otherwise. */
    public static final Resources PER_SLOT = new Resources(1_000, 1_024, 1);

    public static final String SHORT = "short";
    public static final String MEDIUM = "medium";
    public static final String LONG = "long";

    public static final List<PoolRules> DEFAULTS = List.of(
            new PoolRules(SHORT, 10 * SECOND, 50, 5, 30 * SECOND, SECOND, 10 * SECOND, 0, PER_SLOT),
            new PoolRules(MEDIUM, 60 * SECOND, 8, 3, 600 * SECOND, 60 * SECOND, 60 * SECOND, 0, PER_SLOT),
            new PoolRules(LONG, 90 * SECOND, 2, 2, 86_400 * SECOND, 0, 600 * SECOND, 10, PER_SLOT));

    /** Whether types may be moved here that do not declare it: one that an operator added is for those who ask for it. */
    public boolean takesMoved() {
        return name.equals(SHORT) || name.equals(MEDIUM) || name.equals(LONG);
    }

    /** The same with another bound. */
    public PoolRules withBound(long micros) {
        return new PoolRules(
                name,
                leaseMicros,
                slotsPerWorker,
                retries,
                timeLimitMicros,
                micros,
                estimateMicros,
                headroomPercent,
                perSlot);
    }

    /** A pool that nobody violates and that keeps no slots free. */
    public PoolRules(String name, long leaseMicros, int slotsPerWorker, int retries, long timeLimitMicros) {
        this(name, leaseMicros, slotsPerWorker, retries, timeLimitMicros, 0, 10 * SECOND, 0, PER_SLOT);
    }
}
