package dev.fairlane.runtime;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Notice;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.UsageRow;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.core.shard.HardState;
import dev.fairlane.core.shard.JobSnapshot;
import dev.fairlane.core.shard.TenantStanding;
import dev.fairlane.journal.ApiKeyStore;
import dev.fairlane.journal.JobPage;
import dev.fairlane.journal.JobQuery;
import dev.fairlane.journal.Journal;
import dev.fairlane.journal.OpenedLog;
import dev.fairlane.journal.RecoverySink;
import dev.fairlane.journal.UsageQuery;
import dev.fairlane.journal.WebhookSecretStore;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node that owns the jobs: turns what edges ask into calls on its loop. Somebody drives the loop, a thread ({@link #drive}) or a
 * simulator ({@link #turn}).
 */
public final class LocalNode implements Node {
    private static final Logger log = LoggerFactory.getLogger(LocalNode.class);

    /** Beside its payload. */
    private static final int ABOUT_A_JOB_BYTES = 200;

    final NodeLoop loop;
    private final Journal journal;
    private final OpenedLog opened;
    private final Reads reads;
    private final JobIds ids;
    private final Submits submits;
    private final NodeParts parts;
    private final AtomicInteger sessionIds = new AtomicInteger();
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private final LocalOperations operations;
    private final LocalControls controls;
    private final LocalDeadLetters deadLetters;
    private final LocalJobGroups groups;
    private final LocalAuditTrail audit;
    private final LocalSchedules schedules;
    private final Explaining explaining;
    private volatile boolean stopping;

    private LocalNode(Journal journal, OpenedLog opened, Recovery recovery, NodeConfig config, NodeParts parts) {
        this.journal = journal;
        this.opened = opened;
        this.parts = parts;
        this.loop = new NodeLoop(
                journal,
                opened,
                recovery.engine(),
                recovery.projection(),
                recovery.directory(),
                recovery.audits(),
                config,
                parts,
                ended::complete);
        this.reads = new Reads(loop, journal, config.sabotage());
        long epoch = opened.log().epoch();
        this.ids = new JobIds(0, epoch);
        this.submits = new Submits(loop, reads, ids, parts.random(), epoch);
        this.operations = new LocalOperations(
                this,
                loop,
                new BulkOperations(
                        loop.inbox, loop.timers, loop::now, opened.log().epoch()));
        this.controls = new LocalControls(this, loop, reads, journal, operations);
        this.deadLetters = new LocalDeadLetters(this, loop, reads, journal, opened.log(), operations);
        this.groups = new LocalJobGroups(this, loop, ids, journal, submits);
        this.audit = new LocalAuditTrail(this, loop, journal);
        this.schedules = new LocalSchedules(this, loop, reads);
        this.explaining = new Explaining(this, loop, reads);
    }

    /** Fences whoever owned the jobs before, loads what is durable, and is ready to be driven. */
    public static CompletableFuture<LocalNode> open(Journal journal, NodeConfig config, NodeParts parts) {
        Recovery recovery = new Recovery(config.engine(), config.sabotage());
        SabotagedRecovery sabotaged = new SabotagedRecovery(recovery, config.sabotage());
        RecoverySink sink = config.sabotage().isEmpty() ? recovery : sabotaged;
        long askedNanos = parts.tickerNanos().getAsLong();
        return journal.open(config.name(), sink).thenApply(opened -> {
            sabotaged.end();
            log.info(
                    "log {} opened: {} open jobs from the store, {} facts from the journal's tail",
                    opened.log().epoch(),
                    recovery.openJobs(),
                    recovery.tailFacts());
            LocalNode node = new LocalNode(journal, opened, recovery, config, parts);
            node.loop.commit.proven(askedNanos);
            return node;
        });
    }

    /** Drives the loop, on the calling thread and the one that appends, until the node is over. The drivers are those of its parts. */
    public void drive(Drivers drivers) {
        try {
            drivers.drive(new Turns());
        } finally {
            loop.inbox.runAll();
        }
    }

    private final class Turns implements Drivers.Turns {
        @Override
        public boolean turn() {
            return loop.turn();
        }

        @Override
        public long nextTurnAt() {
            return loop.nextTurnAt();
        }

        @Override
        public long now() {
            return loop.clock.now();
        }

        @Override
        public boolean over() {
            return ended.isDone();
        }

        @Override
        public void broke(Throwable fault) {
            loop.broke(fault);
        }
    }

    /** To be called before the node is driven by one who opens its port later: until {@link #reachable} no job's time runs out. */
    public void unreachable() {
        loop.unreachable();
    }

    /** Callers can connect from now on: every live lease has its full length again. */
    public void reachable() {
        loop.inbox.signal(loop::reachable);
    }

    /** One turn of the loop; true when there is more to do at once. */
    public boolean turn() {
        return loop.turn();
    }

    /** When the next turn is due if nothing comes in before. */
    public long nextTurnAt() {
        return loop.nextTurnAt();
    }

    /** The node's present time. */
    public long now() {
        return loop.clock.now();
    }

    /** Asks the loop what comes next; answered within a turn. */
    public CompletableFuture<Outlook> outlook() {
        CompletableFuture<Outlook> reply = new CompletableFuture<>();
        loop.inbox.signal(() -> reply.complete(loop.outlook(opened.log().epoch())));
        return reply;
    }

    /** Everything that a restart has to bring back; for tests. */
    HardState hardState() {
        return loop.engine.hardState(loop.clock.now());
    }

    /** For tests. */
    int keysInMemory() {
        return loop.engine.stats(loop.clock.now()).keys();
    }

    /** Completes when the node is over: empty after a stop, else why it lost its log. */
    public CompletableFuture<String> ended() {
        return ended;
    }

    /** No more calls; what was taken is committed and projected, the log is closed. */
    public CompletableFuture<Void> stop() {
        stopping = true;
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        // one that is over already has nobody to wind it down
        ended.thenRun(() -> stopped.complete(null));
        loop.inbox.signal(() -> {
            loop.sessions.endAll("the node stops");
            windDown(stopped);
        });
        return stopped;
    }

    private void windDown(CompletableFuture<Void> stopped) {
        if (!loop.serving()) {
            stopped.complete(null);
        } else if (loop.commit.idle() && loop.flusher.idle()) {
            journal.close(opened.log())
                    .whenComplete((done, fault) -> loop.inbox.signal(() -> {
                        if (fault != null) {
                            log.warn(
                                    "the log could not be closed; the next start replays its tail: {}",
                                    fault.toString());
                        }
                        loop.end("");
                        stopped.complete(null);
                    }));
        } else {
            if (loop.commit.idle()) {
                loop.flusher.whenAllStored(loop.commit.committed(), () -> {});
            }
            loop.timers.at(loop.now() + 2_000, () -> windDown(stopped));
        }
    }

    @Override
    public CompletableFuture<SubmitReply> submit(TenantId tenant, List<NewJob> jobs, String request) {
        CompletableFuture<SubmitReply> reply = new CompletableFuture<>();
        call(tenant, Math.max(1, jobs.size()), bytes(jobs), reply, () -> submits.take(tenant, jobs, request, reply));
        return reply;
    }

    static int bytes(List<NewJob> jobs) {
        int bytes = 0;
        for (NewJob job : jobs) {
            bytes += ABOUT_A_JOB_BYTES + job.payload().bytes().length;
        }
        return bytes;
    }

    @Override
    public CompletableFuture<JobId> newId(TenantId tenant) {
        CompletableFuture<JobId> reply = new CompletableFuture<>();
        call(tenant, reply, () -> reply.complete(ids.next(loop.now())));
        return reply;
    }

    @Override
    public CompletableFuture<Answer> cancel(@Nullable TenantId scope, JobId id, @Nullable Author author) {
        return controls.cancel(scope, id, author);
    }

    @Override
    public CompletableFuture<Optional<JobView>> get(@Nullable TenantId scope, JobId id) {
        CompletableFuture<Optional<JobView>> reply = new CompletableFuture<>();
        call(scope, reply, () -> reads.get(scope, id, reply));
        return reply;
    }

    @Override
    public CompletableFuture<Optional<Explained>> explain(@Nullable TenantId scope, JobId id) {
        CompletableFuture<Optional<Explained>> reply = new CompletableFuture<>();
        call(scope, reply, () -> loop.far.visit(scope, id, reply, () -> explaining.explain(scope, id, reply)));
        return reply;
    }

    @Override
    public CompletableFuture<Optional<JobView>> await(@Nullable TenantId scope, JobId id, long timeoutMicros) {
        CompletableFuture<Optional<JobView>> reply = new CompletableFuture<>();
        Watch watch = watch(scope, id, view -> {
            if (view.status().state().terminal()) {
                reply.complete(Optional.of(view));
            }
        });
        watch.done().whenComplete((found, fault) -> {
            if (fault != null) {
                reply.completeExceptionally(fault);
            } else if (!found) {
                reply.complete(Optional.empty());
            }
        });
        loop.inbox.signal(() -> {
            LoopTimers.Timer timer = loop.timers.at(loop.now() + timeoutMicros, () -> reads.get(scope, id, reply));
            reply.whenComplete((view, fault) -> loop.inbox.signal(timer::cancel));
        });
        return reply.whenComplete((view, fault) -> watch.close());
    }

    @Override
    public Watch watch(@Nullable TenantId scope, JobId id, Consumer<JobView> watcher) {
        WatchUnderWay watch = new WatchUnderWay(loop, reads, scope, id, watcher);
        call(scope, watch.done(), watch::begin);
        return watch;
    }

    @Override
    public CompletableFuture<JobPage> list(JobQuery query, Position minPosition) {
        CompletableFuture<JobPage> reply = new CompletableFuture<>();
        long epoch = opened.log().epoch();
        call(query.scope(), reply, () -> {
            if (minPosition.epoch() > epoch) {
                reply.completeExceptionally(new NodeFault(
                        NodeFault.Kind.NOT_SERVING, "position " + minPosition + " was given out by a later start"));
                return;
            }
            if (minPosition.epoch() == epoch && minPosition.sequence() > loop.commit.position()) {
                reply.completeExceptionally(new NodeFault(
                        NodeFault.Kind.UNKNOWN_POSITION, "position " + minPosition + " was never given out"));
                return;
            }
            whenReadable(
                    query,
                    flushNeededFor(minPosition),
                    () -> journal.list(query).whenComplete((page, fault) -> {
                        if (fault != null) {
                            reply.completeExceptionally(new NodeFault(
                                    NodeFault.Kind.STORE_UNAVAILABLE, "the store could not be read", fault));
                        } else {
                            reply.complete(page);
                        }
                    }));
        });
        return reply;
    }

    private void whenReadable(JobQuery query, long flushNeeded, Runnable read) {
        boolean endedOnly = !query.states().isEmpty() && query.states().stream().allMatch(JobState::terminal);
        if (endedOnly) {
            loop.flusher.whenFlushed(flushNeeded, read);
        } else {
            loop.flusher.waitingJobsAreRead(loop.now());
            loop.flusher.whenAllStored(flushNeeded, read);
        }
    }

    private long flushNeededFor(Position position) {
        if (position.equals(Position.NONE)) {
            return Flusher.NOTHING;
        }
        return position.epoch() == opened.log().epoch() ? position.sequence() : Flusher.RECOVERED;
    }

    @Override
    public CompletableFuture<Answer> putTenant(Command.PutTenant put, @Nullable Author author) {
        return decide(null, put, author);
    }

    @Override
    public CompletableFuture<Answer> putType(Command.PutType type, @Nullable Author author) {
        return decide(type.tenant(), type, author);
    }

    @Override
    public CompletableFuture<Answer> releaseType(TenantId tenant, String name, @Nullable Author author) {
        return decide(tenant, new Command.ReleaseType(tenant, name, true), author);
    }

    @Override
    public CompletableFuture<@Nullable TenantStanding> standing(TenantId tenant) {
        CompletableFuture<@Nullable TenantStanding> reply = new CompletableFuture<>();
        call(tenant, reply, () -> {
            TenantStanding standing = loop.engine.standing(tenant, loop.now());
            park(reply, () -> reply.complete(standing));
        });
        return reply;
    }

    @Override
    public CompletableFuture<List<TypeState>> typeStates(@Nullable TenantId scope) {
        CompletableFuture<List<TypeState>> reply = new CompletableFuture<>();
        call(scope, reply, () -> {
            List<TypeState> types = loop.engine.types(scope).stream()
                    .map(type -> new TypeState(
                            type,
                            loop.engine.breakers(type.tenant(), type.name(), loop.now()),
                            loop.engine.pace(type.tenant(), type.name(), loop.now())))
                    .toList();
            park(reply, () -> reply.complete(types));
        });
        return reply;
    }

    private CompletableFuture<Answer> decide(@Nullable TenantId caller, Command command, @Nullable Author author) {
        CompletableFuture<Answer> reply = new CompletableFuture<>();
        call(caller, reply, () -> {
            Answer answer = loop.decide(command, author);
            park(reply, () -> reply.complete(answer));
        });
        return reply;
    }

    @Override
    public CompletableFuture<Answer> checkpoint(
            @Nullable TenantId scope, JobId id, long token, String ref, long bytes) {
        CompletableFuture<Answer> reply = new CompletableFuture<>();
        call(scope, reply, () -> {
            JobSnapshot job = loop.engine.job(id);
            Answer answer = job == null || scope != null && !scope.equals(job.tenant())
                    ? noSuchJob(id)
                    : loop.decide(new Command.Checkpoint(id, checked(job, token), ref, bytes));
            if (answer instanceof Answer.Applied) {
                loop.engine.progressed(id, token, loop.now());
            }
            park(reply, () -> reply.complete(answer));
        });
        return reply;
    }

    private long checked(JobSnapshot job, long token) {
        return loop.config.sabotage().contains(Sabotage.CHECKPOINT_ANY_TOKEN)
                ? job.status().token()
                : token;
    }

    @Override
    public CompletableFuture<OptionalInt> drainWorker(
            @Nullable TenantId scope, String worker, boolean handOver, @Nullable Author author) {
        CompletableFuture<OptionalInt> reply = new CompletableFuture<>();
        call(scope, reply, () -> Drains.order(this, loop, scope, worker, handOver, author, reply));
        return reply;
    }

    @Override
    public void onCheckpointedEnd(Consumer<Fact.JobEnded> listener) {
        loop.ends.add(listener);
    }

    @Override
    public boolean missesCheckpoint(JobView job) {
        return loop.ends.missing(job.spec(), job.status());
    }

    @Override
    public long checkpointsMissing() {
        return loop.board.latest().noticed().getOrDefault(Notice.Kind.CHECKPOINT_MISSING, 0L);
    }

    @Override
    public CompletableFuture<List<JobType>> types(@Nullable TenantId scope) {
        CompletableFuture<List<JobType>> reply = new CompletableFuture<>();
        call(scope, reply, () -> {
            List<JobType> types = loop.engine.types(scope);
            park(reply, () -> reply.complete(types));
        });
        return reply;
    }

    @Override
    public List<Tenant> tenants() {
        return loop.directory.all();
    }

    @Override
    public @Nullable Tenant tenant(String name) {
        return loop.directory.tenant(name);
    }

    @Override
    public @Nullable Tenant tenant(TenantId id) {
        return loop.directory.tenant(id);
    }

    @Override
    public Controls controls() {
        return controls;
    }

    @Override
    public DeadLetters deadLetters() {
        return deadLetters;
    }

    @Override
    public JobGroups groups() {
        return groups;
    }

    @Override
    public JobSchedules schedules() {
        return schedules;
    }

    @Override
    public Operations operations() {
        return operations;
    }

    @Override
    public AuditTrail audit() {
        return audit;
    }

    @Override
    public String payloadSchema(TenantId tenant, String type) {
        return loop.directory.payloadSchema(tenant, type);
    }

    @Override
    public CompletableFuture<List<UsageRow>> usage(UsageQuery query) {
        CompletableFuture<List<UsageRow>> reply = new CompletableFuture<>();
        call(query.scope(), reply, () -> Usages.read(journal, loop, query, reply));
        return reply;
    }

    @Override
    public ApiKeyStore keys() {
        return journal.keys();
    }

    @Override
    public WebhookSecretStore webhookSecrets() {
        return journal.webhookSecrets();
    }

    @Override
    public WorkerSession connect(WorkerOffer offer, List<LeaseRef> held, WorkerStream stream) {
        LocalWorkerSession session = new LocalWorkerSession(
                sessionIds.incrementAndGet(), offer.scope(), loop, reads, parts.random(), stream);
        if (stopping) {
            stream.ended("the node stops");
        } else {
            session.open(offer, held);
        }
        return session;
    }

    @Override
    public NodeStatus status() {
        return loop.board.latest();
    }

    @Override
    public CompletableFuture<NodeStatus> statusNow(@Nullable TenantId scope) {
        CompletableFuture<NodeStatus> reply = new CompletableFuture<>();
        call(scope, reply, () -> loop.board.ask(reply));
        return reply;
    }

    /** A question or a small change. */
    void call(@Nullable TenantId caller, CompletableFuture<?> reply, Runnable action) {
        call(caller, 1, 0, reply, action);
    }

    /**
     * Brings a call to the loop, or fails its reply when it cannot be taken.
     *
     * @param caller whose turn it uses; null for those of the whole node
     * @param bytes about what the call brings: callers take turns by it
     */
    void call(@Nullable TenantId caller, int weight, int bytes, CompletableFuture<?> reply, Runnable action) {
        if (stopping) {
            reply.completeExceptionally(new NodeFault(NodeFault.Kind.NOT_SERVING, "the node stops; nothing was done"));
            return;
        }
        int number = caller == null ? Inbox.NOBODY : caller.number();
        SharedRoom.Full full = loop.inbox.offer(number, weight, bytes, () -> {
            if (!loop.serving()) {
                reply.completeExceptionally(
                        new NodeFault(NodeFault.Kind.NOT_SERVING, "the node no longer serves; nothing was done"));
                return;
            }
            try {
                action.run();
            } catch (RuntimeException e) {
                log.error("a call failed", e);
                reply.completeExceptionally(new NodeFault(NodeFault.Kind.INTERNAL, "unexpected: " + e, e));
            }
        });
        if (full != null) {
            reply.completeExceptionally(NodeFault.overloaded(
                    "expected at most " + full.limit() + " jobs and questions of "
                            + (full.own() ? "one caller" : "all callers") + " to wait at once, and " + full.present()
                            + " do; nothing was done",
                    full.limit(),
                    full.present()));
        } else if (ended.isDone()) {
            // nobody turns the loop any more: whoever comes late is told so by himself
            loop.inbox.runAll();
        }
    }

    void park(CompletableFuture<?> reply, Runnable release) {
        loop.commit.afterDurable(new Parked(release, reply));
    }

    static Answer noSuchJob(JobId id) {
        return Answer.Refused.of(RefusalCode.JOB_NOT_FOUND, "there is no job " + id);
    }
}
