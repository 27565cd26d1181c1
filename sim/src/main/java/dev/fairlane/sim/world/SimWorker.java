package dev.fairlane.sim.world;

import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.runtime.LeaseRef;
import dev.fairlane.runtime.WorkerSession;
import dev.fairlane.runtime.WorkerStream;
import dev.fairlane.sim.event.Chance;
import dev.fairlane.sim.seen.Kinds;
import dev.fairlane.sim.seen.StreamRef;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A worker that keeps the rules of the SDK's: it lists what it holds when it connects, heartbeats, stops what it cannot renew by its own
 * clock, keeps outcomes until they are acked, and tells them again after a reconnect. It also crashes and gets stuck.
 */
public final class SimWorker {
    private static final long TICK_MICROS = 100_000;
    private static final long WELCOME_MICROS = 3_000_000;
    private static final long STARTED_AFTER_MICROS = 50_000;
    private static final int UNHEARD_BEATS = 3;
    /** Where there is something to save. */
    private static final double LEAST_LONG = 0.15;
    /** Where dead letters are to be found. */
    private static final double LEAST_FAILING = 0.3;

    final String name;
    private final World world;
    private final Chance chance;
    private final Cluster cluster;
    private final Network network;
    private final @Nullable TenantId scope;
    private final List<String> types;
    private final Savings savings;
    private final Map<LeaseRef, Execution> held = new LinkedHashMap<>();
    private final Deque<Runnable> unread = new ArrayDeque<>();
    private final Map<Long, Long> sentAt = new HashMap<>();
    private @Nullable SimStream stream;
    private int life = 1;
    private int streams;
    private boolean alive = true;
    private boolean paused;
    private boolean welcomed;
    private boolean draining;
    private boolean healed;
    private long connectAt;
    private long connectedAt;
    private long lastBeat;
    private long confirmedBeat;
    private long nextBeatAt;
    private long beatMicros = 1_000_000;

    /** @param picky it may run the jobs of one tenant or one type only */
    public SimWorker(String name, boolean picky, World world, Chance chance, Cluster cluster, Network network) {
        this.name = name;
        this.scope = picky && chance.of(0.3) ? new TenantId((int) chance.between(1, 3)) : null;
        this.types = picky && chance.of(0.3) ? List.of(chance.pick(SimClient.PLAIN)) : SimClient.TYPES;
        this.world = world;
        this.chance = chance;
        this.cluster = cluster;
        this.network = network;
        this.savings = new Savings(name, world, chance, cluster, network);
    }

    public void begin() {
        int mine = life;
        world.agenda().after(chance.between(1, TICK_MICROS), () -> tick(mine));
    }

    private void tick(int mine) {
        if (!alive || mine != life) {
            return;
        }
        world.agenda().after(TICK_MICROS, () -> tick(mine));
        if (!paused) {
            look();
        }
    }

    private void look() {
        long now = world.now();
        if (stream == null) {
            if (now >= connectAt) {
                connect();
            }
        } else if (!welcomed) {
            if (now - connectedAt > WELCOME_MICROS) {
                drop("no welcome");
            }
        } else if (unheard(now)) {
            drop("heartbeats are not answered");
        } else if (now >= nextBeatAt) {
            long beat = nextBeat();
            stream.heartbeat(listed(beat), beat);
        }
        List.copyOf(held.values()).forEach(this::scan);
    }

    private void scan(Execution execution) {
        long now = world.now();
        if (!execution.running()) {
            return;
        }
        if (execution.ranOut(now)) {
            world.say(name + " stops " + execution.ref.id() + ": its lease ran out");
            held.remove(execution.ref);
        } else if (now > execution.limitAt && chance.of(0.5)) {
            end(execution, () -> execution.fail(Failure.of(FailureClass.TIMEOUT, "over its time limit")));
        } else if (!execution.startedSent
                && now - execution.receivedAt > STARTED_AFTER_MICROS
                && welcomed
                && stream != null) {
            execution.startedSent = true;
            stream.report(new WorkerSession.Report(List.of(execution.ref), List.of(), List.of()));
        }
    }

    // ---- its stream

    private void connect() {
        SimNode node = cluster.route(chance);
        connectAt = world.now() + chance.between(50_000, 500_000);
        if (node == null || network.blocked(name, node.name)) {
            return;
        }
        StreamRef ref = new StreamRef(++streams, node.name, name, life);
        SimStream opened = new SimStream(ref, world, chance.split(), cluster, network, node, this);
        stream = opened;
        welcomed = false;
        connectedAt = world.now();
        long beat = nextBeat();
        Map<String, Integer> slots = Map.of(PoolRules.SHORT, world.scenario().slots(), PoolRules.MEDIUM, 2);
        opened.hello(new WorkerOffer(name, scope, types, slots), listed(beat));
    }

    private List<LeaseRef> listed(long beat) {
        for (Execution execution : held.values()) {
            if (execution.firstBeat == 0) {
                execution.firstBeat = beat;
            }
        }
        return List.copyOf(held.keySet());
    }

    private long nextBeat() {
        sentAt.put(++lastBeat, world.now());
        nextBeatAt = world.now() + beatMicros;
        return lastBeat;
    }

    private boolean unheard(long now) {
        return lastBeat > confirmedBeat
                && now - sentAt.getOrDefault(confirmedBeat + 1, now) > UNHEARD_BEATS * beatMicros;
    }

    private void drop(String why) {
        if (stream != null) {
            world.say(name + " drops its stream: " + why);
            stream.close();
            lost();
        }
    }

    /** Something came over a stream; it is read when the worker gets to it, if the stream is still its own. */
    void hear(SimStream from, Runnable news) {
        if (!listensTo(from)) {
            return;
        }
        if (paused) {
            unread.add(() -> hear(from, news));
        } else {
            news.run();
        }
    }

    boolean listensTo(SimStream other) {
        return alive && other == stream;
    }

    void lost() {
        stream = null;
        welcomed = false;
        connectAt = world.now() + chance.between(10_000, 800_000);
    }

    void welcomed(long heartbeatMicros, List<LeaseRef> revoked) {
        welcomed = true;
        beatMicros = heartbeatMicros;
        revoked.forEach(held::remove);
        confirm(lastBeat);
        held.values().forEach(this::tell);
        if (draining && stream != null) {
            stream.drain();
        }
    }

    void beatAcked(long number, List<LeaseRef> revoked) {
        revoked.forEach(held::remove);
        confirm(number);
    }

    /** What that heartbeat listed is renewed from the moment it was sent. */
    private void confirm(long number) {
        confirmedBeat = Math.max(confirmedBeat, number);
        long sent = sentAt.getOrDefault(number, 0L);
        for (Execution execution : held.values()) {
            if (execution.firstBeat != 0 && execution.firstBeat <= number) {
                execution.leaseEndAt = Math.max(execution.leaseEndAt, sent + execution.leaseMicros);
            }
        }
    }

    void acked(List<WorkerStream.Ack> acks) {
        for (WorkerStream.Ack ack : acks) {
            Execution execution = held.get(ack.lease());
            if (execution != null && (ack.revoked() || !execution.running())) {
                held.remove(ack.lease());
            }
        }
    }

    // ---- its jobs

    void leased(List<WorkerStream.Granted> leases) {
        for (WorkerStream.Granted lease : leases) {
            Execution execution = new Execution(lease, world.now());
            if (held.putIfAbsent(execution.ref, execution) == null) {
                boolean hangs = !healed && chance.of(0.01);
                boolean takesLong = !healed && chance.of(longJobs());
                if (takesLong && world.scenario().uses(Part.CHECKPOINTS)) {
                    saveLater(execution);
                }
                if (!hangs) {
                    after(takesLong ? chance.between(5_000_000, 15_000_000) : chance.around(100_000), execution);
                }
            }
        }
    }

    private double longJobs() {
        double least = world.scenario().uses(Part.CHECKPOINTS) ? LEAST_LONG : 0;
        return Math.max(least, world.scenario().longJobs());
    }

    private void after(long micros, Execution execution) {
        int mine = life;
        world.agenda().after(micros, () -> {
            if (mine == life) {
                whenRunning(() -> finish(execution));
            }
        });
    }

    /** A zombie that wakes saves first and looks at the clock later. */
    private void saveLater(Execution execution) {
        int mine = life;
        world.agenda().after(savings.next(), () -> {
            if (mine == life) {
                whenRunning(() -> {
                    if (execution.running() && held.get(execution.ref) == execution) {
                        savings.save(execution);
                        saveLater(execution);
                    }
                });
            }
        });
    }

    private void whenRunning(Runnable deed) {
        if (paused) {
            unread.add(deed);
        } else {
            deed.run();
        }
    }

    private void finish(Execution execution) {
        end(execution, () -> {
            double least = world.scenario().uses(Part.DEAD_LETTERS) ? LEAST_FAILING : 0;
            if (chance.of(Math.max(least, world.scenario().failingJobs()))) {
                execution.fail(someFailure());
            } else {
                execution.succeed();
            }
        });
    }

    private Failure someFailure() {
        if (world.scenario().uses(Part.DEAD_LETTERS) && chance.of(0.6)) {
            return Failure.of(FailureClass.NON_RETRYABLE, "failed for good");
        }
        FailureClass kind = chance.pick(List.of(
                FailureClass.APP_ERROR,
                FailureClass.APP_ERROR,
                FailureClass.APP_ERROR,
                FailureClass.NON_RETRYABLE,
                FailureClass.RATE_LIMITED,
                FailureClass.WORKER_CRASH));
        return new Failure(kind, "failed on purpose", "", kind == FailureClass.RATE_LIMITED ? 300_000 : 0);
    }

    private void end(Execution execution, Runnable outcome) {
        if (execution.running() && held.get(execution.ref) == execution) {
            outcome.run();
            tell(execution);
        }
    }

    private void tell(Execution execution) {
        WorkerSession.Report report = execution.outcome();
        if (report != null && stream != null && welcomed) {
            stream.report(report);
        }
    }

    void cancelled(List<LeaseRef> leases) {
        for (LeaseRef lease : leases) {
            Execution execution = held.get(lease);
            if (execution != null && execution.running() && !execution.cancelled) {
                execution.cancelled = true;
                if (chance.of(0.7)) {
                    int mine = life;
                    world.agenda().after(chance.around(100_000), () -> {
                        if (mine == life) {
                            whenRunning(() -> end(
                                    execution,
                                    () -> execution.fail(Failure.of(FailureClass.NON_RETRYABLE, "was cancelled"))));
                        }
                    });
                }
            }
        }
    }

    // ---- what happens to it

    boolean isAlive() {
        return alive;
    }

    /** The process is gone, and with it everything it held; it may be started again. */
    void crash() {
        world.say(name + " crashes, holding " + held.size());
        alive = false;
        life++;
        held.clear();
        unread.clear();
        sentAt.clear();
        confirmedBeat = lastBeat;
        paused = false;
        draining = false;
        SimStream broken = stream;
        stream = null;
        welcomed = false;
        if (broken != null) {
            broken.close();
        }
    }

    void restart() {
        if (!alive) {
            world.say(name + " starts again");
            alive = true;
            begin();
        }
    }

    void pause() {
        if (alive) {
            world.say(name + " is paused, holding " + held.size());
            paused = true;
        }
    }

    /** It wakes and goes on where it was: with its old leases, before it looks at the clock. */
    void resume() {
        if (paused) {
            world.say(name + " wakes");
            paused = false;
            while (!unread.isEmpty() && !paused) {
                unread.removeFirst().run();
            }
        }
    }

    /** It takes nothing new until it is restarted or healed. */
    void drain(boolean handOver) {
        if (healed) {
            drop("it takes jobs again");
        } else if (alive && stream != null && welcomed) {
            world.say(name + " drains" + (handOver ? " and hands over" : ""));
            draining = true;
            stream.drain();
            if (handOver) {
                List.copyOf(held.values()).forEach(this::handOver);
            }
        }
    }

    /** These are asked to make room. */
    void handOver(List<LeaseRef> leases) {
        for (LeaseRef lease : leases) {
            Execution execution = held.get(lease);
            if (execution != null) {
                world.say(name + " is asked to hand over " + lease.id());
                handOver(execution);
            }
        }
    }

    private void handOver(Execution execution) {
        // When an execution that was handed over ended is not told by its job: capped ones are counted by that.
        if (!execution.type.equals(Kinds.CAPPED) && chance.of(0.8)) {
            end(execution, execution::handOver);
        }
    }

    void breakStream(boolean flushed) {
        if (stream != null) {
            stream.breakUp(flushed);
        }
    }

    public void heal() {
        healed = true;
        resume();
        if (draining) {
            draining = false;
            drop("it takes jobs again");
        }
        restart();
    }
}
