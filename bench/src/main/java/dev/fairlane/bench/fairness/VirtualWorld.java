package dev.fairlane.bench.fairness;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.Lease;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.Resources;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.core.shard.Engine;
import dev.fairlane.core.shard.Picked;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/** Plays a scenario on the real core, in virtual time, at the exact moments things happen. Same scenario, same outcome. */
final class VirtualWorld {
    private static final long EPOCH = 1;
    private static final long BEGIN = 1_700_000_000_000_000L;
    private static final long SECOND = 1_000_000;
    private static final long FOREVER = 1_000_000 * SECOND;
    private static final int TIMERS_AT_ONCE = 10_000;
    /** On submits: what is looked at is who runs. */
    private static final int NO_BOUND = Integer.MAX_VALUE / 2;

    private static final String TYPE = "work";
    /** Workers are never silent here and nothing runs too long: that is not what is looked at. */
    private static final PoolRules POOL = new PoolRules(Scenarios.POOL, FOREVER, 50, 5, FOREVER);

    private final Scenario scenario;
    private final UsedTime used;
    private final Engine engine = new Engine(EngineConfig.DEFAULT.withPools(List.of(POOL)), EPOCH);
    private final SplittableRandom random = new SplittableRandom(42);
    private final List<Played> all = new ArrayList<>();
    private final PriorityQueue<Running> running =
            new PriorityQueue<>(Comparator.comparingLong(Running::endsAt).thenComparingLong(Running::order));
    private final PriorityQueue<Due> due =
            new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::order));
    private long now = BEGIN;
    private long sequence;
    private long order;

    private record Running(long endsAt, long order, Lease lease, Played by) {}

    private record Due(long at, long order, Runnable what) {}

    private static final class Played {
        final Actor actor;
        final TenantId tenant;
        int weight;
        int waiting;
        int key;

        Played(Actor actor, TenantId tenant) {
            this.actor = actor;
            this.tenant = tenant;
            this.weight = actor.weight();
        }
    }

    private VirtualWorld(Scenario scenario) {
        this.scenario = scenario;
        this.used = new UsedTime(scenario.seconds());
    }

    static UsedTime play(Scenario scenario) {
        return new VirtualWorld(scenario).run();
    }

    private UsedTime run() {
        for (int i = 0; i < scenario.workers(); i++) {
            WorkerOffer offer = new WorkerOffer(
                    "worker-" + i,
                    null,
                    List.of(TYPE),
                    Map.of(Scenarios.POOL, scenario.slots() / scenario.workers()),
                    scenario.resources(),
                    List.of());
            if (engine.openSession(i + 1, offer, now) != null) {
                throw new IllegalStateException("expected the worker to be taken");
            }
        }
        scenario.actors().forEach(this::enter);
        scenario.events().forEach(event -> at(event.second(), () -> happen(event)));
        long end = BEGIN + scenario.seconds() * SECOND;
        while (now < end) {
            engine.dueTimers(now, TIMERS_AT_ONCE, this::decide);
            engine.drainNotices(notice -> {});
            pick();
            now = Math.min(end, nextAt());
            while (!due.isEmpty() && due.peek().at <= now) {
                due.remove().what.run();
            }
            while (!running.isEmpty() && running.peek().endsAt <= now) {
                end(running.remove());
            }
        }
        running.forEach(left -> book(left, end));
        return used;
    }

    private long nextAt() {
        long next = Math.max(now + 1, engine.nextTimerAt());
        if (!running.isEmpty()) {
            next = Math.min(next, running.peek().endsAt);
        }
        return due.isEmpty() ? next : Math.min(next, due.peek().at);
    }

    private void at(int second, Runnable what) {
        due.add(new Due(BEGIN + second * SECOND, order++, what));
    }

    // ---- actors

    private void enter(Actor actor) {
        Decision decision = decide(new Command.PutTenant(actor.name(), actor.weight()));
        TenantId id = ((Answer.TenantIs) decision.answer()).tenant().id();
        Played played = new Played(actor, id);
        set(played);
        while (all.size() <= id.number()) {
            all.add(played);
        }
        all.set(id.number(), played);
        at(actor.beginsAt(), () -> begin(played));
    }

    private void set(Played played) {
        engine.apply(new Fact.TenantSet(new Tenant(
                played.tenant,
                played.actor.name(),
                played.weight,
                now,
                played.actor.rules().withSubmitRate(NO_BOUND))));
    }

    private void begin(Played played) {
        for (int i = 0; i < played.actor.atOnce(); i++) {
            submit(played);
        }
        topUp(played);
        if (played.actor.perSecond() > 0) {
            comeAgain(played);
        }
    }

    private void comeAgain(Played played) {
        long wait = (long) (-Math.log(1 - random.nextDouble()) / played.actor.perSecond() * SECOND);
        due.add(new Due(now + wait, order++, () -> {
            submit(played);
            comeAgain(played);
        }));
    }

    private void topUp(Played played) {
        if (now >= BEGIN + played.actor.beginsAt() * SECOND) {
            while (played.waiting < played.actor.keep()) {
                submit(played);
            }
        }
    }

    private void submit(Played played) {
        Actor actor = played.actor;
        JobId id = JobId.of(now / 1_000, 0, (int) (sequence % JobId.SHARDS), EPOCH, ++sequence);
        NewJob job = new NewJob(
                TYPE, Payload.EMPTY, 0, actor.priority(), 0, 0, 0, 0, 0, "", 0, Map.of(), Map.of(), terms(played));
        Decision decision = decide(new Command.Submit(id, played.tenant, job));
        if (!(decision.answer() instanceof Answer.Submitted)) {
            throw new IllegalStateException("expected the job to be accepted, but got " + decision.answer());
        }
        played.waiting++;
    }

    private static JobTerms terms(Played played) {
        JobNeeds needs = played.actor.needs();
        if (played.actor.keys() > 0) {
            played.key = (played.key + 1) % played.actor.keys();
            needs = new JobNeeds(
                    "key-" + played.key,
                    needs.concurrencyKey(),
                    needs.rateKey(),
                    needs.rateCost(),
                    needs.demand(),
                    needs.tags());
        }
        return new JobTerms(JobTerms.DEFAULT_LANE, 0, "", "", "", false, 0, needs.shared()).shared();
    }

    private void happen(Scenario.Event event) {
        for (Played played : all) {
            if (played.actor.name().equals(event.actor())) {
                switch (event.what()) {
                    case PAUSE -> gate(played, true);
                    case RESUME -> gate(played, false);
                    case WEIGH -> {
                        played.weight = event.amount();
                        set(played);
                    }
                }
                return;
            }
        }
    }

    private void gate(Played played, boolean closed) {
        decide(new Command.SetGate(Gate.Kind.TENANT, played.tenant, "", closed, "bench", ""));
    }

    // ---- jobs

    private void pick() {
        List<Played> touched = new ArrayList<>();
        do {
            touched.clear();
            for (Picked picked = engine.pick(now); picked != null; picked = engine.pick(now)) {
                engine.apply(picked.fact());
                Lease lease = picked.lease();
                Played by = all.get(lease.tenant().number());
                if (lease.status().execution() == 1) {
                    by.waiting--;
                    touched.add(by);
                    if (lease.status().queuedAt() >= BEGIN + Scenario.WAITS_FROM * SECOND) {
                        used.waited(by.actor.name(), now - lease.status().queuedAt());
                    }
                }
                running.add(new Running(now + length(by.actor), order++, lease, by));
            }
            touched.forEach(this::topUp);
        } while (!touched.isEmpty() && running.size() < scenario.slots());
    }

    /** No two jobs run equally long, half more or half less; but none so short that it is charged more than it used. */
    private long length(Actor actor) {
        long micros = (long) (actor.millis() * 1_000 * (0.5 + random.nextDouble()));
        return Math.max(EngineConfig.DEFAULT.share().minChargeMicros(), micros);
    }

    private void end(Running ended) {
        book(ended, now);
        JobId id = ended.lease.id();
        long token = ended.lease.status().token();
        boolean fails = ended.by.actor.failing() > 0 && random.nextInt(100) < ended.by.actor.failing();
        decide(
                fails
                        ? new Command.Fail(
                                id,
                                token,
                                new Failure(FailureClass.APP_ERROR, "planned", "", 0, "", ""),
                                random.nextLong())
                        : new Command.Complete(id, token, Payload.EMPTY));
    }

    private void book(Running job, long until) {
        used.ran(
                job.by.actor.name(),
                dominant(job.by.actor.needs().demand()),
                job.lease.status().leasedAt() - BEGIN,
                until - BEGIN);
    }

    /** Slots that a demand counts as. */
    static double dominant(Resources demand) {
        Resources per = POOL.perSlot();
        double cpu = (double) demand.cpuMillis() / per.cpuMillis();
        double memory = (double) demand.memoryMib() / per.memoryMib();
        double gpus = (double) demand.gpus() / per.gpus();
        return demand.isNone() ? 1 : Math.max(cpu, Math.max(memory, gpus));
    }

    private Decision decide(Command command) {
        Decision decision = engine.decide(command, now);
        for (Fact fact : decision.facts()) {
            engine.apply(fact);
        }
        return decision;
    }
}
