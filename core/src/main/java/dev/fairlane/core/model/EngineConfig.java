package dev.fairlane.core.model;

import java.util.List;

/**
 * The numbers of the contract that the engine needs; every one is a default that configuration may change.
 *
 * @param failures what is done about failures beyond the waits
 * @param admission when submits are slowed, marked and refused
 * @param moves when types are moved to other pools
 */
public record EngineConfig(
        List<PoolRules> pools,
        Share share,
        Attempts attempts,
        Keys keys,
        Room room,
        FailureRules failures,
        AdmissionRules admission,
        MoveRules moves) {
    private static final long SECOND = 1_000_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;

    public static final EngineConfig DEFAULT = new EngineConfig(
            PoolRules.DEFAULTS,
            new Share(
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
                    MINUTE),
            new Attempts(
                    List.of(SECOND, 5 * SECOND, 30 * SECOND, 5 * MINUTE, 30 * MINUTE),
                    0.2,
                    20,
                    5 * MINUTE,
                    10 * SECOND),
            new Keys(24 * HOUR, HOUR, 20_000_000),
            new Room(20_000_000, 10_000_000, 20_000),
            FailureRules.DEFAULT,
            AdmissionRules.DEFAULT,
            MoveRules.DEFAULT);

    /**
     * How slots are shared.
     *
     * @param holdMicros H of the fair key: the pace at which past use is given back
     * @param minChargeMicros least slot-time a job is charged
     * @param burstMicros credit a child may bring from idling, in time of its fair share
     * @param agingMicros per priority, how long until a job of it counts as priority 0
     * @param handOverAfterMicros how long an execution runs at least before it may be asked to make room
     */
    public record Share(
            long holdMicros,
            long minChargeMicros,
            long burstMicros,
            List<Long> agingMicros,
            long handOverAfterMicros) {}

    /**
     * How often a job is tried, and how long an attempt that should end may take to.
     *
     * @param retryDelaysMicros waits after the first, second, … counted failure; the last repeats
     * @param retryJitter fraction by which a wait may be longer or shorter
     * @param crashLimit crashes a job survives; one more and it is DEAD
     * @param cancelGraceMicros from the cancel request to the revocation of the token
     * @param timeLimitGraceMicros from a time limit to the server's own revocation
     */
    public record Attempts(
            List<Long> retryDelaysMicros,
            double retryJitter,
            int crashLimit,
            long cancelGraceMicros,
            long timeLimitGraceMicros) {}

    /**
     * How idempotency keys are remembered.
     *
     * @param retentionMicros how long after its submit
     * @param spanMicros in memory for the present and the last span of this length, then found in the store
     * @param max in memory before keyed submits are refused with NODE_FULL
     */
    public record Keys(long retentionMicros, long spanMicros, int max) {}

    /**
     * What fits.
     *
     * @param openJobs in memory before submits are refused with NODE_FULL
     * @param openJobsPerTenant the same for one tenant, DEPTH_LIMIT
     * @param promotionsPerSecond bound on due jobs queued and ticks of schedules dealt with per second, together
     */
    public record Room(int openJobs, int openJobsPerTenant, int promotionsPerSecond) {}

    /** The same with other pools. */
    public EngineConfig withPools(List<PoolRules> others) {
        return new EngineConfig(others, share, attempts, keys, room, failures, admission, moves);
    }

    /** The same with keys remembered otherwise. */
    public EngineConfig withKeys(Keys others) {
        return new EngineConfig(pools, share, attempts, others, room, failures, admission, moves);
    }

    /** The same with other room. */
    public EngineConfig withRoom(Room other) {
        return new EngineConfig(pools, share, attempts, keys, other, failures, admission, moves);
    }

    /** The same with room for so many open jobs, of all tenants and of each. */
    public EngineConfig withMaxOpenJobs(int jobs) {
        return withRoom(new Room(jobs, jobs, room.promotionsPerSecond));
    }

    /** The same with other rules of admission. */
    public EngineConfig withAdmission(AdmissionRules others) {
        return new EngineConfig(pools, share, attempts, keys, room, failures, others, moves);
    }

    /** The same with types moved by other rules. */
    public EngineConfig withMoves(MoveRules others) {
        return new EngineConfig(pools, share, attempts, keys, room, failures, admission, others);
    }
}
