package dev.fairlane.runtime;

import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.shard.Engine;
import dev.fairlane.core.shard.EngineStats;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Publishes a picture of the node now and then, so that looking costs the loop nothing. */
final class StatusBoard {
    private static final long EVERY_MICROS = 500_000;
    /** Pictures are not taken faster, however many ask: each takes the loop a moment. */
    private static final long SOONEST_MICROS = 100_000;

    private final String node;
    private final long epoch;
    private final long startedAt;
    private final StrandedWatch stranded;
    private final List<CompletableFuture<NodeStatus>> asked = new ArrayList<>();
    private long publishedAt;
    private long nextAt;
    private volatile @Nullable NodeStatus latest;

    StatusBoard(String node, long epoch, long startedAt, Engine engine) {
        this.stranded = new StrandedWatch(engine);
        this.node = node;
        this.epoch = epoch;
        this.startedAt = startedAt;
    }

    long nextAt() {
        return nextAt;
    }

    NodeStatus latest() {
        NodeStatus status = latest;
        if (status == null) {
            throw new IllegalStateException("no status was published yet");
        }
        return status;
    }

    /** Whoever asks is told when the next picture is taken, soon. */
    void ask(CompletableFuture<NodeStatus> reply) {
        asked.add(reply);
        nextAt = Math.min(nextAt, publishedAt + SOONEST_MICROS);
    }

    private void tell(NodeStatus status) {
        asked.forEach(reply -> reply.complete(status));
        asked.clear();
    }

    /** The node is over, which is seen even if no further picture can be taken. */
    void over(NodeStatus.State state) {
        latest = latest().in(state);
        tell(latest());
    }

    void publish(NodeLoop loop, long now) {
        publishedAt = now;
        nextAt = now + EVERY_MICROS;
        EngineStats stats = loop.engine.stats(now);
        List<NodeStatus.PoolStatus> pools = new ArrayList<>();
        for (EngineStats.PoolStats pool : stats.pools()) {
            long oldest = pool.oldestQueuedAt() == 0 ? 0 : Math.max(0, now - pool.oldestQueuedAt());
            pools.add(new NodeStatus.PoolStatus(
                    pool.pool(),
                    pool.waiting(),
                    pool.running(),
                    pool.slots(),
                    oldest,
                    loop.handOvers.counts(pool.pool())));
        }
        List<NodeStatus.TenantStatus> tenants = new ArrayList<>();
        for (EngineStats.TenantStats use : stats.tenants()) {
            Tenant tenant = loop.engine.tenant(use.tenant());
            if (tenant != null) {
                tenants.add(new NodeStatus.TenantStatus(
                        tenant.name(),
                        tenant.weight(),
                        use.waiting(),
                        use.scheduled(),
                        use.running(),
                        use.slotSeconds(),
                        use.completed()));
            }
        }
        List<NodeStatus.WorkerStatus> workers = new ArrayList<>();
        for (Sessions.Session session : loop.sessions.all()) {
            Tenant tenant = session.offer.scope() == null ? null : loop.engine.tenant(session.offer.scope());
            workers.add(new NodeStatus.WorkerStatus(
                    session.offer.worker(),
                    tenant == null ? "" : tenant.name(),
                    session.offer.types(),
                    session.offer.slotsByPool(),
                    loop.engine.running(session.id),
                    now - session.lastSeenAt,
                    session.draining,
                    session.offer.resources(),
                    session.offer.tags()));
        }
        NodeStatus status = new NodeStatus(
                node,
                loop.state(),
                epoch,
                startedAt,
                now,
                loop.commit.committed(),
                loop.flusher.flushed(),
                loop.meters.counters(loop.flusher),
                pools,
                tenants,
                workers,
                loop.meters.pickups(),
                loop.meters.deadLetters(),
                loop.engine.guardStats(),
                loop.meters.noticed(),
                stranded.look(now),
                loop.ticking.status(now),
                loop.far.status(now));
        latest = status;
        tell(status);
    }
}
