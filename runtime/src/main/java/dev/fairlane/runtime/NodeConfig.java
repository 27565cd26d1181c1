package dev.fairlane.runtime;

import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.journal.Retention;
import java.util.Set;

/**
 * The bounds and paces of a node.
 *
 * @param name of the node, as people see it
 * @param heartbeatMicros how often workers report what they hold
 * @param sabotage none but in the simulator
 */
public record NodeConfig(
        String name,
        EngineConfig engine,
        long heartbeatMicros,
        Intake intake,
        Commits commits,
        Flushes flushes,
        Memory memory,
        Patience patience,
        Retention retention,
        Set<Sabotage> sabotage) {
    /**
     * What the loop takes.
     *
     * @param maxWeight jobs and results waiting before the loop; over it calls are answered OVERLOADED
     * @param maxCallsPerTurn calls taken in one turn
     */
    public record Intake(int maxWeight, int maxCallsPerTurn) {}

    /**
     * When a commit starts.
     *
     * @param maxFacts facts gathered before further calls wait for the commit under way
     * @param busyFacts a commit of at least this many facts counts as load
     * @param spacingMicros under load, least time from one commit's start to the next
     */
    public record Commits(int maxFacts, int busyFacts, long spacingMicros) {}

    /**
     * When the journal is projected.
     *
     * @param intervalMicros longest time between projections while there is something to project
     * @param quietIntervalMicros the same while less than {@code quietChanges} changed
     * @param quietChanges changes below which the shorter interval holds
     * @param maxChanges changes that start a projection at once
     */
    public record Flushes(long intervalMicros, long quietIntervalMicros, int quietChanges, int maxChanges) {
        /** The same with the shorter interval below so many changes. */
        public Flushes withQuietChanges(int changes) {
            return new Flushes(intervalMicros, quietIntervalMicros, changes, maxChanges);
        }
    }

    /**
     * What is left to the store.
     *
     * @param maxResidentBytes payload bytes of stored waiting jobs kept in memory; over it they stay in the store until leased
     * @param horizonMicros jobs due later than this from now are left to the store and loaded again before they are due
     */
    public record Memory(long maxResidentBytes, long horizonMicros) {
        /** Ten minutes. */
        public static final long USUAL_HORIZON_MICROS = 600_000_000;

        /** A horizon that keeps all jobs in memory. */
        public static final long NO_HORIZON = Long.MAX_VALUE;
    }

    /**
     * How long silence is borne.
     *
     * @param stallMicros a gap between turns that counts as a stall: all live leases get their full length again
     * @param retryMicros first wait before a failed commit or flush is sent again; doubles up to 1 s
     * @param ownerLeaseMicros how long after its last sign from the store a node may trust that nobody took its log over
     */
    public record Patience(long stallMicros, long retryMicros, long ownerLeaseMicros) {}

    /** With the usual numbers. */
    public static NodeConfig named(String name) {
        return new NodeConfig(
                name,
                EngineConfig.DEFAULT,
                3_000_000,
                new Intake(100_000, 1_000),
                new Commits(20_000, 100, 2_000),
                new Flushes(1_000_000, 250_000, 2_000, 200_000),
                new Memory(64L << 20, Memory.USUAL_HORIZON_MICROS),
                new Patience(1_000_000, 20_000, 4_000_000),
                Retention.DEFAULT,
                Set.of());
    }

    /** The same with another engine. */
    public NodeConfig withEngine(EngineConfig other) {
        return new NodeConfig(
                name, other, heartbeatMicros, intake, commits, flushes, memory, patience, retention, sabotage);
    }

    /** The same with another intake. */
    public NodeConfig withIntake(Intake other) {
        return new NodeConfig(
                name, engine, heartbeatMicros, other, commits, flushes, memory, patience, retention, sabotage);
    }

    /** The same with other commits. */
    public NodeConfig withCommits(Commits other) {
        return new NodeConfig(
                name, engine, heartbeatMicros, intake, other, flushes, memory, patience, retention, sabotage);
    }

    /** The same with other flushes. */
    public NodeConfig withFlushes(Flushes other) {
        return new NodeConfig(
                name, engine, heartbeatMicros, intake, commits, other, memory, patience, retention, sabotage);
    }

    /** The same with more or less in memory. */
    public NodeConfig withMemory(Memory other) {
        return new NodeConfig(
                name, engine, heartbeatMicros, intake, commits, flushes, other, patience, retention, sabotage);
    }

    /** The same with more or less patience. */
    public NodeConfig withPatience(Patience other) {
        return new NodeConfig(
                name, engine, heartbeatMicros, intake, commits, flushes, memory, other, retention, sabotage);
    }

    /** The same with another retention. */
    public NodeConfig withRetention(Retention other) {
        return new NodeConfig(
                name, engine, heartbeatMicros, intake, commits, flushes, memory, patience, other, sabotage);
    }

    /** The same with these faults planted. */
    public NodeConfig withSabotage(Set<Sabotage> other) {
        return new NodeConfig(
                name, engine, heartbeatMicros, intake, commits, flushes, memory, patience, retention, other);
    }

    /** The same with stalls that begin later or earlier. */
    public NodeConfig withStall(long micros) {
        return withPatience(new Patience(micros, patience.retryMicros, patience.ownerLeaseMicros));
    }

    /** The same with another horizon. */
    public NodeConfig withHorizon(long micros) {
        return withMemory(new Memory(memory.maxResidentBytes, micros));
    }
}
