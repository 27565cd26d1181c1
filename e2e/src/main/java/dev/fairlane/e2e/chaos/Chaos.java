package dev.fairlane.e2e.chaos;

import dev.fairlane.bench.rig.Programs;
import dev.fairlane.bench.rig.Rig;
import dev.fairlane.bench.rig.RigException;
import dev.fairlane.bench.rig.RunningServer;
import dev.fairlane.e2e.chaos.Calls.Answer;
import dev.fairlane.e2e.check.Checker;
import dev.fairlane.e2e.check.Findings;
import dev.fairlane.e2e.history.EventLog;
import dev.fairlane.e2e.history.History;
import dev.fairlane.sdk.Admin;
import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.FairlaneException;
import dev.fairlane.sdk.ServerStatus;
import dev.fairlane.sdk.TenantRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** One run. See the package for its parts. */
public final class Chaos {
    private static final List<String> TENANTS = List.of("acme", "globex");
    private static final int SUBMITTERS_A_TENANT = 3;
    private static final Duration CALL_DEADLINE = Duration.ofSeconds(3);
    private static final Duration ADMIN_DEADLINE = Duration.ofSeconds(30);
    private static final Duration DRAIN_PATIENCE = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(100);

    /** A status may be half a second old. */
    private static final Duration IDLE_FOR = Duration.ofMillis(1_200);

    private static final Duration CALM = Duration.ofSeconds(3);
    private static final Duration LEASE = Duration.ofSeconds(3);

    /** Short leases and retries: a run of a minute has to see what happens after them. */
    private static final Map<String, String> SETTINGS = Map.of(
            "node.heartbeat", "500ms",
            "pools.short.lease", LEASE.toMillis() + "ms",
            "engine.retry_delays", "[100ms, 300ms, 1s]");

    private final ChaosPlan plan;
    private final Consumer<String> progress;
    private final long started = System.nanoTime();

    public Chaos(ChaosPlan plan, Consumer<String> progress) {
        this.plan = plan;
        this.progress = progress;
    }

    /** @throws RigException if something did not come up or did not come back */
    public ChaosReport run() {
        try (Rig rig = Rig.prepare(Programs.here(List.of()), SETTINGS);
                EventLog log = EventLog.create(rig.folder().resolve("client.history"))) {
            RunningServer server = rig.startServer();
            say("server is up");
            Map<FaultKind, Integer> faults = work(rig, server, log);
            Findings findings = Checker.check(History.read(rig.folder()));
            if (findings.violations().isEmpty()) {
                rig.succeeded();
            }
            return new ChaosReport(plan.seed(), elapsed(), faults, findings, rig.folder());
        }
    }

    private Map<FaultKind, Integer> work(Rig rig, RunningServer server, EventLog log) {
        AtomicBoolean stop = new AtomicBoolean();
        try (Crew crew = new Crew(rig, server.url());
                Fairlane admin = client(server.url(), server.adminKey(), ADMIN_DEADLINE);
                Faults faults = new Faults(rig, server, crew, log, plan, LEASE.plusMillis(1_500));
                Clients clients = Clients.of(rules(), admin, server.url(), log);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            crew.fill();
            crew.addZombie();
            List<Ticking> ticking = clients.tick(TENANTS, log);
            List<Submitter> submitters = submitters(clients, stop);
            List<Future<?>> running = new ArrayList<>();
            submitters.forEach(submitter -> running.add(threads.submit(submitter)));
            LimitSeeker seeker = seeker(clients, log, stop);
            running.add(threads.submit(seeker));
            strike(faults, clients);
            stop.set(true);
            for (Future<?> each : running) {
                finish(each);
            }
            faults.awaitPauses();
            crew.endZombies();
            say("healed; draining");
            if (!await(() -> submitters.stream().allMatch(Submitter::resolve))) {
                throw new RigException("everything is healed, but a keyed call that is made again gets no answer");
            }
            if (!await(seeker::exhaust)) {
                say("waited in vain for a quota to be used up");
            }
            if (!await(() -> ticking.stream().allMatch(Ticking::caughtUp))) {
                say("waited in vain for schedules to make up for their ticks");
            }
            ticking.forEach(Ticking::end);
            drain(admin);
            EverythingReader reader = new EverythingReader(admin, log, clients.acked());
            AuditReader audit = new AuditReader(server.url(), server.adminKey(), log);
            reader.read("drained");
            audit.read("drained");
            say("read everything; killing the server once more");
            faults.restartServer(() -> probe(clients));
            drain(admin);
            reader.read("restarted");
            audit.read("restarted");
            say("read everything again; judging");
            return Map.copyOf(faults.struck());
        } finally {
            stop.set(true);
        }
    }

    private void strike(Faults faults, Clients clients) {
        long end = started + plan.time().toNanos();
        while (faults.kills() < plan.kills() || System.nanoTime() - end < 0) {
            faults.round(() -> probe(clients));
            say(faults.kills() + " kills");
        }
        // Work in peace for a while: what was left half done has to be taken up again beside new work.
        LockSupport.parkNanos(CALM.toNanos());
    }

    /** The server is well when it takes a job. */
    private static boolean probe(Clients clients) {
        return clients.of(TENANTS.getFirst())
                        .submit(Calls.prepare(Work.QUICK, null, null))
                        .answer()
                == Answer.ACKED;
    }

    private List<Submitter> submitters(Clients clients, AtomicBoolean stop) {
        Pace pace = new Pace(plan.jobsPerSecond());
        List<Submitter> submitters = new ArrayList<>();
        for (String tenant : TENANTS) {
            for (int i = 0; i < SUBMITTERS_A_TENANT; i++) {
                // The same name in each tenant: their keys are the same texts and must not meet.
                submitters.add(
                        new Submitter("s" + i, clients.of(tenant), plan.seed() * 31 + submitters.size(), pace, stop));
            }
        }
        return submitters;
    }

    private LimitSeeker seeker(Clients clients, EventLog log, AtomicBoolean stop) {
        log.record(Limits.told(LEASE));
        return new LimitSeeker(
                clients.of(Limits.CAPPED_TENANT), clients.of(Limits.COUNTED_TENANT), log, plan.seed(), stop);
    }

    /** How the tenants of a run are treated. */
    private static Map<String, TenantRules> rules() {
        Map<String, TenantRules> rules = new LinkedHashMap<>();
        TENANTS.forEach(tenant -> rules.put(tenant, enterprise().build()));
        rules.put(Limits.CAPPED_TENANT, Limits.capped(enterprise()).build());
        rules.put(Limits.COUNTED_TENANT, Limits.counted(enterprise()).build());
        return rules;
    }

    private static TenantRules.Builder enterprise() {
        return TenantRules.builder().tier(TenantRules.Tier.ENTERPRISE).weight(10);
    }

    private void drain(Fairlane admin) {
        AtomicLong busy = new AtomicLong(System.nanoTime());
        boolean drained = await(() -> {
            if (!idle(admin)) {
                busy.set(System.nanoTime());
            }
            return System.nanoTime() - busy.get() > IDLE_FOR.toNanos();
        });
        if (!drained) {
            // Not an error here: what has not ended is found by the reading that follows, with its id.
            say("waited in vain for every job to end");
        }
    }

    private static boolean idle(Fairlane admin) {
        try {
            ServerStatus status = admin.status();
            return status.tenants().stream().allMatch(t -> t.waiting() + t.scheduled() + t.running() == 0);
        } catch (FairlaneException notNow) {
            return false;
        }
    }

    private static boolean await(BooleanSupplier condition) {
        long end = System.nanoTime() + DRAIN_PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
        return true;
    }

    private static void finish(Future<?> running) {
        try {
            running.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RigException("interrupted", e);
        } catch (ExecutionException e) {
            throw new RigException("a submitter failed: " + e.getCause(), e);
        }
    }

    private static Fairlane client(String url, String key, Duration deadline) {
        return Fairlane.builder().address(url).key(key).deadline(deadline).connect();
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - started);
    }

    private void say(String what) {
        progress.accept("%5.1f s  %s".formatted(elapsed().toMillis() / 1_000.0, what));
    }

    /** A client per tenant, with a key that is that tenant's. */
    private record Clients(Map<String, Fairlane> open, Map<String, Calls> byTenant) implements AutoCloseable {
        static Clients of(Map<String, TenantRules> tenants, Fairlane admin, String url, EventLog log) {
            Map<String, Fairlane> open = new LinkedHashMap<>();
            Map<String, Calls> byTenant = new LinkedHashMap<>();
            tenants.forEach((tenant, rules) -> {
                admin.admin().putTenant(tenant, rules);
                String key = admin.admin()
                        .createKey("chaos", tenant, Admin.Role.SUBMITTER)
                        .secret();
                Fairlane fairlane = client(url, key, CALL_DEADLINE);
                open.put(tenant, fairlane);
                byTenant.put(tenant, new Calls(tenant, fairlane, log));
            });
            return new Clients(open, byTenant);
        }

        /** Schedules of each of these tenants. */
        List<Ticking> tick(List<String> tenants, EventLog log) {
            return tenants.stream()
                    .map(tenant -> Ticking.begin(tenant, Objects.requireNonNull(open.get(tenant), tenant), log))
                    .toList();
        }

        Calls of(String tenant) {
            return Objects.requireNonNull(byTenant.get(tenant), tenant);
        }

        /** Of all tenants. */
        Set<String> acked() {
            Set<String> jobs = new HashSet<>();
            byTenant.values().forEach(calls -> jobs.addAll(calls.acked()));
            return jobs;
        }

        @Override
        public void close() {
            open.values().forEach(Fairlane::close);
        }
    }
}
