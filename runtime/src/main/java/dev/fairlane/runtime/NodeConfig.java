package dev.fairlane.runtime;

import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.journal.Retention;
import java.util.Set;
import java.util.function.Consumer;

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
     * @param busyFacts a commit of at least this many facts counts as full load, one of half as many as half
     * @param spacingMicros under full load, and where nobody waits, least time from one commit's start to the next
     */
    public record Commits(int maxFacts, int busyFacts, long spacingMicros) {}

    /**
     * When the journal is projected.
     *
     * @param intervalMicros longest time between projections while there is something to project
     * @param quietIntervalMicros the same while less than {@code quietChanges} changed, or waiting jobs are left out
     * @param quietChanges changes below which the shorter interval holds
     * @param maxChanges changes that start a projection at once
     * @param leavingOut of waiting jobs, while more than {@code quietChanges} changed, and then while as many would in the longest time
     */
    public record Flushes(
            long intervalMicros, long quietIntervalMicros, int quietChanges, int maxChanges, LeavingOut leavingOut) {
        /** The same with the shorter interval below so many changes. */
        public Flushes withQuietChanges(int changes) {
            return new Flushes(intervalMicros, quietIntervalMicros, changes, maxChanges, leavingOut);
        }

        /** The same with others that are left out. */
        public Flushes withLeavingOut(LeavingOut other) {
            return new Flushes(intervalMicros, quietIntervalMicros, quietChanges, maxChanges, other);
        }
    }

    /**
     * Which waiting jobs stay in memory and in the journal and need not be stored yet.
     *
     * @param micros so long after they were added; 0: none
     * @param maxBytes what their specs may weigh
     * @param mostAtOnce whom one flush left out is stored by one flush; others are too until there are so many
     */
    public record LeavingOut(long micros, long maxBytes, int mostAtOnce) {
        /** A job takes about one and a half times what its spec weighs: so all together take an eighth of the heap. */
        private static final int OF_HEAP = 12;

        /** So few that a flush that stores them does not stop others for long. */
        private static final int USUAL_AT_ONCE = 100_000;

        /** As many of the last so many microseconds as the heap has room for. */
        public static LeavingOut of(long micros) {
            return new LeavingOut(micros, Runtime.getRuntime().maxMemory() / OF_HEAP, USUAL_AT_ONCE);
        }
    }

    /**
     * What is left to the store.
     *
     * @param maxResidentBytes payload bytes of stored waiting jobs kept in memory: a quarter of it for those that stay there when they are stored, the others
     *     come back when they are leased; with those that come back beside them it may be twice as much
     * @param horizonMicros jobs due later than this from now are left to the store and loaded again before they are due
     */
    public record Memory(long maxResidentBytes, long horizonMicros) {
        /** Room for those that are stored and stay. */
        long stayingBytes() {
            return maxResidentBytes / 4;
        }

        /** Room for all, with those that are about to be run. */
        long aheadBytes() {
            return 2 * maxResidentBytes;
        }

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
                new Commits(20_000, 400, 2_000),
                new Flushes(1_000_000, 250_000, 40_000, 200_000, LeavingOut.of(15_000_000)),
                new Memory(24L << 20, Memory.USUAL_HORIZON_MICROS),
                new Patience(1_000_000, 20_000, 4_000_000),
                Retention.DEFAULT,
                Set.of());
    }

    /** The same with another engine. */
    public NodeConfig withEngine(EngineConfig other) {
        return with(draft -> draft.engine = other);
    }

    /** The same with another intake. */
    public NodeConfig withIntake(Intake other) {
        return with(draft -> draft.intake = other);
    }

    /** The same with other commits. */
    public NodeConfig withCommits(Commits other) {
        return with(draft -> draft.commits = other);
    }

    /** The same with commits closer to each other or further apart; 0 where time moves only when it is told to. */
    public NodeConfig withCommitSpacing(long micros) {
        return withCommits(new Commits(commits.maxFacts, commits.busyFacts, micros));
    }

    /** The same with other flushes. */
    public NodeConfig withFlushes(Flushes other) {
        return with(draft -> draft.flushes = other);
    }

    /** The same with more or less in memory. */
    public NodeConfig withMemory(Memory other) {
        return with(draft -> draft.memory = other);
    }

    /** The same with more or less patience. */
    public NodeConfig withPatience(Patience other) {
        return with(draft -> draft.patience = other);
    }

    /** The same with another retention. */
    public NodeConfig withRetention(Retention other) {
        return with(draft -> draft.retention = other);
    }

    /** The same with these faults planted. */
    public NodeConfig withSabotage(Set<Sabotage> other) {
        return with(draft -> draft.sabotage = other);
    }

    /** The same with stalls that begin later or earlier. */
    public NodeConfig withStall(long micros) {
        return withPatience(new Patience(micros, patience.retryMicros, patience.ownerLeaseMicros));
    }

    /** The same with another horizon. */
    public NodeConfig withHorizon(long micros) {
        return withMemory(new Memory(memory.maxResidentBytes, micros));
    }

    private NodeConfig with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.config();
    }

    /** What may differ from one configuration to the next. */
    private static final class Draft {
        private final NodeConfig from;
        private EngineConfig engine;
        private Intake intake;
        private Commits commits;
        private Flushes flushes;
        private Memory memory;
        private Patience patience;
        private Retention retention;
        private Set<Sabotage> sabotage;

        Draft(NodeConfig from) {
            this.from = from;
            engine = from.engine;
            intake = from.intake;
            commits = from.commits;
            flushes = from.flushes;
            memory = from.memory;
            patience = from.patience;
            retention = from.retention;
            sabotage = from.sabotage;
        }

        NodeConfig config() {
            return new NodeConfig(
                    from.name,
                    engine,
                    from.heartbeatMicros,
                    intake,
                    commits,
                    flushes,
                    memory,
                    patience,
                    retention,
                    sabotage);
        }
    }
}
