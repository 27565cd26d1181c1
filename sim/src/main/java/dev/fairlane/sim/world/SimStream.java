package dev.fairlane.sim.world;

import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.runtime.LeaseRef;
import dev.fairlane.runtime.LocalNode;
import dev.fairlane.runtime.WorkerSession;
import dev.fairlane.runtime.WorkerStream;
import dev.fairlane.sim.event.Chance;
import dev.fairlane.sim.seen.Sighting;
import dev.fairlane.sim.seen.StreamRef;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A worker's stream to a node, with a network in between. Either end may learn late that it is broken. */
final class SimStream implements WorkerStream {
    /** Longest it takes until an end notices that the other is gone. */
    private static final long NOTICE_MICROS = 6_000_000;

    final StreamRef ref;
    private final World world;
    private final Chance chance;
    private final Cluster cluster;
    private final SimNode node;
    private final SimWorker worker;
    private final Pipe toNode;
    private final Pipe toWorker;
    private final Map<Long, List<LeaseRef>> beats = new HashMap<>();
    private final Set<LeaseRef> successes = new HashSet<>();
    private @Nullable WorkerSession session;
    private boolean greeted;
    private boolean broken;

    SimStream(
            StreamRef ref,
            World world,
            Chance chance,
            Cluster cluster,
            Network network,
            SimNode node,
            SimWorker worker) {
        this.ref = ref;
        this.world = world;
        this.chance = chance;
        this.cluster = cluster;
        this.node = node;
        this.worker = worker;
        this.toNode = new Pipe(world, network, worker.name, node.name);
        this.toWorker = new Pipe(world, network, node.name, worker.name);
        node.add(this);
    }

    // ---- the worker's end

    void hello(WorkerOffer offer, List<LeaseRef> held) {
        toNode.send(() -> {
            LocalNode local = node.local();
            if (local == null) {
                breakUp(false);
                return;
            }
            world.say(ref + " hello, holds " + held.size());
            beats.put(0L, held);
            world.observer().saw(new Sighting.BeatArrived(ref, cluster.owns(node), held));
            session = local.connect(offer, held, this);
        });
    }

    void report(WorkerSession.Report report) {
        toNode.send(() -> {
            if (session != null && node.local() != null) {
                report.succeeded().forEach(success -> arrived(success.lease(), true));
                report.failed().forEach(failed -> arrived(failed.lease(), false));
                report.handedOver().forEach(lease -> arrived(lease, false));
                session.report(report);
            }
        });
    }

    private void arrived(LeaseRef lease, boolean success) {
        if (success) {
            successes.add(lease);
        }
        world.say(ref + (success ? " success of " : " failure of ") + brief(lease));
        world.observer().saw(new Sighting.ResultArrived(ref, lease, success));
    }

    void heartbeat(List<LeaseRef> held, long number) {
        toNode.send(() -> {
            if (session != null && node.local() != null) {
                beats.put(number, held);
                world.observer().saw(new Sighting.BeatArrived(ref, cluster.owns(node), held));
                session.heartbeat(held, number);
            }
        });
    }

    void drain() {
        toNode.send(() -> {
            if (session != null) {
                session.drain();
            }
        });
    }

    /** The worker lets go of it; the node hears of that sooner or later, perhaps after what is still under way. */
    void close() {
        toWorker.cut();
        if (chance.of(0.5)) {
            toNode.finish();
        } else {
            toNode.cut();
        }
        tellNode();
    }

    // ---- the node's end

    @Override
    public void welcome(long heartbeatMicros, List<LeaseRef> revoked) {
        greeted = true;
        node.send(() -> {
            world.say(ref + " welcome, revoked " + revoked.size());
            long leftAt = world.now();
            toWorker.send(() -> {
                answered(0, revoked, leftAt);
                worker.hear(this, () -> worker.welcomed(heartbeatMicros, revoked));
            });
        });
    }

    @Override
    public void leases(List<Granted> leases) {
        LocalNode local = node.local();
        if (local == null) {
            return;
        }
        long nodeNow = local.now();
        long decided = world.now();
        node.send(() -> {
            long leftAt = world.now();
            toWorker.send(() -> {
                if (!worker.listensTo(this)) {
                    return;
                }
                for (Granted lease : leases) {
                    long age = nodeNow - lease.status().leasedAt();
                    world.say(ref + " lease of "
                            + brief(new LeaseRef(
                                    lease.spec().id(), lease.status().token())));
                    long validUntil = decided + lease.leaseMicros() - age;
                    if (world.now() < validUntil) {
                        world.observer().saw(new Sighting.LeaseHeard(ref, lease, leftAt, validUntil));
                    }
                }
                worker.hear(this, () -> worker.leased(leases));
            });
        });
    }

    @Override
    public void acks(List<Ack> acks) {
        node.send(() -> {
            for (Ack ack : acks) {
                world.say(ref + (ack.revoked() ? " revoked " : " acked ") + brief(ack.lease()));
                world.observer()
                        .saw(new Sighting.ResultAnswered(
                                ref, ack.lease(), successes.contains(ack.lease()), ack.revoked()));
            }
            toWorker.send(() -> worker.hear(this, () -> worker.acked(acks)));
        });
    }

    @Override
    public void cancels(List<LeaseRef> leases) {
        node.send(() -> {
            toWorker.send(() -> {
                leases.forEach(lease -> {
                    world.say(ref + " cancel " + brief(lease));
                    world.observer().saw(new Sighting.CancelHeard(ref, lease));
                });
                worker.hear(this, () -> worker.cancelled(leases));
            });
        });
    }

    @Override
    public void heartbeatAck(long number, List<LeaseRef> revoked) {
        node.send(() -> {
            long leftAt = world.now();
            toWorker.send(() -> {
                answered(number, revoked, leftAt);
                worker.hear(this, () -> worker.beatAcked(number, revoked));
            });
        });
    }

    private void answered(long number, List<LeaseRef> revoked, long leftAt) {
        List<LeaseRef> held = beats.remove(number);
        if (held != null) {
            world.observer().saw(new Sighting.BeatAckHeard(ref, held, revoked, leftAt));
        }
    }

    @Override
    public void drain(boolean handOver) {
        if (!greeted) {
            world.observer().saw(new Sighting.Trouble(node.name, "told " + ref + " to drain before its welcome"));
        }
        node.send(() -> toWorker.send(() -> worker.hear(this, () -> worker.drain(handOver))));
    }

    @Override
    public void handOvers(List<LeaseRef> leases) {
        if (!greeted) {
            world.observer().saw(new Sighting.Trouble(node.name, "asked " + ref + " to hand over before its welcome"));
        }
        node.send(() -> toWorker.send(() -> worker.hear(this, () -> worker.handOver(leases))));
    }

    @Override
    public void ended(String reason) {
        node.send(() -> {
            world.say(ref + " ended: " + reason);
            node.remove(this);
            toWorker.send(() -> worker.hear(this, worker::lost));
        });
    }

    // ---- the way between

    /** @param flushed what the worker has sent still arrives */
    void breakUp(boolean flushed) {
        if (broken) {
            return;
        }
        broken = true;
        world.say(ref + " breaks");
        toWorker.cut();
        if (flushed) {
            toNode.finish();
        } else {
            toNode.cut();
        }
        tellNode();
        tellWorker();
    }

    /** The node's process is gone. */
    void nodeGone() {
        broken = true;
        toNode.cut();
        toWorker.finish();
        tellWorker();
    }

    private void tellNode() {
        node.remove(this);
        world.agenda().after(noticeMicros(), () -> {
            toNode.cut();
            if (session != null && node.local() != null) {
                session.close();
            }
        });
    }

    private void tellWorker() {
        world.agenda().after(noticeMicros(), () -> worker.hear(this, worker::lost));
    }

    private long noticeMicros() {
        return chance.of(0.7) ? chance.between(1, 20_000) : chance.between(1, NOTICE_MICROS);
    }

    private static String brief(LeaseRef lease) {
        return lease.id() + "/" + lease.token();
    }
}
