package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.core.outcome.Deed;
import dev.fairlane.core.share.Aging;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The workers of a {@link RandomWalk}, and what the naive model says of whom a job may go to and whose it must be. */
final class WalkingWorkers {
    private static final Aging AGING = new Aging(RandomWalk.CONFIG.share().agingMicros());
    /** Microseconds of virtual time lost to rounding by adding up in another order. */
    private static final double ROUNDING = 1;

    private static final class Worker {
        final int session;
        final WorkerOffer offer;
        boolean draining;

        Worker(int session, WorkerOffer offer) {
            this.session = session;
            this.offer = offer;
        }

        boolean runs(PlainModel.Job job) {
            return (offer.scope() == null || offer.scope().equals(job.spec.tenant()))
                    && offer.types().contains(job.spec.type())
                    && offer.slotsByPool().getOrDefault(job.pool.name(), 0) > 0;
        }
    }

    private final RandomWalk walk;
    private final boolean checkShares;
    private final Map<Integer, Worker> workers = new TreeMap<>();
    private final Map<String, PlainShare> shares = new HashMap<>();
    /** Of the lanes in each tenant, by pool and tenant. */
    private final Map<String, PlainShare> laneShares = new TreeMap<>();

    private static final List<String> LANES = List.of(JobTerms.DEFAULT_LANE, "lane-0", "lane-1", "lane-2");

    private int nextSession = 1;

    WalkingWorkers(RandomWalk walk, boolean checkShares) {
        this.walk = walk;
        this.checkShares = checkShares;
        for (PoolRules pool : RandomWalk.CONFIG.pools()) {
            shares.put(pool.name(), new PlainShare(RandomWalk.CONFIG, false, walk.bed.now));
        }
        // the first one starts virtual time in both pools
        connect("worker-0", null, List.of("a", "b", "c"), Map.of("short", 2, "medium", 1));
    }

    private void connect(String name, @Nullable TenantId scope, List<String> types, Map<String, Integer> slots) {
        tick();
        Worker worker = new Worker(nextSession++, new WorkerOffer(name, scope, types, slots));
        workers.put(worker.session, worker);
        walk.bed.engine.openSession(worker.session, worker.offer, walk.bed.now);
        refresh();
    }

    void comeOrGo() {
        int dice = walk.random.nextInt(4);
        if (workers.size() < 2 || dice < 2 && workers.size() < 6) {
            List<String> types = new ArrayList<>();
            for (String type : List.of("a", "b", "c")) {
                if (walk.random.nextBoolean()) {
                    types.add(type);
                }
            }
            connect(
                    "worker-" + walk.random.nextInt(4),
                    walk.random.nextInt(3) == 0 ? walk.any(walk.tenants) : null,
                    types,
                    Map.of("short", walk.random.nextInt(4), "medium", walk.random.nextInt(3)));
            return;
        }
        Worker worker = walk.any(new ArrayList<>(workers.values()));
        tick();
        // the engine has to know the time: sessions end without one
        walk.bed.engine.dueTimers(walk.bed.now, 0, command -> {});
        if (dice == 3) {
            worker.draining = true;
            walk.bed.engine.drainSession(worker.session);
        } else {
            workers.remove(worker.session);
            walk.bed.engine.closeSession(worker.session);
            for (PlainModel.Job job : walk.model.jobs.values()) {
                job.session = job.session == worker.session ? -1 : job.session;
            }
        }
        refresh();
    }

    /** Some worker names leases it holds or once held. */
    void heartbeat() {
        for (Worker worker : workers.values()) {
            List<PlainModel.Job> named = new ArrayList<>();
            for (PlainModel.Job job : walk.model.jobs.values()) {
                boolean own = job.session == worker.session
                        || job.session == -1 && job.status.worker().equals(worker.offer.worker());
                if (own && walk.random.nextInt(10) > 0) {
                    named.add(job);
                }
            }
            long[] lo = new long[named.size()];
            long[] tokens = new long[named.size()];
            BitSet expected = new BitSet();
            for (int i = 0; i < lo.length; i++) {
                PlainModel.Job job = named.get(i);
                lo[i] = job.spec.id().lo();
                boolean wrong = walk.random.nextInt(20) == 0;
                tokens[i] = wrong ? job.status.token() + 1 : job.status.token();
                TenantId scope = worker.offer.scope();
                boolean foreign = scope != null && !scope.equals(job.spec.tenant());
                if (wrong || foreign || !job.status.state().leased()) {
                    expected.set(i);
                } else {
                    job.untilAt = Math.max(job.untilAt, walk.bed.now + job.pool.leaseMicros());
                    job.session = worker.session;
                }
            }
            assertThat(walk.bed.engine.renew(worker.session, lo, tokens, lo.length, walk.bed.now))
                    .isEqualTo(expected);
            for (PlainModel.Job job : named) {
                assertThat(walk.bed.engine.sessionOf(job.spec.id())).isEqualTo(job.session);
            }
        }
    }

    // ---- picking

    void pickAll(int most) {
        for (int i = 0; i < most; i++) {
            walk.bed.engine.glanceAhead(8); // changes nothing, in whatever state the tree is
            Picked picked = walk.bed.engine.pick(walk.bed.now);
            if (picked == null) {
                assertThat(firstPossible()).as("a job that could have run").isNull();
                return;
            }
            check(picked);
            JobStatus status = picked.fact().status();
            PlainModel.Job job = walk.model.jobs.get(picked.lease().id());
            walk.took(picked.lease().id(), status, Deed.PICK);
            job.session = picked.lease().session();
            shares.get(job.pool.name()).acquire(job.spec.tenant().number());
            laneShare(job).acquire(lane(job));
            walk.bed.apply(picked.fact());
            walk.picked(picked);
            refresh();
            assertThat(walk.bed.engine.sessionOf(picked.lease().id())).isEqualTo(job.session);
        }
    }

    private void check(Picked picked) {
        PlainModel.Job job = walk.model.jobs.get(picked.lease().id());
        Worker worker = Objects.requireNonNull(workers.get(picked.lease().session()));
        JobStatus status = picked.fact().status();
        assertThat(job.status.state()).isEqualTo(JobState.QUEUED);
        assertThat(job.pastNotAfter(walk.bed.now)).isFalse();
        assertThat(worker.runs(job)).isTrue();
        assertThat(free(worker, job.pool)).isPositive();
        assertThat(status.token()).isGreaterThan(job.status.token());
        assertThat(status.execution()).isEqualTo(job.status.execution() + 1);
        assertThat(status.attempt()).isEqualTo(job.status.attempt() + 1);
        assertThat(job.spec.id()).isEqualTo(bestOf(worker, job));
        tick();
        if (checkShares) {
            for (PlainModel.Job waiting : walk.model.jobs.values()) {
                if (waiting.pool == job.pool
                        && waiting.spec.tenant().equals(job.spec.tenant())
                        && mayRun(worker, waiting)) {
                    assertThat(laneShare(job).key(lane(job)))
                            .isLessThanOrEqualTo(laneShare(job).key(lane(waiting)) + ROUNDING);
                }
            }
        }
        if (checkShares && worker.offer.scope() == null) {
            tick();
            PlainShare share = shares.get(job.pool.name());
            double smallest = Double.MAX_VALUE;
            for (Worker other : workers.values()) {
                if (free(other, job.pool) > 0) {
                    for (PlainModel.Job waiting : walk.model.jobs.values()) {
                        if (waiting.pool == job.pool && mayRun(other, waiting)) {
                            assertThat(other.offer.scope())
                                    .as("workers of one tenant are served first")
                                    .isNull();
                            smallest = Math.min(
                                    smallest, share.key(waiting.spec.tenant().number()));
                        }
                    }
                }
            }
            assertThat(share.key(job.spec.tenant().number())).isLessThanOrEqualTo(smallest + ROUNDING);
        }
    }

    private static int lane(PlainModel.Job job) {
        return LANES.indexOf(job.spec.terms().lane());
    }

    private PlainShare laneShare(PlainModel.Job job) {
        return laneShare(job.pool, job.spec.tenant().number());
    }

    private PlainShare laneShare(PoolRules pool, int tenant) {
        return laneShares.computeIfAbsent(
                pool.name() + tenant, key -> new PlainShare(RandomWalk.CONFIG, true, walk.bed.now));
    }

    /** Of the lane's jobs the worker could run: first of its tier, most urgent after aging, earliest. */
    private JobId bestOf(Worker worker, PlainModel.Job picked) {
        Map<String, PlainModel.Job> heads = new HashMap<>();
        for (PlainModel.Job job : walk.model.jobs.values()) {
            if (job.pool == picked.pool
                    && job.spec.tenant().equals(picked.spec.tenant())
                    && lane(job) == lane(picked)
                    && mayRun(worker, job)) {
                heads.merge(job.spec.type() + job.spec.priority(), job, (a, b) -> a.place < b.place ? a : b);
            }
        }
        PlainModel.Job best = null;
        for (PlainModel.Job job : heads.values()) {
            if (best == null || compare(job, best) < 0) {
                best = job;
            }
        }
        return Objects.requireNonNull(best).spec.id();
    }

    private int compare(PlainModel.Job a, PlainModel.Job b) {
        int byTier = Integer.compare(tier(a), tier(b));
        if (byTier != 0) {
            return byTier;
        }
        int byTime = Long.compare(a.status.queuedAt(), b.status.queuedAt());
        return byTime != 0 ? byTime : a.spec.id().compareTo(b.spec.id());
    }

    private int tier(PlainModel.Job job) {
        return AGING.tier(job.spec.priority(), walk.bed.now - job.status.queuedAt());
    }

    private boolean mayRun(Worker worker, PlainModel.Job job) {
        return job.waitsInLine() && !job.pastNotAfter(walk.bed.now) && worker.runs(job);
    }

    private int free(Worker worker, PoolRules pool) {
        long held = walk.model.jobs.values().stream()
                .filter(job -> job.session == worker.session && job.pool == pool)
                .count();
        return worker.draining ? 0 : worker.offer.slotsByPool().getOrDefault(pool.name(), 0) - (int) held;
    }

    private @Nullable JobId firstPossible() {
        for (Worker worker : workers.values()) {
            for (PlainModel.Job job : walk.model.jobs.values()) {
                if (free(worker, job.pool) > 0 && mayRun(worker, job)) {
                    return job.spec.id();
                }
            }
        }
        return null;
    }

    // ---- shares

    void tick() {
        shares.values().forEach(share -> share.tick(walk.bed.now));
        laneShares.values().forEach(share -> share.tick(walk.bed.now));
    }

    void released(PlainModel.Job job, long now) {
        shares.get(job.pool.name()).release(job.spec.tenant().number(), now - job.status.leasedAt());
        laneShare(job).release(lane(job), now - job.status.leasedAt());
    }

    /** After every event: who is eligible now. */
    void refresh() {
        tick();
        for (PoolRules pool : RandomWalk.CONFIG.pools()) {
            PlainShare share = shares.get(pool.name());
            Map<PlainShare.Kind, Set<Integer>> kinds = new HashMap<>();
            int all = 0;
            int common = 0;
            for (Worker worker : workers.values()) {
                int offered = worker.draining ? 0 : worker.offer.slotsByPool().getOrDefault(pool.name(), 0);
                all += offered;
                common += worker.offer.scope() == null ? offered : 0;
                if (offered > 0) {
                    kinds.put(kind(worker), new HashSet<>());
                }
            }
            for (PlainModel.Job job : walk.model.jobs.values()) {
                if (job.pool != pool) {
                    continue;
                }
                int tenant = job.spec.tenant().number();
                share.account(
                        tenant,
                        Objects.requireNonNull(walk.bed.engine.tenant(job.spec.tenant()))
                                .weight());
                for (Worker worker : workers.values()) {
                    if (job.waitsInLine() && !worker.draining && worker.runs(job)) {
                        kinds.get(kind(worker)).add(tenant);
                    }
                }
            }
            // shares are of what everybody may have
            int slots = common > 0 ? common : all;
            share.kindsAre(kinds, slots);
            refreshLanes(pool, slots);
        }
    }

    /** The same for the lanes of each tenant, which share what the tenant has. */
    private void refreshLanes(PoolRules pool, int slots) {
        PlainShare share = shares.get(pool.name());
        for (TenantId tenant : walk.tenants) {
            PlainShare lanes = laneShare(pool, tenant.number());
            Map<PlainShare.Kind, Set<Integer>> kinds = new HashMap<>();
            for (Worker worker : workers.values()) {
                if (!worker.draining && worker.offer.slotsByPool().getOrDefault(pool.name(), 0) > 0) {
                    kinds.put(kind(worker), new HashSet<>());
                }
            }
            boolean known = false;
            for (PlainModel.Job job : walk.model.jobs.values()) {
                if (job.pool != pool || !job.spec.tenant().equals(tenant)) {
                    continue;
                }
                known = true;
                lanes.account(lane(job), 10);
                for (Worker worker : workers.values()) {
                    if (job.waitsInLine() && !worker.draining && worker.runs(job)) {
                        kinds.get(kind(worker)).add(lane(job));
                    }
                }
            }
            PlainShare.Account own = share.accounts.get(tenant.number());
            long active = share.active + (own == null || own.held > 0 || own.eligible ? 0 : own.weight);
            if (known || own != null) {
                lanes.kindsAre(kinds, active == 0 || own == null ? 0 : (double) slots * own.weight / active);
            }
        }
    }

    private static PlainShare.Kind kind(Worker worker) {
        return new PlainShare.Kind(worker.offer.scope(), Set.copyOf(worker.offer.types()));
    }

    /** Every worker has to connect again; leases are found again by the workers' names. */
    void reconnectAll() {
        List<Worker> before = new ArrayList<>(workers.values());
        workers.clear();
        for (PlainModel.Job job : walk.model.jobs.values()) {
            job.session = -1;
        }
        for (Worker worker : before) {
            if (!worker.draining) {
                connect(worker.offer.worker(), worker.offer.scope(), worker.offer.types(), worker.offer.slotsByPool());
            }
        }
    }
}
