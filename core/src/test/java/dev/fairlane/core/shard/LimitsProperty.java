package dev.fairlane.core.shard;

import static dev.fairlane.core.shard.Bed.MILLI;
import static dev.fairlane.core.shard.Bed.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Command.LeaseEnd;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.Resources;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.TenantRules;
import dev.fairlane.core.model.TenantRules.KeyLimit;
import dev.fairlane.core.model.Tier;
import dev.fairlane.core.model.WorkerOffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Under any history with crashes, restarts and changes of rules: no cap is ever exceeded by a start, no worker is overcommitted, and
 * whatever may run does.
 */
class LimitsProperty {
    private static final int STEPS = 1_500;
    private static final List<String> TYPES = List.of("a", "b");
    private static final List<String> KEYS = List.of("", "k1", "k2", "k3");
    private static final List<Resources> DEMANDS = List.of(
            Resources.NONE, new Resources(1_000, 512, 0), new Resources(3_000, 2_048, 0), new Resources(0, 0, 1));
    private static final List<List<String>> TAGS = List.of(List.of(), List.of("eu"), List.of("eu", "fast"));

    /** A live execution as the test knows it. */
    private record Run(Picked picked, JobSpec spec) {}

    private final Bed bed = new Bed();
    private final List<TenantId> tenants = new ArrayList<>();
    private final Map<JobId, JobSpec> specs = new HashMap<>();
    private final Map<JobId, Run> runs = new TreeMap<>();
    /** Of a tenant's rate key since its rules changed. */
    private static final class Starts {
        final long since;
        double cost;

        Starts(long since) {
            this.since = since;
        }
    }

    private final Map<TenantId, Starts> starts = new HashMap<>();
    private final Map<Integer, WorkerOffer> workers = new TreeMap<>();
    private final Map<String, Integer> typeCaps = new HashMap<>();
    private int nextSession = 1;
    private long epoch = Bed.EPOCH;
    private Random random = new Random(0);
    /** Whether time is long enough that workers are kept for big jobs. */
    private boolean patient;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void capsHoldAndWhatMayRunRuns(long seed) {
        random = new Random(seed);
        tenants.add(bed.tenant);
        tenants.add(bed.putTenant("b", 20));
        tenants.add(bed.putTenant("c", 1, TenantRules.NONE.inTier(Tier.FREE)));
        patient = seed % 4 == 0;
        if (seed % 3 == 0) {
            // all queues for keys are taken: jobs with keys share one and are held back one by one
            for (int i = 0; i < 1_000; i++) {
                bed.submit(Bed.needing("filler", LimitsTest.key("f" + i)));
            }
        }
        for (int step = 0; step < STEPS; step++) {
            try {
                step();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ", step " + step, e);
            }
        }
    }

    private void step() {
        // short enough that no worker is kept for a big job
        bed.pass(random.nextInt(30) * MILLI);
        bed.engine.renewAll(bed.now);
        if (patient && random.nextInt(100) == 0) {
            for (int second = 0; second < 35; second++) {
                bed.pass(SECOND);
                bed.engine.renewAll(bed.now);
            }
            runs.values().removeIf(run -> !runs(run));
        }
        switch (random.nextInt(14)) {
            case 0, 1, 2, 3 -> submit();
            case 4, 5, 6 -> pickAll();
            case 7, 8, 9 -> end();
            case 10 -> worker();
            case 11 -> rules();
            case 12 -> type();
            default -> {
                if (random.nextInt(10) == 0) {
                    restart();
                }
            }
        }
    }

    private boolean runs(Run run) {
        JobSnapshot job = bed.engine.job(run.spec.id());
        return job != null
                && job.status().state().leased()
                && job.status().token() == run.picked.lease().status().token();
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private void submit() {
        JobNeeds needs = new JobNeeds(
                random.nextInt(3) == 0 ? "user-" + random.nextInt(3) : "",
                any(KEYS),
                random.nextInt(3) == 0 ? "rate" : "",
                1 + random.nextInt(2),
                any(DEMANDS),
                any(TAGS));
        String lane = random.nextBoolean() ? "default" : "lane-" + random.nextInt(2);
        JobId id = bed.submit(any(tenants), Bed.inLane(any(TYPES), lane, needs));
        specs.put(id, bed.engine.job(id).spec());
    }

    private void end() {
        if (!runs.isEmpty()) {
            Run run = any(new ArrayList<>(runs.values()));
            JobId id = run.picked.lease().id();
            switch (random.nextInt(4)) {
                case 0 ->
                    bed.send(new Command.ExpireLease(
                            id, run.picked.lease().status().token(), LeaseEnd.LOST_BY_WORKER));
                case 1 -> bed.fail(run.picked, FailureClass.APP_ERROR);
                default -> bed.complete(run.picked);
            }
            runs.remove(id);
        }
    }

    private void worker() {
        if (workers.size() > 1 && random.nextInt(3) == 0) {
            int session = any(new ArrayList<>(workers.keySet()));
            workers.remove(session);
            bed.engine.closeSession(session);
            List<JobId> lost = new ArrayList<>();
            for (Run run : runs.values()) {
                if (run.picked.lease().session() == session) {
                    lost.add(run.picked.lease().id());
                    bed.send(new Command.ExpireLease(
                            run.picked.lease().id(), run.picked.lease().status().token(), LeaseEnd.LOST_BY_WORKER));
                }
            }
            lost.forEach(runs::remove);
        } else if (workers.size() < 6) {
            connect(new WorkerOffer(
                    "w" + nextSession,
                    random.nextInt(4) == 0 ? any(tenants) : null,
                    random.nextInt(3) == 0 ? List.of("a") : TYPES,
                    Map.of("short", 1 + random.nextInt(12)),
                    random.nextInt(3) == 0 ? Resources.NONE : new Resources(4_000, 4_096, random.nextInt(2)),
                    any(TAGS)));
        }
    }

    private void connect(WorkerOffer offer) {
        workers.put(nextSession, offer);
        bed.engine.openSession(nextSession++, offer, bed.now);
    }

    private void rules() {
        TenantId tenant = any(tenants);
        starts.remove(tenant);
        Tier tier = bed.engine.tenant(tenant).rules().tier();
        List<KeyLimit> limits = new ArrayList<>();
        if (random.nextBoolean()) {
            limits.add(LimitsTest.atOnce("k1", 1 + random.nextInt(3)));
        }
        if (random.nextBoolean()) {
            limits.add(LimitsTest.atOnce("k*", 1 + random.nextInt(3)));
        }
        if (random.nextInt(3) > 0) {
            limits.add(LimitsTest.rate("rate", 2 + random.nextInt(5), SECOND));
        }
        if (random.nextInt(8) == 0) {
            tier = tier == Tier.FREE ? Tier.STANDARD : Tier.FREE;
        }
        bed.setRules(
                tenant,
                new TenantRules(
                        tier,
                        0,
                        0,
                        random.nextBoolean() ? Map.of() : Map.of("short", 1 + random.nextInt(8)),
                        random.nextInt(3) > 0 ? Map.of() : Map.of("short", 1 + random.nextInt(6)),
                        Map.of(),
                        limits,
                        List.of(),
                        false));
    }

    private void type() {
        TenantId tenant = any(tenants);
        String type = any(TYPES);
        int most = random.nextInt(5);
        typeCaps.put(tenant.number() + type, most);
        bed.apply(new Fact.TypeSet(new JobType(tenant, type, "short", 0, 0, bed.now, LimitsTest.maxInFlight(most), 0)));
    }

    private void restart() {
        starts.clear();
        Engine again = new Engine(bed.config, ++epoch);
        bed.facts.forEach(again::apply);
        bed.engine = again;
        again.renewAll(bed.now);
        Map<Integer, WorkerOffer> before = new TreeMap<>(workers);
        workers.clear();
        List<JobId> known = new ArrayList<>(runs.keySet());
        for (JobId id : known) {
            Run run = runs.remove(id);
            bed.send(new Command.ExpireLease(id, run.picked.lease().status().token(), LeaseEnd.LOST_BY_WORKER));
        }
        before.values().forEach(this::connect);
    }

    // ---- picking and what must be true of it

    private void pickAll() {
        for (Picked picked = bed.engine.pick(bed.now); picked != null; picked = bed.engine.pick(bed.now)) {
            JobSpec spec = specs.get(picked.lease().id());
            WorkerOffer worker = workers.get(picked.lease().session());
            assertThat(mayStart(spec) && mayStart(spec, worker))
                    .as("caps of %s", spec)
                    .isTrue();
            assertThat(fits(worker, picked.lease().session(), spec)).isTrue();
            assertStarts(spec);
            bed.apply(picked.fact());
            runs.put(spec.id(), new Run(picked, spec));
        }
        for (JobSpec spec : specs.values()) {
            JobSnapshot job = bed.engine.job(spec.id());
            boolean waits = job != null && job.status().state() == JobState.QUEUED;
            if (waits
                    && !patient
                    && mayStart(spec)
                    && spec.terms().needs().rateKey().isEmpty()
                    && !bed.engine.explain(spec.id(), bed.now).reasons().contains(WaitReason.CRASHING)
                    && !bed.engine.explain(spec.id(), bed.now).reasons().contains(WaitReason.KEPT_SLOTS)) {
                for (Map.Entry<Integer, WorkerOffer> worker : workers.entrySet()) {
                    assertThat(mayStart(spec, worker.getValue()) && fits(worker.getValue(), worker.getKey(), spec))
                            .as("%s could run, %s", spec, bed.engine.explain(spec.id(), bed.now))
                            .isFalse();
                }
            }
        }
        specs.keySet().removeIf(id -> bed.engine.job(id) == null);
    }

    /** No more starts of a rate key than its bucket and what came into it since; rules and restarts begin anew. */
    private void assertStarts(JobSpec spec) {
        JobNeeds needs = spec.terms().needs();
        KeyLimit limit = needs.rateKey().isEmpty()
                ? null
                : KeysInUse.limit(bed.engine.tenant(spec.tenant()), KeyLimit.Kind.RATE, needs.rateKey());
        if (limit == null) {
            starts.remove(spec.tenant());
            return;
        }
        Starts of = starts.computeIfAbsent(spec.tenant(), tenant -> new Starts(bed.now));
        of.cost += Math.min(needs.rateCost(), limit.limit());
        assertThat(of.cost)
                .as("starts of %s", spec)
                .isLessThanOrEqualTo(limit.limit() + limit.limit() * (bed.now - of.since) / (double) SECOND + 1e-3);
    }

    private boolean mayStart(JobSpec spec) {
        TenantRules rules = bed.engine.tenant(spec.tenant()).rules();
        long ofTenant = count(spec, other -> true);
        int cap = rules.inFlight().getOrDefault("short", Integer.MAX_VALUE);
        int typeCap = typeCaps.getOrDefault(spec.tenant().number() + spec.type(), 0);
        String key = spec.terms().needs().concurrencyKey();
        KeyLimit limit = key.isEmpty()
                ? null
                : KeysInUse.limit(bed.engine.tenant(spec.tenant()), KeyLimit.Kind.CONCURRENCY, key);
        return ofTenant < cap
                && (typeCap == 0 || count(spec, other -> other.type().equals(spec.type())) < typeCap)
                && (limit == null
                        || count(
                                        spec,
                                        other -> other.terms()
                                                .needs()
                                                .concurrencyKey()
                                                .equals(key))
                                < limit.limit());
    }

    /** Free tenants have a bound on workers for all; their own workers are their own. */
    private boolean mayStart(JobSpec spec, WorkerOffer worker) {
        return worker.scope() != null
                || bed.engine.tenant(spec.tenant()).rules().tier() != Tier.FREE
                || freeRunning() + 1 <= Math.max(1, commonSlots() * 0.05) + 1e-9;
    }

    /** In dominant slots. */
    private double freeRunning() {
        Resources perSlot = PoolRules.DEFAULTS.getFirst().perSlot();
        double sum = 0;
        for (Run run : runs.values()) {
            WorkerOffer worker = workers.get(run.picked.lease().session());
            if (bed.engine.tenant(run.spec.tenant()).rules().tier() == Tier.FREE
                    && (worker == null || worker.scope() == null)) {
                Resources demand = run.spec.terms().needs().demand();
                sum += Math.max(
                        Math.max(1, (double) demand.cpuMillis() / perSlot.cpuMillis()),
                        Math.max(
                                (double) demand.memoryMib() / perSlot.memoryMib(),
                                (double) demand.gpus() / perSlot.gpus()));
            }
        }
        return sum;
    }

    private int commonSlots() {
        return workers.values().stream()
                .filter(offer -> offer.scope() == null)
                .mapToInt(offer -> offer.slotsByPool().get("short"))
                .sum();
    }

    private long count(JobSpec spec, Predicate<JobSpec> like) {
        return runs.values().stream()
                .filter(run -> run.spec.tenant().equals(spec.tenant()) && like.test(run.spec))
                .count();
    }

    private boolean fits(WorkerOffer offer, int session, JobSpec spec) {
        int taken = 0;
        int cpu = 0;
        int memory = 0;
        int gpus = 0;
        for (Run run : runs.values()) {
            if (run.picked.lease().session() == session) {
                taken++;
                Resources demand = run.spec.terms().needs().demand();
                cpu += demand.cpuMillis();
                memory += demand.memoryMib();
                gpus += demand.gpus();
            }
        }
        Resources has = offer.resources();
        Resources free = new Resources(has.cpuMillis() - cpu, has.memoryMib() - memory, has.gpus() - gpus);
        return taken < offer.slotsByPool().get("short")
                && (offer.scope() == null || offer.scope().equals(spec.tenant()))
                && offer.types().contains(spec.type())
                && offer.tags().containsAll(spec.terms().needs().tags())
                && (has.isNone() || spec.terms().needs().demand().fitsIn(free));
    }
}
