package dev.fairlane.core.model;

import java.util.List;

/**
 * The numbers of the contract that the engine needs; every one is a default that configuration may change.
 *
 * @param holdMicros H of the fair key: the pace at which past use is given back
 * @param minChargeMicros least slot-time a job is charged
 * @param burstMicros credit a child may bring from idling, in time of its fair share
 * @param agingMicros per priority, how long until a job of it counts as priority 0
 * @param retryDelaysMicros waits after the first, second, … counted failure; the last repeats
 * @param retryJitter fraction by which a wait may be longer or shorter
 * @param crashLimit crashes a job survives; one more and it is DEAD
 * @param cancelGraceMicros from the cancel request to the revocation of the token
 * @param timeLimitGraceMicros from a time limit to the server's own revocation
 * @param keyRetentionMicros how long an idempotency key is remembered after its submit
 * @param keySpanMicros keys are kept in memory for the present and the last span of this length, then found in the store
 * @param maxOpenJobs jobs in memory before submits are refused with NODE_FULL
 * @param maxOpenJobsPerTenant the same for one tenant, DEPTH_LIMIT
 * @param maxKeys idempotency keys in memory before keyed submits are refused with NODE_FULL
 * @param promotionsPerSecond bound on due jobs queued per second
 * @param failures what is done about failures beyond the waits
 * @param admission when submits are slowed, marked and refused
 * @param moves when types are moved to other pools
 */
public record EngineConfig(
        List<PoolRules> pools,
        long holdMicros,
        long minChargeMicros,
        long burstMicros,
        List<Long> agingMicros,
        List<Long> retryDelaysMicros,
        double retryJitter,
        int crashLimit,
        long cancelGraceMicros,
        long timeLimitGraceMicros,
        long keyRetentionMicros,
        long keySpanMicros,
        int maxOpenJobs,
        int maxOpenJobsPerTenant,
        int maxKeys,
        int promotionsPerSecond,
        FailureRules failures,
        AdmissionRules admission,
        MoveRules moves) {
    private static final long SECOND = 1_000_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;

    public static final EngineConfig DEFAULT = new EngineConfig(
            PoolRules.DEFAULTS,
            30 * SECOND,
            10_000,
            10 * SECOND,
            List.of(
                    0L,
                    5 * MINUTE,
                    15 * MINUTE,
                    25 * MINUTE,
                    40 * MINUTE,
                    HOUR,
                    2 * HOUR,
                    5 * HOUR,
                    12 * HOUR,
                    24 * HOUR),
            List.of(SECOND, 5 * SECOND, 30 * SECOND, 5 * MINUTE, 30 * MINUTE),
            0.2,
            20,
            5 * MINUTE,
            10 * SECOND,
            24 * HOUR,
            HOUR,
            20_000_000,
            10_000_000,
            5_000_000,
            20_000,
            FailureRules.DEFAULT);

    /** The same with the usual rules of admission. */
    public EngineConfig(
            List<PoolRules> pools,
            long holdMicros,
            long minChargeMicros,
            long burstMicros,
            List<Long> agingMicros,
            List<Long> retryDelaysMicros,
            double retryJitter,
            int crashLimit,
            long cancelGraceMicros,
            long timeLimitGraceMicros,
            long keyRetentionMicros,
            long keySpanMicros,
            int maxOpenJobs,
            int maxOpenJobsPerTenant,
            int maxKeys,
            int promotionsPerSecond,
            FailureRules failures) {
        this(
                pools,
                holdMicros,
                minChargeMicros,
                burstMicros,
                agingMicros,
                retryDelaysMicros,
                retryJitter,
                crashLimit,
                cancelGraceMicros,
                timeLimitGraceMicros,
                keyRetentionMicros,
                keySpanMicros,
                maxOpenJobs,
                maxOpenJobsPerTenant,
                maxKeys,
                promotionsPerSecond,
                failures,
                AdmissionRules.DEFAULT);
    }

    /** The same with the usual rules of moving types. */
    public EngineConfig(
            List<PoolRules> pools,
            long holdMicros,
            long minChargeMicros,
            long burstMicros,
            List<Long> agingMicros,
            List<Long> retryDelaysMicros,
            double retryJitter,
            int crashLimit,
            long cancelGraceMicros,
            long timeLimitGraceMicros,
            long keyRetentionMicros,
            long keySpanMicros,
            int maxOpenJobs,
            int maxOpenJobsPerTenant,
            int maxKeys,
            int promotionsPerSecond,
            FailureRules failures,
            AdmissionRules admission) {
        this(
                pools,
                holdMicros,
                minChargeMicros,
                burstMicros,
                agingMicros,
                retryDelaysMicros,
                retryJitter,
                crashLimit,
                cancelGraceMicros,
                timeLimitGraceMicros,
                keyRetentionMicros,
                keySpanMicros,
                maxOpenJobs,
                maxOpenJobsPerTenant,
                maxKeys,
                promotionsPerSecond,
                failures,
                admission,
                MoveRules.DEFAULT);
    }

    /** The same with room for so many open jobs, of all tenants and of each. */
    public EngineConfig withMaxOpenJobs(int jobs) {
        return new EngineConfig(
                pools,
                holdMicros,
                minChargeMicros,
                burstMicros,
                agingMicros,
                retryDelaysMicros,
                retryJitter,
                crashLimit,
                cancelGraceMicros,
                timeLimitGraceMicros,
                keyRetentionMicros,
                keySpanMicros,
                jobs,
                jobs,
                maxKeys,
                promotionsPerSecond,
                failures,
                admission,
                moves);
    }

    /** The same with other pools. */
    public EngineConfig withPools(List<PoolRules> others) {
        return new EngineConfig(
                others,
                holdMicros,
                minChargeMicros,
                burstMicros,
                agingMicros,
                retryDelaysMicros,
                retryJitter,
                crashLimit,
                cancelGraceMicros,
                timeLimitGraceMicros,
                keyRetentionMicros,
                keySpanMicros,
                maxOpenJobs,
                maxOpenJobsPerTenant,
                maxKeys,
                promotionsPerSecond,
                failures,
                admission,
                moves);
    }

    /** The same with types moved by other rules. */
    public EngineConfig withMoves(MoveRules others) {
        return new EngineConfig(
                pools,
                holdMicros,
                minChargeMicros,
                burstMicros,
                agingMicros,
                retryDelaysMicros,
                retryJitter,
                crashLimit,
                cancelGraceMicros,
                timeLimitGraceMicros,
                keyRetentionMicros,
                keySpanMicros,
                maxOpenJobs,
                maxOpenJobsPerTenant,
                maxKeys,
                promotionsPerSecond,
                failures,
                admission,
                others);
    }

    /** The same with keys sealed by spans of another length. */
    public EngineConfig withKeySpan(long other) {
        return new EngineConfig(
                pools,
                holdMicros,
                minChargeMicros,
                burstMicros,
                agingMicros,
                retryDelaysMicros,
                retryJitter,
                crashLimit,
                cancelGraceMicros,
                timeLimitGraceMicros,
                keyRetentionMicros,
                other,
                maxOpenJobs,
                maxOpenJobsPerTenant,
                maxKeys,
                promotionsPerSecond,
                failures,
                admission,
                moves);
    }
}
