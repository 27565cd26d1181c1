package dev.fairlane.core.model;

import dev.fairlane.core.model.TypeRules.Threshold;

/**
 * What a node does about failures (semantics §5) unless a type says otherwise.
 *
 * @param maxAgeMicros longest time from submit (or from when it was due) to a job's end; a running execution is let finish
 * @param timeoutRetries retries after running over the time limit
 * @param resourceRetries retries after being killed for memory or CPU
 * @param breaker when the breaker of (tenant, type, dependency) opens
 * @param probeAfterMicros from its opening to the first probe
 * @param probeEveryMicros from probe to probe
 * @param goodProbes good probes in a row that close it
 * @param maxBreakersPerTenant more are not made, and counted
 * @param budgetPerMinute retries a tenant may have released a minute in any case
 * @param budgetPerDispatch and as many for each first dispatch of the last minute, whichever is more
 * @param postponedMicros longest a retry is put off for the budget before its job is DEAD
 * @param quarantine when a type counts as poison, and how long it must be under that to leave quarantine
 * @param quarantineAttempts attempts of a job whose type is in quarantine
 * @param crashedWorkers workers a tenant's jobs may crash in a pool a minute before they run one at a time
 */
public record FailureRules(
        long maxAgeMicros,
        int timeoutRetries,
        int resourceRetries,
        Threshold breaker,
        long probeAfterMicros,
        long probeEveryMicros,
        int goodProbes,
        int maxBreakersPerTenant,
        int budgetPerMinute,
        int budgetPerDispatch,
        long postponedMicros,
        Threshold quarantine,
        int quarantineAttempts,
        int crashedWorkers) {
    private static final long SECOND = 1_000_000;
    private static final long HOUR = 3_600 * SECOND;

    public static final FailureRules DEFAULT = new FailureRules(
            7 * 24 * HOUR,
            1,
            1,
            new Threshold(20, 50, 10 * SECOND),
            10 * SECOND,
            5 * SECOND,
            3,
            1_000,
            60,
            2,
            HOUR,
            new Threshold(20, 50, HOUR),
            2,
            10);
}
