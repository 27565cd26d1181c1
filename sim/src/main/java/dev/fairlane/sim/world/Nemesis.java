package dev.fairlane.sim.world;

import dev.fairlane.runtime.LocalNode;
import dev.fairlane.sim.event.Chance;
import java.util.List;
import java.util.function.LongConsumer;

/** Breaks things, each kind of fault at its own pace, until it is told to stop. */
public final class Nemesis {
    private static final long SECOND = 1_000_000;
    private static final long LOOK_MICROS = 250_000;
    private static final int LOOKS = 40;

    private final World world;
    private final Chance chance;
    private final Cluster cluster;
    private final SimStorage storage;
    private final Network network;
    private final List<SimClient> clients;
    private final List<SimWorker> workers;
    private final LongConsumer jumpClock;
    private boolean over;

    /** @param jumpClock moves the store's clock by so many microseconds */
    public Nemesis(
            World world,
            Chance chance,
            Cluster cluster,
            SimStorage storage,
            Network network,
            List<SimClient> clients,
            List<SimWorker> workers,
            LongConsumer jumpClock) {
        this.world = world;
        this.chance = chance;
        this.cluster = cluster;
        this.storage = storage;
        this.network = network;
        this.clients = clients;
        this.workers = workers;
        this.jumpClock = jumpClock;
    }

    public void begin() {
        world.scenario().faults().forEach(this::again);
    }

    private void again(FaultKind kind, long every) {
        world.agenda().after(chance.around(every), () -> {
            if (!over) {
                strike(kind);
                again(kind, every);
            }
        });
    }

    public void stop() {
        over = true;
    }

    /** Undoes a fault when its time is up; healing the world undoes it sooner. */
    private void later(long micros, Runnable deed) {
        world.agenda().after(micros, () -> {
            if (!over) {
                deed.run();
            }
        });
    }

    private void strike(FaultKind kind) {
        switch (kind) {
            case STORE_SLOW -> {
                int factor = (int) chance.between(5, 200);
                world.say("the store gets slow, " + factor + " times");
                storage.slow(factor);
                later(chance.between(SECOND / 2, 8 * SECOND), () -> storage.slow(1));
            }
            case STORE_STALL -> {
                long micros = chance.between(SECOND, 9 * SECOND);
                world.say("the store stands still for " + micros / 1_000 + " ms");
                storage.stall(micros);
            }
            case STORE_OUTAGE -> {
                world.say("the store is out");
                storage.outage(true);
                later(chance.between(SECOND / 10, 6 * SECOND), () -> storage.outage(false));
            }
            case STORE_FAILOVER -> {
                world.say("the store fails over");
                storage.breakAll();
            }
            case CLOCK_JUMP -> {
                long most = chance.pick(List.of(SECOND / 10, 3 * SECOND, 3_600 * SECOND));
                long micros = chance.between(-most, most);
                world.say("the store's clock jumps by " + micros / 1_000 + " ms");
                jumpClock.accept(micros);
            }
            case WORKER_CRASH, WORKER_PAUSE, STREAM_BREAK -> strike(kind, chance.pick(workers));
            case PARTITION -> partition();
            case RIVAL -> {
                world.say("a rival starts");
                cluster.start();
            }
            case NODE_CRASH, NODE_PAUSE, TAKEOVER, NODE_HICCUP, STORE_CUT -> {
                SimNode owner = cluster.owner();
                if (owner != null && !owner.isPaused()) {
                    strike(kind, owner);
                }
            }
        }
    }

    private void strike(FaultKind kind, SimNode owner) {
        switch (kind) {
            case NODE_CRASH -> owner.crash();
            case NODE_PAUSE -> {
                owner.pause();
                later(chance.between(SECOND / 20, 7 * SECOND), owner::resume);
            }
            case TAKEOVER -> {
                owner.pause();
                takeOverWhenSilent(owner, LOOKS);
                later(chance.between(SECOND, 25 * SECOND), owner::resume);
            }
            case NODE_HICCUP -> owner.freeze(chance.between(10_000, 1_500_000));
            case STORE_CUT -> {
                world.say(owner + " is cut off from the store");
                storage.cutOff(owner.name);
                takeOverWhenSilent(owner, LOOKS);
                later(chance.between(SECOND, 20 * SECOND), () -> storage.reach(owner.name));
            }
            default -> throw new IllegalArgumentException("not a fault of a node: " + kind);
        }
    }

    /** Somebody watches the owner's lease in the store and takes over once it has lapsed. */
    private void takeOverWhenSilent(SimNode owner, int looks) {
        later(LOOK_MICROS, () -> {
            if (owner.isGone() || !cluster.owns(owner) || looks == 0) {
                return;
            }
            if (cluster.silentMicros(owner) > Scenario.OWNER_LEASE_MICROS) {
                cluster.start();
            } else {
                takeOverWhenSilent(owner, looks - 1);
            }
        });
    }

    private void strike(FaultKind kind, SimWorker worker) {
        if (!worker.isAlive()) {
            return;
        }
        switch (kind) {
            case WORKER_CRASH -> {
                if (chance.of(world.scenario().uses(Part.CHECKPOINTS) ? 0.7 : 0.3)) {
                    drain(worker);
                    later(chance.between(SECOND, 4 * SECOND), () -> {
                        worker.crash();
                        worker.restart();
                    });
                } else {
                    worker.crash();
                    later(chance.between(SECOND / 10, 9 * SECOND), worker::restart);
                }
            }
            case WORKER_PAUSE -> {
                worker.pause();
                later(chance.between(SECOND, 15 * SECOND), worker::resume);
            }
            case STREAM_BREAK -> worker.breakStream(chance.of(0.5));
            default -> throw new IllegalArgumentException("not a fault of a worker: " + kind);
        }
    }

    /** It drains by itself, or is told to by its node, and may hand over what it runs. */
    private void drain(SimWorker worker) {
        boolean handOver = world.scenario().uses(Part.CHECKPOINTS) && chance.of(0.7);
        SimNode owner = cluster.owner();
        LocalNode node = owner == null || chance.of(0.5) ? null : owner.local();
        if (node == null) {
            worker.drain(handOver);
        } else {
            node.drainWorker(null, worker.name, handOver);
        }
    }

    private void partition() {
        SimNode owner = cluster.owner();
        if (owner == null) {
            return;
        }
        String party = chance.of(0.5) ? chance.pick(workers).name : chance.pick(clients).name;
        boolean outward = chance.of(0.5);
        String from = outward ? owner.name : party;
        String to = outward ? party : owner.name;
        network.block(from, to);
        later(chance.between(SECOND / 5, 12 * SECOND), () -> network.unblock(from, to));
    }
}
