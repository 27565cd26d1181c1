package dev.fairlane.cli.demo;

import dev.fairlane.sdk.Admin;
import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.FairlaneException;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobContext;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.NonRetryableException;
import dev.fairlane.sdk.Pool;
import dev.fairlane.sdk.TenantRules;
import dev.fairlane.sdk.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Three tenants who always have more to do than there are slots, and the worker who does it. The work itself is waiting: the demo
 * is about who gets the slots, not about the machine.
 */
final class DemoLoad implements AutoCloseable {
    private static final String URGENT = "reset_password";
    private static final String REPORT = "build_report";
    private static final int SHORT_SLOTS = 28;
    private static final int MEDIUM_SLOTS = 7;
    private static final int SHORT_BACKLOG = 600;
    private static final int MEDIUM_BACKLOG = 12;
    private static final int BATCH = 100;
    private static final Duration TOP_UP = Duration.ofMillis(50);
    private static final Duration URGENT_EVERY = Duration.ofMillis(100);
    private static final Duration REPORT_RUNS_FOR = Duration.ofSeconds(2);

    private record Note(long number) {}

    private final Meters meters;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final List<Fairlane> clients = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Map<String, AtomicLong> waiting = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private final Worker worker;

    private DemoLoad(Fairlane admin, Meters meters) {
        this.meters = meters;
        this.worker = Worker.of(admin)
                .name("demo-worker")
                .drainOnShutdown(false)
                .drainWindow(Duration.ofSeconds(3))
                .pool(Pool.SHORT)
                .slots(SHORT_SLOTS)
                .pool(Pool.MEDIUM)
                .slots(MEDIUM_SLOTS)
                .handle("send_email", Note.class, (context, note) -> work(context, 5, 25))
                .handle("resize_image", Note.class, (context, note) -> work(context, 30, 90))
                .handle("charge_card", Note.class, (context, note) -> charge(context))
                .handle("import_feed", Note.class, (context, note) -> work(context, 400, 1_200))
                .handle(URGENT, Note.class, (context, note) -> urgent(context))
                .handle(REPORT, Note.class, (context, note) -> report(context))
                .start();
    }

    static DemoLoad start(String url, Fairlane admin, Meters meters) {
        DemoLoad load = new DemoLoad(admin, meters);
        for (DemoTenant tenant : DemoTenant.ALL) {
            admin.admin()
                    .putTenant(
                            tenant.name(),
                            TenantRules.builder()
                                    .tier(TenantRules.Tier.ENTERPRISE)
                                    .weight(tenant.weight())
                                    .build());
            admin.admin().putType(tenant.name(), "import_feed", Pool.MEDIUM, 0, null);
            admin.admin().putType(tenant.name(), REPORT, Pool.MEDIUM, 0, null);
            String key = admin.admin()
                    .createKey("demo", tenant.name(), Admin.Role.SUBMITTER)
                    .secret();
            Fairlane client = Fairlane.connect(url, key);
            load.clients.add(client);
            load.run("feed-" + tenant.name(), () -> load.feed(client, tenant));
            load.run("urgent-" + tenant.name(), () -> load.hurry(client));
        }
        load.run("cancel", () -> load.cancelOne(load.clients.get(1)));
        return load;
    }

    private void run(String name, Step step) {
        threads.add(Thread.ofVirtual().name(name).start(() -> {
            try {
                step.run();
            } catch (InterruptedException | FairlaneException e) {
                if (stop.getCount() > 0) {
                    meters.tell(name + " stopped: " + e.getMessage());
                }
            }
        }));
    }

    private interface Step {
        void run() throws InterruptedException;
    }

    // ---------------------------------------------------------------- tenants

    private void feed(Fairlane client, DemoTenant tenant) throws InterruptedException {
        AtomicLong shorts = waiting(tenant.name(), Pool.SHORT);
        AtomicLong mediums = waiting(tenant.name(), Pool.MEDIUM);
        do {
            long missing = SHORT_BACKLOG - shorts.get();
            while (missing > 0 && stop.getCount() > 0) {
                int size = (int) Math.min(missing, BATCH);
                submit(client, shorts, size, this::shortType);
                missing -= size;
            }
            long few = MEDIUM_BACKLOG - mediums.get();
            if (few > 0) {
                submit(client, mediums, (int) few, () -> "import_feed");
            }
        } while (!stop.await(TOP_UP.toMillis(), TimeUnit.MILLISECONDS));
    }

    private void submit(Fairlane client, AtomicLong counter, int size, Supplier<String> type) {
        List<Job> jobs = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            jobs.add(Job.of(type.get(), new Note(numbers.incrementAndGet())));
        }
        counter.addAndGet(size);
        long begin = System.nanoTime();
        client.submitAll(jobs);
        meters.submitted(System.nanoTime() - begin);
    }

    private String shortType() {
        int dice = ThreadLocalRandom.current().nextInt(100);
        return dice < 60 ? "send_email" : dice < 85 ? "resize_image" : "charge_card";
    }

    /** Somebody waits for these: most urgent of all, but never at another tenant's cost. */
    private void hurry(Fairlane client) throws InterruptedException {
        do {
            long begin = System.nanoTime();
            client.submit(Job.of(URGENT, new Note(begin)).priority(0));
            meters.submitted(System.nanoTime() - begin);
        } while (!stop.await(URGENT_EVERY.toMillis(), TimeUnit.MILLISECONDS));
    }

    private void cancelOne(Fairlane client) throws InterruptedException {
        JobHandle report = client.submit(Job.of(REPORT, new Note(0)).priority(0));
        try (var changes = report.watch()) {
            changes.takeWhile(job -> job.state() != JobState.RUNNING).forEach(job -> {});
        }
        if (!stop.await(REPORT_RUNS_FOR.toMillis(), TimeUnit.MILLISECONDS)) {
            meters.cancelling();
            report.cancel();
        }
    }

    // ---------------------------------------------------------------- the worker

    private Object work(JobContext context, int fromMillis, int toMillis) throws InterruptedException {
        started(context);
        TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(fromMillis, toMillis));
        return Map.of("ok", true);
    }

    private Object charge(JobContext context) throws InterruptedException {
        work(context, 10, 30);
        int dice = ThreadLocalRandom.current().nextInt(200);
        if (dice == 0) {
            throw new NonRetryableException("card was reported stolen");
        }
        if (dice < 20 && context.firstAttempt()) {
            throw new IllegalStateException("the bank does not answer");
        }
        return Map.of("charged", true);
    }

    private Object urgent(JobContext context) throws InterruptedException {
        meters.urgentStarted(context.tenant(), Duration.between(context.submittedAt(), Instant.now()));
        TimeUnit.MILLISECONDS.sleep(5);
        return Map.of("ok", true);
    }

    private Object report(JobContext context) throws InterruptedException {
        CountDownLatch cancelled = new CountDownLatch(1);
        context.onCancel(cancelled::countDown);
        if (cancelled.await(1, TimeUnit.MINUTES)) {
            meters.cancelHeard(context.tenant(), context.type());
            throw new CancellationException("no longer wanted");
        }
        return Map.of("pages", 1);
    }

    private void started(JobContext context) {
        if (context.firstAttempt()) {
            Pool pool = context.type().equals("import_feed") ? Pool.MEDIUM : Pool.SHORT;
            waiting(context.tenant(), pool).decrementAndGet();
        }
    }

    private AtomicLong waiting(String tenant, Pool pool) {
        return waiting.computeIfAbsent(tenant + "/" + pool, key -> new AtomicLong());
    }

    /** Stops submitting and working; what is still waiting goes with the server. */
    @Override
    public void close() {
        stop.countDown();
        threads.forEach(Thread::interrupt);
        worker.close();
        clients.forEach(Fairlane::close);
    }
}
