package dev.fairlane.sdk.testing;

import dev.fairlane.core.model.PoolRules;
import dev.fairlane.journal.ApiKeyStore.ApiKey;
import dev.fairlane.journal.Journal;
import dev.fairlane.journal.memory.InMemoryJournal;
import dev.fairlane.journal.memory.InMemoryStore;
import dev.fairlane.runtime.NodeConfig;
import dev.fairlane.sdk.Admin;
import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.Handler;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobFilter;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobInfo;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.Pool;
import dev.fairlane.sdk.TenantRules;
import dev.fairlane.sdk.Worker;
import dev.fairlane.server.FairlaneServer;
import dev.fairlane.server.RunningNode;
import dev.fairlane.server.auth.Credential;
import dev.fairlane.server.auth.KeyRing;
import dev.fairlane.server.auth.Role;
import dev.fairlane.server.config.ServerConfig;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The real server for a test: its journal is in memory, its clock belongs to the test, and clients and workers talk to it over loopback.
 *
 * <pre>{@code
 * try (var test = TestFairlane.start()) {
 *     test.worker("send_email", SendEmail.class, (ctx, email) -> mailer.send(email));
 *     JobHandle job = test.client().submit(Job.of("send_email", new SendEmail("a@example.com")));
 *     test.awaitIdle();                                  // the mailer is down: one failed attempt
 *     mailer.repair();
 *     test.clock().advance(Duration.ofSeconds(2));       // the first retry comes after a second
 *     assertThat(job.state()).isEqualTo(JobState.SUCCEEDED);
 * }
 * }</pre>
 *
 * <p>What is in memory is gone with {@link #close}. May be used from any thread.
 */
public final class TestFairlane implements AutoCloseable {
    private static final Duration CONNECTED_WITHIN = Duration.ofSeconds(30);
    private static final Duration CALL_WITHIN = Duration.ofSeconds(60);
    private static final Duration DRAIN_WINDOW = Duration.ofMillis(500);
    /** Longer than any test moves the clock: a jump of the time is not a stall of the server. */
    private static final long NEVER_MICROS = TimeUnit.DAYS.toMicros(36_500);

    /** A queued job may be held back for a while, by a breaker or a limit; not for longer than this. */
    private static final Duration HELD_BACK = Duration.ofHours(1);

    private static final Duration JOB_LIFE = Duration.ofDays(3_650);

    private final TestClock clock;
    private final Journal journal;
    private final RunningNode node;
    private final FairlaneServer server;
    private final String key;
    private final Passage passage;
    private final Duration idleWithin;
    private final Fairlane client;
    private final Map<String, Fairlane> clients = new ConcurrentHashMap<>();

    private TestFairlane(Builder builder) {
        this.clock = new TestClock(builder.startAt);
        this.idleWithin = builder.idleWithin;
        this.journal = builder.journal.apply(clock::micros);
        this.node = RunningNode.start(
                journal,
                NodeConfig.named("test")
                        .withStall(NEVER_MICROS)
                        .withHorizon(NodeConfig.Memory.NO_HORIZON)
                        .withCommitSpacing(0),
                clock::nanos);
        FairlaneServer.ensureDefaultTenant(node.node());
        SecureRandom random = new SecureRandom();
        KeyRing keys = new KeyRing(node.node().keys());
        Credential admin = Credential.make(random);
        keys.add(new ApiKey(admin.id(), admin.hash(), "test", "", Role.ADMIN.text(), clock.micros(), 0))
                .join();
        this.key = admin.text();
        this.server = FairlaneServer.start(
                node.node(),
                keys,
                new ServerConfig.Listen("127.0.0.1", 0, Duration.ZERO),
                PoolRules.DEFAULTS,
                random,
                clock);
        node.reachable();
        this.passage = new Passage(clock, node, builder.patience);
        clock.movedBy(passage);
        this.client = Fairlane.builder()
                .address(address())
                .key(key)
                .deadline(CALL_WITHIN)
                .workerClock(clock)
                .connect();
    }

    /** A server with the defaults. */
    public static TestFairlane start() {
        return builder().start();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** A client that may do everything, for the tenant {@code default}. */
    public Fairlane client() {
        return client;
    }

    /** A client of a tenant, which is made if it is not there: one that may submit as fast as it likes. */
    public Fairlane client(String tenant) {
        return clients.computeIfAbsent(tenant, name -> {
            if (node.node().tenant(name) == null) {
                client.admin()
                        .putTenant(
                                name,
                                TenantRules.builder()
                                        .tier(TenantRules.Tier.ENTERPRISE)
                                        .weight(10)
                                        .build());
            }
            return client.as(client.admin()
                    .createKey("test of " + name, name, Admin.Role.ADMIN)
                    .secret());
        });
    }

    /** Where the server listens, for clients that the test makes itself. */
    public String address() {
        return "http://127.0.0.1:" + server.port();
    }

    /** A key that may do everything. */
    public String key() {
        return key;
    }

    public TestClock clock() {
        return clock;
    }

    /** Starts a worker for one type, in all pools. It is connected when this returns, and closed with this. */
    public <T> Worker worker(String type, Class<T> payloadClass, Handler<T> handler) {
        return worker(worker -> worker.handle(type, payloadClass, handler));
    }

    /** Starts a worker as told; in all pools unless told which. It is connected when this returns, and closed with this. */
    public Worker worker(Consumer<Worker.Builder> told) {
        return worker(client, told);
    }

    /** Starts a worker of a client of this server. */
    public Worker worker(Fairlane of, Consumer<Worker.Builder> told) {
        Worker.Builder builder = Worker.of(of).drainOnShutdown(false).drainWindow(DRAIN_WINDOW);
        for (Pool pool : Pool.standard()) {
            builder.pool(pool);
        }
        told.accept(builder);
        return builder.start().awaitConnected(CONNECTED_WITHIN);
    }

    /**
     * Waits until nothing runs, and nothing waits that could run without the time moving on.
     *
     * @throws AssertionError if that does not come: a handler that blocks, or jobs that make jobs forever
     */
    public void awaitIdle() {
        passage.idle(idleWithin);
    }

    /**
     * Skips the time until the job has ended, however long its retries take.
     *
     * @throws AssertionError if it waits for something that time does not bring, e.g. for a worker
     */
    public JobInfo finish(JobHandle job) {
        while (true) {
            JobInfo info = job.get();
            if (info.state().terminal()) {
                return info;
            }
            Duration within = info.state() == JobState.QUEUED ? HELD_BACK : JOB_LIFE;
            if (!passage.moveToNextDue(within) && !waitsForItsTime(job.state())) {
                throw new AssertionError("expected the job to end, but it is " + job.state()
                        + " and waits for nothing that time brings; is there a worker for '" + info.type() + "'?");
            }
        }
    }

    private static boolean waitsForItsTime(JobState state) {
        return state.terminal() || state == JobState.SCHEDULED || state == JobState.RETRY_WAIT;
    }

    /** Submits the job and {@linkplain #finish skips the time} until it has ended. */
    public JobInfo run(Job job) {
        return finish(client.submit(job));
    }

    /** All jobs of a type so far, oldest first, as they are now: submitted by the test or by handlers, of all tenants. */
    public List<JobInfo> submitted(String type) {
        String all = passage.now().position().toString();
        return client.list(JobFilter.all().type(type).minPosition(all))
                .map(listed -> client.job(listed.id()).get())
                .toList()
                .reversed();
    }

    /** @throws AssertionError unless some job of this type was submitted */
    public void assertSubmitted(String type) {
        if (submitted(type).isEmpty()) {
            throw new AssertionError("expected a job of type '" + type + "' to be submitted, but there is none");
        }
    }

    /** @throws AssertionError unless some job of this type was submitted with such a payload */
    public <T> void assertSubmitted(String type, Class<T> payloadClass, Predicate<? super T> such) {
        List<T> payloads = submitted(type).stream()
                .map(job -> job.payload(payloadClass))
                .<T>mapMulti((payload, next) -> {
                    if (payload != null) {
                        next.accept(payload);
                    }
                })
                .toList();
        if (payloads.stream().noneMatch(such)) {
            throw new AssertionError("expected a job of type '" + type
                    + "' with a certain payload to be submitted, but there are only " + payloads);
        }
    }

    /** @throws AssertionError if any job of this type was submitted */
    public void assertNotSubmitted(String type) {
        List<JobInfo> jobs = submitted(type);
        if (!jobs.isEmpty()) {
            throw new AssertionError("expected no job of type '" + type + "', but there are " + jobs);
        }
    }

    /** Ends the workers, the clients and the server. Handlers that still run are interrupted. */
    @Override
    public void close() {
        clients.values().forEach(Fairlane::close);
        client.close();
        node.close();
        server.close();
        journal.close();
    }

    /** Options of a server for tests. */
    public static final class Builder {
        private Instant startAt = InstantSource.system().instant();
        private Duration patience = Duration.ofSeconds(2);
        private Duration idleWithin = Duration.ofSeconds(30);
        private Function<LongSupplier, Journal> journal =
                micros -> new InMemoryJournal(new InMemoryStore(micros), "test");

        private Builder() {}

        /** Another journal than the one in memory, given the clock it has to follow, in microseconds since the epoch. */
        Builder journal(Function<LongSupplier, Journal> opened) {
            this.journal = opened;
            return this;
        }

        /** The time at which the clock starts. Default: now. */
        public Builder startAt(Instant startAt) {
            this.startAt = startAt;
            return this;
        }

        /**
         * How long a handler may take, in real time, before the clock moves on over it. Handlers that end sooner end at the time at
         * which they began. Default 2 s: more than a handler takes that only waits for a busy machine. Where handlers block on purpose, less
         * makes the test faster.
         */
        public Builder patience(Duration patience) {
            this.patience = patience;
            return this;
        }

        /** How long {@link TestFairlane#awaitIdle} waits, in real time. Default 30 s. */
        public Builder idleWithin(Duration idleWithin) {
            this.idleWithin = idleWithin;
            return this;
        }

        public TestFairlane start() {
            return new TestFairlane(this);
        }
    }
}
