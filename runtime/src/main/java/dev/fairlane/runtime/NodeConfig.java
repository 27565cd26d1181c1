package dev.fairlane.runtime;

import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.journal.Retention;
import java.util.Set;

/**
 * The bounds and paces of a node.
 *
 * @param name of the node, as people see it
 * @param maxInboxWeight jobs and results waiting before the loop; over it calls are answered OVERLOADED
 * @param maxCallsPerTurn calls taken in one turn
 * @param maxBatchFacts facts gathered before further calls wait for the commit under way
 * @param busyBatchFacts a commit of at least this many facts counts as load
 * @param commitSpacingMicros under load, least time from one commit's start to the next
 * @param flushIntervalMicros longest time between projections while there is something to project
 * @param quietFlushIntervalMicros the same while less than {@code quietFlushChanges} changed
 * @param quietFlushChanges changes below which the shorter interval holds
 * @param maxFlushChanges changes that start a projection at once
 * @param maxResidentBytes payload bytes of stored waiting jobs kept in memory; over it they stay in the store until leased
 * @param heartbeatMicros how often workers report what they hold
 * @param stallMicros a gap between turns that counts as a stall: all live leases get their full length again
 * @param retryMicros first wait before a failed commit or flush is sent again; doubles up to 1 s
 * @param ownerLeaseMicros how long after its last sign from the store a node may trust that nobody took its log over
 * @param sabotage none but in the simulator
 * @param horizonMicros jobs due later than this from now are left to the store and loaded again before they are due
 */
public record NodeConfig(
        String name,
        EngineConfig engine,
        int maxInboxWeight,
        int maxCallsPerTurn,
        int maxBatchFacts,
        int busyBatchFacts,
        long commitSpacingMicros,
        long flushIntervalMicros,
        long quietFlushIntervalMicros,
        int quietFlushChanges,
        int maxFlushChanges,
        long maxResidentBytes,
        long heartbeatMicros,
        long stallMicros,
        long retryMicros,
        long ownerLeaseMicros,
        Retention retention,
        Set<Sabotage> sabotage,
        long horizonMicros) {
    /** Ten minutes. */
    public static final long DEFAULT_HORIZON_MICROS = 600_000_000;

    /** A horizon that keeps all jobs in memory. */
    public static final long NO_HORIZON = Long.MAX_VALUE;

    /** With the usual horizon. */
    public NodeConfig(
            String name,
            EngineConfig engine,
            int maxInboxWeight,
            int maxCallsPerTurn,
            int maxBatchFacts,
            int busyBatchFacts,
            long commitSpacingMicros,
            long flushIntervalMicros,
            long quietFlushIntervalMicros,
            int quietFlushChanges,
            int maxFlushChanges,
            long maxResidentBytes,
            long heartbeatMicros,
            long stallMicros,
            long retryMicros,
            long ownerLeaseMicros,
            Retention retention,
            Set<Sabotage> sabotage) {
        this(
                name,
                engine,
                maxInboxWeight,
                maxCallsPerTurn,
                maxBatchFacts,
                busyBatchFacts,
                commitSpacingMicros,
                flushIntervalMicros,
                quietFlushIntervalMicros,
                quietFlushChanges,
                maxFlushChanges,
                maxResidentBytes,
                heartbeatMicros,
                stallMicros,
                retryMicros,
                ownerLeaseMicros,
                retention,
                sabotage,
                DEFAULT_HORIZON_MICROS);
    }

    public static NodeConfig named(String name) {
        return new NodeConfig(
                name,
                EngineConfig.DEFAULT,
                100_000,
                1_000,
                20_000,
                100,
                2_000,
                1_000_000,
                250_000,
                2_000,
                200_000,
                64L << 20,
                3_000_000,
                1_000_000,
                20_000,
                4_000_000,
                Retention.DEFAULT,
                Set.of());
    }

    public NodeConfig withEngine(EngineConfig other) {
        return new NodeConfig(
                name,
                other,
                maxInboxWeight,
                maxCallsPerTurn,
                maxBatchFacts,
                busyBatchFacts,
                commitSpacingMicros,
                flushIntervalMicros,
                quietFlushIntervalMicros,
                quietFlushChanges,
                maxFlushChanges,
                maxResidentBytes,
                heartbeatMicros,
                stallMicros,
                retryMicros,
                ownerLeaseMicros,
                retention,
                sabotage,
                horizonMicros);
    }

    public NodeConfig withStall(long micros) {
        return new NodeConfig(
                name,
                engine,
                maxInboxWeight,
                maxCallsPerTurn,
                maxBatchFacts,
                busyBatchFacts,
                commitSpacingMicros,
                flushIntervalMicros,
                quietFlushIntervalMicros,
                quietFlushChanges,
                maxFlushChanges,
                maxResidentBytes,
                heartbeatMicros,
                micros,
                retryMicros,
                ownerLeaseMicros,
                retention,
                sabotage,
                horizonMicros);
    }

    public NodeConfig withSabotage(Set<Sabotage> other) {
        return new NodeConfig(
                name,
                engine,
                maxInboxWeight,
                maxCallsPerTurn,
                maxBatchFacts,
                busyBatchFacts,
                commitSpacingMicros,
                flushIntervalMicros,
                quietFlushIntervalMicros,
                quietFlushChanges,
                maxFlushChanges,
                maxResidentBytes,
                heartbeatMicros,
                stallMicros,
                retryMicros,
                ownerLeaseMicros,
                retention,
                other,
                horizonMicros);
    }

    public NodeConfig withHorizon(long micros) {
        return new NodeConfig(
                name,
                engine,
                maxInboxWeight,
                maxCallsPerTurn,
                maxBatchFacts,
                busyBatchFacts,
                commitSpacingMicros,
                flushIntervalMicros,
                quietFlushIntervalMicros,
                quietFlushChanges,
                maxFlushChanges,
                maxResidentBytes,
                heartbeatMicros,
                stallMicros,
                retryMicros,
                ownerLeaseMicros,
                retention,
                sabotage,
                micros);
    }
}
