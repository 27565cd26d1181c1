package dev.fairlane.runtime;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Command.LeaseEnd;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.Refusal;
import dev.fairlane.core.model.ReservedTypes;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.core.shard.Engine;
import dev.fairlane.core.shard.HeldLease;
import dev.fairlane.core.shard.JobSnapshot;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The workers that are connected. All of it is soft: after a restart workers connect again, list what they hold, and go on; what
 * they do not list is queued again at once. Owned by the loop.
 */
final class Sessions {
    private final Engine engine;
    private final Map<Integer, Session> byId = new LinkedHashMap<>();
    private final Map<Name, Session> byName = new HashMap<>();

    /** Names are a tenant's own, and those of workers for all tenants their own. */
    private record Name(@Nullable TenantId scope, String worker) {
        static Name of(WorkerOffer offer) {
            return new Name(offer.scope(), offer.worker());
        }
    }

    Sessions(Engine engine) {
        this.engine = engine;
    }

    /**
     * Attaches a worker.
     *
     * @param decide takes the expiry of leases that the worker turned out not to hold
     * @return of what it listed, what is no longer its own; null if the worker was refused and told so
     */
    @Nullable Renewal open(
            int id, WorkerOffer offer, List<LeaseRef> held, WorkerStream stream, long now, Consumer<Command> decide) {
        Refusal refusal = engine.openSession(id, offer, now);
        if (refusal != null) {
            stream.refused(refusal);
            return null;
        }
        Session before = byName.get(Name.of(offer));
        if (before != null) {
            before.stream.ended("the worker connected again");
            close(before.id);
        }
        Session session = new Session(id, offer, stream, now);
        byId.put(id, session);
        byName.put(Name.of(offer), session);
        Renewal renewal = renew(session, held, now);
        Set<Long> listed = new HashSet<>();
        held.forEach(lease -> listed.add(lease.token()));
        for (HeldLease lease : engine.leasesOf(offer.scope(), offer.worker())) {
            if (!listed.contains(lease.token())) {
                decide.accept(new Command.ExpireLease(lease.id(), lease.token(), LeaseEnd.LOST_BY_WORKER));
            }
        }
        return renewal;
    }

    /** Of what it listed, what is no longer its own. */
    Renewal heartbeat(int id, List<LeaseRef> held, long now) {
        Session session = byId.get(id);
        return session == null ? Renewal.NOTHING : renew(session, held, now);
    }

    /** Whether the lease lives on and is asked to stop. */
    boolean cancelled(LeaseRef lease) {
        JobSnapshot job = engine.job(lease.id());
        return job != null && job.status().cancelRequested() && job.status().token() == lease.token();
    }

    void drain(int id) {
        Session session = byId.get(id);
        if (session != null) {
            session.draining = true;
            engine.drainSession(id);
        }
    }

    /**
     * Tells a worker to go.
     *
     * @param later what is said to it waits its turn behind what it was told before, its welcome not least
     * @return how many jobs it runs
     */
    int orderDrain(Session session, boolean handOver, Consumer<GroupCommit.Effect> later) {
        session.draining = true;
        session.ordered = true;
        session.orderedToHandOver |= handOver;
        engine.drainSession(session.id);
        later.accept(() -> session.stream.drain(handOver));
        return engine.running(session.id);
    }

    /** The tenant's connected worker of this name; of an operator, who has no scope, all there are, but for the server's own. */
    List<Session> find(@Nullable TenantId scope, String worker) {
        if (scope != null) {
            Session session = byName.get(new Name(scope, worker));
            return session == null ? List.of() : List.of(session);
        }
        return byId.values().stream()
                .filter(session -> session.offer.worker().equals(worker) && !worker.equals(ReservedTypes.WORKER))
                .toList();
    }

    void close(int id) {
        Session session = byId.remove(id);
        if (session != null) {
            byName.remove(Name.of(session.offer), session);
            engine.closeSession(id);
        }
    }

    void touch(int id, long now) {
        Session session = byId.get(id);
        if (session != null) {
            session.lastSeenAt = now;
        }
    }

    @Nullable WorkerStream stream(int id) {
        Session session = byId.get(id);
        return session == null ? null : session.stream;
    }

    void endAll(String reason) {
        List.copyOf(byId.values()).forEach(session -> {
            session.stream.ended(reason);
            close(session.id);
        });
    }

    Iterable<Session> all() {
        return byId.values();
    }

    private Renewal renew(Session session, List<LeaseRef> held, long now) {
        session.lastSeenAt = now;
        int n = held.size();
        if (n == 0) {
            return Renewal.NOTHING;
        }
        long[] ids = new long[n];
        long[] tokens = new long[n];
        for (int i = 0; i < n; i++) {
            ids[i] = held.get(i).id().lo();
            tokens[i] = held.get(i).token();
        }
        BitSet stale = engine.renew(session.id, ids, tokens, n, now);
        if (stale.isEmpty()) {
            return Renewal.NOTHING;
        }
        List<LeaseRef> revoked = new ArrayList<>();
        List<LeaseRef> ended = new ArrayList<>();
        for (int i = stale.nextSetBit(0); i >= 0; i = stale.nextSetBit(i + 1)) {
            JobId job = held.get(i).id();
            (engine.job(job) != null ? revoked : ended).add(held.get(i));
        }
        return new Renewal(revoked, ended);
    }

    static final class Session {
        final int id;
        final WorkerOffer offer;
        final WorkerStream stream;
        long lastSeenAt;
        /** It takes no more jobs, by itself or by order. */
        boolean draining;

        private boolean ordered;
        private boolean orderedToHandOver;

        Session(int id, WorkerOffer offer, WorkerStream stream, long now) {
            this.id = id;
            this.offer = offer;
            this.stream = stream;
            this.lastSeenAt = now;
        }

        /** Whether an order to go asks for more than those before. */
        boolean isNews(boolean handOver) {
            return !ordered || handOver && !orderedToHandOver;
        }
    }
}
