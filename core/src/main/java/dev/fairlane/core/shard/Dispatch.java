package dev.fairlane.core.shard;

import dev.fairlane.core.lease.Hold;
import dev.fairlane.core.lease.Seat;
import dev.fairlane.core.lease.Session;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.Lease;
import dev.fairlane.core.model.Refusal;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.Token;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.core.outcome.Deed;
import dev.fairlane.core.outcome.Images;
import dev.fairlane.core.outcome.JobLife;
import dev.fairlane.core.share.Crew;
import dev.fairlane.core.share.FairTree;
import dev.fairlane.core.share.Queue;
import dev.fairlane.core.share.View;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Connected workers and the choice of jobs for them. All soft: a failover costs the workers a reconnect. */
final class Dispatch {
    private static final int NONE = ShardState.NONE;

    private final ShardState state;
    private final Map<Integer, Session> sessions = new HashMap<>();
    private final Map<Kind.Signature, Kind> kinds = new HashMap<>();
    private int wideKinds;
    /** The pool that is asked first. Workers may have one lot of resources for several. */
    private int turn;

    Dispatch(ShardState state) {
        this.state = state;
    }

    int sessionCount() {
        return sessions.size();
    }

    int running(int id) {
        Session session = sessions.get(id);
        int running = 0;
        if (session != null) {
            for (Seat seat : session.seats()) {
                running += seat.taken();
            }
        }
        return running;
    }

    // ---- sessions

    @Nullable Refusal open(int id, WorkerOffer offer, long now) {
        if (id < 0 || sessions.containsKey(id)) {
            throw new IllegalArgumentException("expected a new session number, but got " + id);
        }
        int scope = Kind.scope(offer.scope());
        Set<String> types = new TreeSet<>(offer.types());
        Set<String> tags = new TreeSet<>(offer.tags());
        Refusal refusal = tooManyKinds(offer, scope, types, tags);
        if (refusal != null) {
            return refusal;
        }
        state.settleLoads();
        Session session = new Session(id, offer);
        for (Pool pool : state.pools) {
            int slots = offer.slotsByPool().getOrDefault(pool.rules().name(), 0);
            if (slots > 0) {
                Kind kind = offered(new Kind.Signature(pool.number(), scope, types, tags), slots, now);
                kind.sessions++;
                session.addSeat(pool.number(), slots, kind.bench);
            }
        }
        state.leases.pin(offer.worker());
        sessions.put(id, session);
        return null;
    }

    /** Why an offer that would make one kind of workers too many is not taken. */
    private @Nullable Refusal tooManyKinds(WorkerOffer offer, int scope, Set<String> types, Set<String> tags) {
        boolean wide = scope == Crew.ALL_TENANTS;
        int present = wide ? wideKinds : kinds.size() - wideKinds;
        int after = present;
        for (Pool pool : state.pools) {
            boolean offered = offer.slotsByPool().getOrDefault(pool.rules().name(), 0) > 0;
            if (offered && !kinds.containsKey(new Kind.Signature(pool.number(), scope, types, tags))) {
                after++;
            }
        }
        int most = wide ? Engine.MAX_WIDE_KINDS : Engine.MAX_SCOPED_KINDS;
        if (after <= most) {
            return null;
        }
        return new Refusal(
                RefusalCode.WORKER_KINDS,
                "expected at most " + most + " kinds of workers for " + (wide ? "all tenants" : "one tenant")
                        + ", but this would be number " + after + "; give workers the same lists of types and tags",
                0,
                most,
                present);
    }

    /** A worker of this kind offers slots. */
    private Kind offered(Kind.Signature signature, int slots, long now) {
        FairTree tree = state.pools[signature.pool()].tree();
        Kind kind = kinds.get(signature);
        if (kind == null) {
            wideKinds += signature.scope() == Crew.ALL_TENANTS ? 1 : 0;
            kind = new Kind(signature, tree, slots, state.guards.deadlines, now);
            kinds.put(signature, kind);
        } else {
            tree.addSlots(kind.crew, slots, now);
        }
        return kind;
    }

    /** No more jobs for this session; what it holds stays. */
    void drain(int id, long now) {
        Session session = sessions.get(id);
        if (session != null) {
            stop(session, now);
        }
    }

    void close(int id, long now) {
        Session session = sessions.remove(id);
        if (session != null) {
            stop(session, now);
            state.leases.detachAll(session.offer().worker(), id);
            state.leases.unpin(session.offer().worker());
        }
    }

    private void stop(Session session, long now) {
        if (!session.close()) {
            return;
        }
        int scope = Kind.scope(session.offer().scope());
        Set<String> types = new TreeSet<>(session.offer().types());
        Set<String> tags = new TreeSet<>(session.offer().tags());
        for (Seat seat : session.seats()) {
            FairTree tree = state.pools[seat.pool()].tree();
            Kind kind = Objects.requireNonNull(kinds.get(new Kind.Signature(seat.pool(), scope, types, tags)));
            tree.addSlots(kind.crew, -seat.slots(), now);
            if (--kind.sessions == 0) {
                kinds.remove(kind.signature);
                wideKinds -= scope == Crew.ALL_TENANTS ? 1 : 0;
                tree.closeCrew(kind.crew, now);
            }
        }
    }

    BitSet renew(int id, long[] idLo, long[] tokens, int n, long now) {
        Session session = sessions.get(id);
        if (session == null) {
            throw new IllegalArgumentException("expected an open session, but got " + id);
        }
        TenantId scope = session.offer().scope();
        BitSet stale = new BitSet();
        for (int i = 0; i < n; i++) {
            int slot = state.jobs.find(idLo[i]);
            if (slot == NONE
                    || !state.jobs.state(slot).leased()
                    || state.hold(slot).token() != tokens[i]
                    || scope != null && scope.number() != state.tenant(slot)) {
                stale.set(i);
                continue;
            }
            Hold hold = state.hold(slot);
            hold.renew(now);
            Seat seat = session.seat(state.pool(slot).number());
            state.leases.attach(hold, session, seat);
            if (seat != null && hold.aside() == seat.common()) {
                hold.setAside(!seat.common());
                Queue queue = state.queue(slot);
                state.tree(queue).setAside(queue, hold.aside(), now);
            }
        }
        return stale;
    }

    /** Everything the session holds; nothing if it is closed. */
    void renewHeld(int id, long now) {
        Session session = sessions.get(id);
        if (session != null) {
            state.leases.forEachOf(session.offer().worker(), hold -> {
                if (hold.session() == id) {
                    hold.renew(now);
                }
            });
        }
    }

    List<HeldLease> leasesOf(@Nullable TenantId tenant, String worker) {
        int scope = Session.scope(tenant);
        List<HeldLease> held = new ArrayList<>();
        state.leases.forEachOf(worker, hold -> {
            if (hold.mayBeOf(scope, state.tenant(hold.slot()))) {
                held.add(new HeldLease(state.jobs.id(hold.slot()), hold.token()));
            }
        });
        return held;
    }

    // ---- picking

    @Nullable Picked pick(long now) {
        state.settleLoads();
        int count = state.pools.length;
        for (int asked = 0, at = turn; asked < count; asked++, at = at + 1 < count ? at + 1 : 0) {
            Pool pool = state.pools[at];
            FairTree tree = pool.tree();
            for (View view = tree.next(now); view != null; view = tree.next(now)) {
                int slot = tree.head();
                long notAfter = state.jobs.notAfter(slot);
                if (notAfter > 0 && now > notAfter) {
                    state.park(slot, now);
                    continue;
                }
                if (state.guards.holdsBack(slot, now) || state.keyLimits.holdsBack(slot, state.queue(slot), now)) {
                    continue;
                }
                turn = at + 1 < count ? at + 1 : 0;
                return lease(slot, Kind.nextSeat(view), pool, now);
            }
        }
        return null;
    }

    /** See {@link Engine#glance(JobId)}. */
    long glance(JobId id) {
        int slot = state.jobs.find(id);
        if (slot == JobSlots.NONE || !state.jobs.state(slot).leased()) {
            return slot;
        }
        return state.hold(slot).token()
                ^ state.jobs.leasedStatus(slot).leasedAt()
                ^ state.wheel.listOf(slot)
                ^ state.queue(slot).glance();
    }

    /** See {@link Engine#glanceAhead}. */
    long glanceAhead(int picks) {
        long seen = 0;
        for (Pool pool : state.pools) {
            seen ^= pool.tree().glanceAhead(picks);
        }
        return seen;
    }

    private Picked lease(int slot, Seat seat, Pool pool, long now) {
        JobStatus was = state.jobs.image(slot);
        long token = Token.of(state.epoch, state.lastToken + 1);
        Session session = seat.session();
        String worker = session.offer().worker();
        JobStatus leased = was == null
                ? Images.leasedFirst(state.jobs.at(slot), token, worker, now)
                : Images.leased(was, token, worker, now);
        JobLife.require(state.jobs.state(slot), was != null && was.cancelRequested(), Deed.PICK, leased.state());
        state.expect(slot, token, seat);
        JobId id = state.jobs.id(slot);
        return new Picked(
                new Fact.JobChanged(id, leased),
                new Lease(
                        session.id(),
                        slot,
                        id,
                        new TenantId(state.tenant(slot)),
                        state.jobs.spec(slot),
                        leased,
                        pool.rules().leaseMicros()));
    }
}
