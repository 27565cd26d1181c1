package dev.fairlane.sim.world;

import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.journal.Retention;
import dev.fairlane.runtime.NodeConfig;
import dev.fairlane.sim.event.Chance;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What kind of world a seed gets. Each seed has only some of the faults, and its own bounds for the nodes: with everything
 * everywhere, one fault hides what another would show.
 *
 * @param node bounds of the nodes, small ones at times, so that they are reached
 * @param segmentRows rows of a segment of open jobs
 * @param chaosMicros how long clients ask and things break before everything heals
 * @param askEveryMicros mean time between a client's wishes
 * @param readers percentage of wishes that are reads before the others are chosen from
 * @param longJobs share of jobs that outlast their lease
 * @param calls how the network treats calls
 * @param store how the store treats its operations
 * @param parts what is used beyond plain jobs
 * @param faults mean time between faults of each kind that happens
 */
public record Scenario(
        NodeConfig node,
        int segmentRows,
        int clients,
        int workers,
        int slots,
        long chaosMicros,
        long askEveryMicros,
        int readers,
        double longJobs,
        double failingJobs,
        Calls calls,
        Store store,
        Set<Part> parts,
        Map<FaultKind, Long> faults) {
    private static final long SECOND = 1_000_000;
    private static final int MOSTLY = 93;
    private static final long OFTEN_MICROS = 4 * SECOND;

    /** The store's clock when the world begins. */
    public static final long DAY_ONE_MICROS = 1_700_000_000_000_000L;

    /** Keys that are forgotten while their world lasts. */
    private static final long SHORT_KEYS_MICROS = 4 * SECOND;

    private static final NodeConfig.LeavingOut NOBODY_LEFT_OUT = new NodeConfig.LeavingOut(0, 0, 1);

    /** How long an owner may go on without a sign from the store before another may take its log over. */
    public static final long OWNER_LEASE_MICROS = 4 * SECOND;

    /**
     * @param loss share of calls or answers that vanish
     * @param duplicates share of calls that arrive twice
     * @param mostMicros longest delay of a message
     */
    public record Calls(double loss, double duplicates, long mostMicros) {}

    /**
     * @param stepMicros mean time of a step
     * @param breaks share of steps before which the caller's connection breaks
     * @param ends share of steps before which the store ends the operation
     * @param crashes share of steps around which the caller's process dies
     * @param late share of operations without a caller that wait long before their next step
     */
    public record Store(long stepMicros, double breaks, double ends, double crashes, double late) {}

    public static Scenario draw(Chance chance) {
        Map<FaultKind, Long> faults = new EnumMap<>(FaultKind.class);
        for (FaultKind kind : FaultKind.values()) {
            if (chance.of(0.35)) {
                faults.put(kind, chance.between(3 * SECOND, 20 * SECOND));
            }
        }
        Set<Part> parts = EnumSet.noneOf(Part.class);
        for (Part part : Part.values()) {
            if (chance.of(part == Part.DEAD_LETTERS ? 0.5 : 0.3)) {
                parts.add(part);
            }
        }
        boolean roughNetwork = chance.of(0.5);
        boolean roughStore = chance.of(0.5);
        Scenario drawn = new Scenario(
                node(chance),
                chance.pick(List.of(3, 10, 50, 100_000)),
                (int) chance.between(1, 3),
                (int) chance.between(1, 4),
                (int) chance.between(1, 6),
                chance.between(8 * SECOND, 40 * SECOND),
                chance.between(150_000, 800_000),
                chance.pick(List.of(0, 0, MOSTLY)),
                chance.pick(List.of(0.0, 0.05, 0.3)),
                chance.pick(List.of(0.0, 0.1, 0.4)),
                roughNetwork
                        ? new Calls(chance.pick(List.of(0.0, 0.02, 0.1)), chance.pick(List.of(0.0, 0.05, 0.2)), 300_000)
                        : new Calls(0, 0, 5_000),
                new Store(
                        chance.pick(List.of(30L, 300L, 3_000L)),
                        roughStore ? chance.pick(List.of(0.0, 0.002, 0.02)) : 0,
                        roughStore ? chance.pick(List.of(0.0, 0.002, 0.02)) : 0,
                        roughStore ? chance.pick(List.of(0.0, 0.0005, 0.003)) : 0,
                        chance.pick(List.of(0.1, 0.5))),
                parts,
                faults);
        // Not of the same stream: all else is as it was before anybody was left out.
        Chance own = new Chance(drawn.chaosMicros() << 20 ^ drawn.askEveryMicros());
        return drawn.leavingOut(
                own.pick(List.of(0L, SECOND / 2, 5 * SECOND)),
                own.pick(List.of(1_000L, 1L << 30)),
                own.pick(List.of(1, 1, 100_000)));
    }

    private static NodeConfig node(Chance chance) {
        return new NodeConfig(
                "sim",
                engine(chance),
                SECOND,
                new NodeConfig.Intake(chance.pick(List.of(8, 100, 100_000)), chance.pick(List.of(1, 3, 1_000))),
                new NodeConfig.Commits(chance.pick(List.of(4, 30, 20_000)), chance.pick(List.of(1, 10, 100)), 2_000),
                new NodeConfig.Flushes(
                        chance.pick(List.of(200_000L, SECOND)),
                        chance.pick(List.of(20_000L, 250_000L, SECOND)),
                        chance.pick(List.of(3, 2_000)),
                        chance.pick(List.of(20, 200_000)),
                        NOBODY_LEFT_OUT),
                new NodeConfig.Memory(
                        chance.pick(List.of(0L, 2_000L, 64L << 20)),
                        chance.pick(List.of(0L, SECOND / 2, NodeConfig.Memory.USUAL_HORIZON_MICROS))),
                new NodeConfig.Patience(SECOND, 20_000, OWNER_LEASE_MICROS),
                Retention.DEFAULT,
                Set.of());
    }

    private static EngineConfig engine(Chance chance) {
        EngineConfig usual = EngineConfig.DEFAULT;
        return new EngineConfig(
                List.of(
                        new PoolRules(PoolRules.SHORT, 5 * SECOND, 50, 3, 12 * SECOND),
                        new PoolRules(PoolRules.MEDIUM, 9 * SECOND, 8, 2, 20 * SECOND)),
                new EngineConfig.Share(
                        usual.share().holdMicros(),
                        usual.share().minChargeMicros(),
                        usual.share().burstMicros(),
                        usual.share().agingMicros(),
                        SECOND / 5),
                new EngineConfig.Attempts(
                        List.of(SECOND / 2, SECOND, 3 * SECOND),
                        usual.attempts().retryJitter(),
                        chance.pick(List.of(3, 20)),
                        8 * SECOND,
                        3 * SECOND),
                new EngineConfig.Keys(
                        chance.of(0.2) ? SHORT_KEYS_MICROS : usual.keys().retentionMicros(),
                        chance.pick(List.of(SECOND / 5, 2 * SECOND, usual.keys().spanMicros())),
                        usual.keys().max()),
                new EngineConfig.Room(
                        usual.room().openJobs(), usual.room().openJobsPerTenant(), chance.pick(List.of(20, 20_000))),
                usual.failures(),
                usual.admission(),
                usual.moves());
    }

    public Scenario withNode(NodeConfig other) {
        return with(other, readers, parts, faults);
    }

    /** The same with these used as well. */
    public Scenario using(Part... more) {
        Set<Part> all = EnumSet.noneOf(Part.class);
        all.addAll(parts);
        all.addAll(List.of(more));
        return with(node, readers, all, faults);
    }

    /** The same with faults that happen often. */
    public Scenario often(FaultKind... kinds) {
        Map<FaultKind, Long> more = new EnumMap<>(FaultKind.class);
        more.putAll(faults);
        for (FaultKind kind : kinds) {
            more.put(kind, OFTEN_MICROS);
        }
        return with(node, readers, parts, more);
    }

    boolean uses(Part part) {
        return parts.contains(part);
    }

    /** The same with clients that mostly read. */
    public Scenario reading() {
        return with(node, MOSTLY, parts, faults);
    }

    /** The same with keys that leave memory after a moment, and clients that ask for the same again. */
    public Scenario sealing() {
        EngineConfig.Keys keys = node.engine().keys();
        return withNode(node.withEngine(
                node.engine().withKeys(new EngineConfig.Keys(keys.retentionMicros(), SECOND / 5, keys.max()))));
    }

    /** The same with nodes that leave all jobs that are not due to the store. */
    public Scenario nearSighted() {
        return withNode(node.withHorizon(0));
    }

    /** The same with nodes for which every change is a flood, and that leave out of their flushes who waits. */
    public Scenario flooded() {
        return withNode(node.withFlushes(node.flushes().withQuietChanges(1))).leavingOut(5 * SECOND, 1L << 30, 1);
    }

    private Scenario leavingOut(long micros, long maxBytes, int mostAtOnce) {
        return withNode(node.withFlushes(
                node.flushes().withLeavingOut(new NodeConfig.LeavingOut(micros, maxBytes, mostAtOnce))));
    }

    /** The same with nodes that take one call a turn and wait for the commit after a few. */
    public Scenario cramped() {
        NodeConfig.Commits commits = node.commits();
        return withNode(node.withIntake(new NodeConfig.Intake(node.intake().maxWeight(), 1))
                .withCommits(new NodeConfig.Commits(4, commits.busyFacts(), commits.spacingMicros())));
    }

    private Scenario with(
            NodeConfig otherNode, int otherReaders, Set<Part> otherParts, Map<FaultKind, Long> otherFaults) {
        return new Scenario(
                otherNode,
                segmentRows,
                clients,
                workers,
                slots,
                chaosMicros,
                askEveryMicros,
                otherReaders,
                longJobs,
                failingJobs,
                calls,
                store,
                otherParts,
                otherFaults);
    }
}
