package dev.fairlane.sim;

import dev.fairlane.journal.memory.InMemoryStore;
import dev.fairlane.sim.event.Agenda;
import dev.fairlane.sim.event.Chance;
import dev.fairlane.sim.event.Trace;
import dev.fairlane.sim.invariant.AckedJobsExist;
import dev.fairlane.sim.invariant.AuditHolds;
import dev.fairlane.sim.invariant.BulkCancelsReachAll;
import dev.fairlane.sim.invariant.CancelReachesTheWorker;
import dev.fairlane.sim.invariant.CapsHold;
import dev.fairlane.sim.invariant.ChangesAreKept;
import dev.fairlane.sim.invariant.CheckpointsAreKept;
import dev.fairlane.sim.invariant.EndsNeverChange;
import dev.fairlane.sim.invariant.GatesHold;
import dev.fairlane.sim.invariant.GroupsAddUp;
import dev.fairlane.sim.invariant.HeartbeatsKeepLeases;
import dev.fairlane.sim.invariant.Invariant;
import dev.fairlane.sim.invariant.ListsShowWhatWasAcked;
import dev.fairlane.sim.invariant.NoStaleResult;
import dev.fairlane.sim.invariant.NoUpdateIsLost;
import dev.fairlane.sim.invariant.NodesKeepTheirHead;
import dev.fairlane.sim.invariant.NothingRunsAfterCancelled;
import dev.fairlane.sim.invariant.NothingTakenTwice;
import dev.fairlane.sim.invariant.OneJobPerKey;
import dev.fairlane.sim.invariant.OneOfAKind;
import dev.fairlane.sim.invariant.ReadsNeverGoBack;
import dev.fairlane.sim.invariant.ShownIsTrue;
import dev.fairlane.sim.invariant.TicksFireOnce;
import dev.fairlane.sim.invariant.TokensGrow;
import dev.fairlane.sim.seen.Observer;
import dev.fairlane.sim.seen.Sighting;
import dev.fairlane.sim.world.Aftermath;
import dev.fairlane.sim.world.Cluster;
import dev.fairlane.sim.world.FaultKind;
import dev.fairlane.sim.world.Nemesis;
import dev.fairlane.sim.world.Network;
import dev.fairlane.sim.world.Scenario;
import dev.fairlane.sim.world.SimClient;
import dev.fairlane.sim.world.SimStorage;
import dev.fairlane.sim.world.SimWorker;
import dev.fairlane.sim.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One world from one seed: a while in which clients ask and things break, then everything heals, every promised job has to come to
 * its end, the last node stops in good order, and what the store has kept is compared with what was seen.
 */
public final class Simulation {
    private static final long HEALED_AT_MOST_MICROS = 600_000_000;
    private static final long QUIET_MICROS = 5_000_000;
    private static final long EVENTS_AT_MOST = 600_000;
    /** For a start, and a node to hear that its clock is behind the store's. */
    private static final long SETTLES_MICROS = 15_000_000;

    private static final long SETTLES_AFTER_JUMPS_MICROS = 50_000_000;

    private final long seed;
    private final Agenda agenda = new Agenda();
    private final Trace trace;
    private final Observer observer;
    private final Scenario scenario;
    private final SimStorage storage;
    private final InMemoryStore store;
    private final Network network;
    private final Cluster cluster;
    private final List<SimClient> clients = new ArrayList<>();
    private final List<SimWorker> workers = new ArrayList<>();
    private final Nemesis nemesis;
    private long busyAt;
    private long clockOffset = Scenario.DAY_ONE_MICROS;
    private long greatestOffset = Scenario.DAY_ONE_MICROS;

    /** @param listener hears every line of the trace */
    public Simulation(long seed, @Nullable Consumer<String> listener) {
        this(seed, null, false, listener);
    }

    /**
     * @param plant the kind of world it is, or null for any
     * @param sown whether the bug is there
     * @param listener hears every line of the trace
     */
    public Simulation(long seed, @Nullable Plant plant, boolean sown, @Nullable Consumer<String> listener) {
        this.seed = seed;
        Chance chance = new Chance(seed);
        this.trace = new Trace(agenda, listener);
        this.scenario = planted(Scenario.draw(chance), plant, sown);
        this.observer = new Observer(trace, invariants());
        World world = new World(agenda, trace, observer, scenario);
        this.storage = new SimStorage(agenda, trace, chance.split(), scenario.store());
        this.store = new InMemoryStore(() -> agenda.now() + clockOffset, storage, scenario.segmentRows());
        if (plant != null && sown && plant.fault != null) {
            store.plant(plant.fault);
        }
        this.network = new Network(world, chance.split());
        this.cluster = new Cluster(world, chance.split(), storage, store);
        for (int i = 1; i <= scenario.clients(); i++) {
            clients.add(new SimClient(i, world, chance.split(), cluster, network));
        }
        for (int i = 1; i <= scenario.workers(); i++) {
            workers.add(new SimWorker("w" + i, i > 1, world, chance.split(), cluster, network));
        }
        this.nemesis = new Nemesis(world, chance.split(), cluster, storage, network, clients, workers, this::jumpClock);
    }

    private void jumpClock(long micros) {
        clockOffset += micros;
        greatestOffset = Math.max(greatestOffset, clockOffset);
    }

    private long settlesWithin() {
        return scenario.faults().containsKey(FaultKind.CLOCK_JUMP) ? SETTLES_AFTER_JUMPS_MICROS : SETTLES_MICROS;
    }

    private static Scenario planted(Scenario drawn, @Nullable Plant plant, boolean sown) {
        if (plant == null) {
            return drawn;
        }
        Scenario world = plant.where.apply(drawn);
        return sown && plant.sabotage != null
                ? world.withNode(world.node().withSabotage(Set.of(plant.sabotage)))
                : world;
    }

    private List<Invariant> invariants() {
        return List.of(
                new AckedJobsExist(),
                new EndsNeverChange(),
                new NoStaleResult(),
                new TokensGrow(),
                new OneJobPerKey(scenario.node().engine().keys().retentionMicros()),
                new NothingTakenTwice(),
                new NothingRunsAfterCancelled(agenda),
                new CancelReachesTheWorker(
                        agenda, scenario.node().engine().attempts().cancelGraceMicros()),
                new ReadsNeverGoBack(),
                new ShownIsTrue(),
                new ChangesAreKept(),
                new HeartbeatsKeepLeases(agenda),
                new ListsShowWhatWasAcked(),
                new GroupsAddUp(),
                new GatesHold(),
                new AuditHolds(),
                new CheckpointsAreKept(),
                new NoUpdateIsLost(agenda),
                new OneOfAKind(),
                new CapsHold(),
                new BulkCancelsReachAll(),
                new TicksFireOnce(() -> agenda.now() + greatestOffset, settlesWithin()),
                new NodesKeepTheirHead());
    }

    public Verdict run() {
        try (LogTap tap = LogTap.into(trace, observer)) {
            trace.say("seed " + seed + ": " + scenario);
            live();
        }
        return new Verdict(seed, trace.hash(), agenda.now(), agenda.ran(), observer.violation(), trace.last());
    }

    private void live() {
        cluster.begin();
        clients.forEach(SimClient::begin);
        workers.forEach(SimWorker::begin);
        nemesis.begin();
        agenda.at(scenario.chaosMicros(), this::heal);
        if (!until(this::quiet, scenario.chaosMicros() + HEALED_AT_MOST_MICROS)) {
            wrong("EverythingEnds", clients.stream().map(SimClient::missing).collect(Collectors.joining("; ")));
            return;
        }
        trace.say("all promised jobs have ended");
        if (!until(cluster::stop, agenda.now() + HEALED_AT_MOST_MICROS)) {
            wrong("EverythingEnds", "the nodes do not stop");
            return;
        }
        Aftermath aftermath = new Aftermath(store);
        if (until(aftermath::isKnown, agenda.now() + HEALED_AT_MOST_MICROS)) {
            observer.ended(aftermath.ending());
        } else {
            wrong("EverythingEnds", "the store cannot be read at the end");
        }
    }

    /** Nobody waits for anything, and has not for a while: a call may still have been on its way. */
    private boolean quiet() {
        if (!clients.stream().allMatch(SimClient::done)) {
            busyAt = agenda.now();
        }
        return agenda.now() > busyAt + QUIET_MICROS;
    }

    private void heal() {
        trace.say("everything heals");
        nemesis.stop();
        storage.heal();
        network.heal();
        cluster.heal();
        workers.forEach(SimWorker::heal);
        observer.saw(new Sighting.Healed());
        clients.forEach(SimClient::heal);
    }

    private void wrong(String invariant, String what) {
        if (agenda.ran() > EVENTS_AT_MOST) {
            observer.wrong("NothingSpins", "more than " + EVENTS_AT_MOST + " events; " + what);
        } else if (observer.violation() == null) {
            observer.wrong(invariant, what);
        }
    }

    /** Lets things happen until it is so; false when it does not come to that, in time or at all. */
    private boolean until(BooleanSupplier so, long deadline) {
        while (observer.violation() == null) {
            if (so.getAsBoolean()) {
                return true;
            }
            if (agenda.now() > deadline || agenda.ran() > EVENTS_AT_MOST || !agenda.next()) {
                return false;
            }
        }
        return false;
    }
}
