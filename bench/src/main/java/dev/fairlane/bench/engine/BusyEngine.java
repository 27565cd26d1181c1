package dev.fairlane.bench.engine;

import dev.fairlane.bench.load.Payloads;
import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.Lease;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.TenantChange;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.Tier;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.core.shard.Engine;
import dev.fairlane.core.shard.Picked;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * An engine in the middle of its work: every tenant has jobs waiting, a worker holds some hundred, and time goes on. Submits go to
 * tenants at random, picks are the engine's choice, and the oldest lease is completed first. Same seed, same work.
 */
final class BusyEngine {
    private static final long EPOCH = 1;
    private static final long START_MICROS = 1_700_000_000_000_000L;
    private static final long MICROS_PER_JOB = 20;
    private static final int SLOTS = 1_000;
    private static final int HELD = 500;
    private static final int LEAST_WAITING = 10_000;
    private static final int JOBS_PER_TURN = 500;

    private final Engine engine = new Engine(EngineConfig.DEFAULT, EPOCH);
    private final SplittableRandom random = new SplittableRandom(42);
    private final TenantId[] tenants;
    private final ArrayDeque<Lease> held = new ArrayDeque<>();
    private final Payload payload = new Payload(Payloads.of(0), Payload.JSON);
    private long now = START_MICROS;
    private long sequence;
    private int named;

    /** @param leastWaiting jobs that wait at least; those are in the store, as far as memory goes */
    BusyEngine(int tenantCount, int leastWaiting) {
        tenants = new TenantId[tenantCount];
        for (int i = 0; i < tenantCount; i++) {
            tenants[i] = newTenant();
        }
        openSession();
        for (int i = 0; i < leastWaiting; i++) {
            engine.evict(submit(tenants[i % tenantCount]));
        }
        int waiting = Math.max(LEAST_WAITING, 2 * tenantCount);
        for (int i = leastWaiting; i < waiting; i++) {
            submit(tenants[i % tenantCount]);
        }
        while (held.size() < HELD) {
            pick();
        }
    }

    private BusyEngine() {
        tenants = new TenantId[0];
        openSession();
    }

    /** One in which nobody has anything to do. */
    static BusyEngine resting() {
        return new BusyEngine();
    }

    private void openSession() {
        engine.openSession(
                1, new WorkerOffer("worker", null, List.of(Payloads.TYPE), Map.of(PoolRules.SHORT, SLOTS)), now);
    }

    int tenants() {
        return named;
    }

    /** So many more tenants come, run two jobs each, and rest. A few at a time: room for open jobs is not what a tenant costs. */
    void visit(int count) {
        for (int i = 0; i < count; i++) {
            TenantId tenant = newTenant();
            submit(tenant);
            submit(tenant);
            if (engine.openJobs() >= HELD) {
                settle();
            }
            now += MICROS_PER_JOB;
        }
        settle();
    }

    private void settle() {
        while (engine.openJobs() > 0) {
            tryPick();
            complete();
        }
        engine.takeBookings();
    }

    private TenantId newTenant() {
        Decision decision =
                decide(new Command.PutTenant("tenant-" + named++, 10, TenantChange.toTier(Tier.ENTERPRISE)));
        return ((Answer.TenantIs) decision.answer()).tenant().id();
    }

    private boolean tryPick() {
        Picked picked = engine.pick(now);
        if (picked != null) {
            engine.apply(picked.fact());
            held.add(picked.lease());
        }
        return picked != null;
    }

    /** Three decisions: a submit, a pick, a completion; each decided and applied. */
    void job() {
        submit(tenants[random.nextInt(tenants.length)]);
        pick();
        complete();
        now += MICROS_PER_JOB;
        if (sequence % JOBS_PER_TURN == 0) {
            engine.dueTimers(now, JOBS_PER_TURN, this::decide);
            engine.takeBookings();
        }
    }

    void submit() {
        submit(tenants[random.nextInt(tenants.length)]);
        now += MICROS_PER_JOB;
    }

    private JobSpec submit(TenantId tenant) {
        JobId id = JobId.of(now / 1_000, 0, (int) (sequence % JobId.SHARDS), EPOCH, ++sequence);
        Decision decision = decide(new Command.Submit(id, tenant, NewJob.of(Payloads.TYPE, payload)));
        if (!(decision.answer() instanceof Answer.Submitted)) {
            throw new IllegalStateException("expected the job to be accepted, but got " + decision.answer());
        }
        for (Fact fact : decision.facts()) {
            if (fact instanceof Fact.JobAdded added) {
                return added.spec();
            }
        }
        throw new IllegalStateException("expected a new job, but got " + decision.facts());
    }

    void pick() {
        if (!tryPick()) {
            throw new IllegalStateException("expected a job to pick: jobs wait and slots are free");
        }
    }

    void complete() {
        Lease lease = held.remove();
        Decision decision =
                decide(new Command.Complete(lease.id(), lease.status().token(), Payload.EMPTY));
        if (!(decision.answer() instanceof Answer.Applied)) {
            throw new IllegalStateException("expected the completion to be applied, but got " + decision.answer());
        }
    }

    private Decision decide(Command command) {
        Decision decision = engine.decide(command, now);
        List<Fact> facts = decision.facts();
        for (int i = 0; i < facts.size(); i++) {
            engine.apply(facts.get(i));
        }
        return decision;
    }
}
