package dev.fairlane.runtime;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantChange;
import dev.fairlane.core.model.Tier;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.journal.Journal;
import dev.fairlane.journal.memory.InMemoryJournal;
import dev.fairlane.journal.memory.InMemoryStore;
import dev.fairlane.journal.memory.StepExecutor;
import dev.fairlane.journal.memory.StoreOperation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** A node on one thread over the in-memory store, with a clock the test moves. */
final class NodeRig {
    private final NodeConfig config;
    private long micros = 1_700_000_000_000_000L;
    private long storeAhead;
    final InMemoryStore store;
    private final List<Runnable> heldCommits = new ArrayList<>();
    private boolean holdCommits;
    private final StepExecutor steps = StepExecutor.immediate();
    private final List<StoreOperation<?>> heldFetches = new ArrayList<>();
    private boolean holdFetches;
    private final List<StoreOperation<?>> heldFlushes = new ArrayList<>();
    private boolean holdFlushes;
    /** How often the store was looked after. */
    int maintained;

    /** What the next start finds before its store. */
    UnaryOperator<Journal> before = UnaryOperator.identity();

    LocalNode node;

    NodeRig() {
        this(NodeConfig.named("n1"), InMemoryStore.SEGMENT_ROWS);
    }

    /** Commits follow each other at once: time stands still between the deeds of a test. */
    NodeRig(NodeConfig config, int segmentRows) {
        this(config, segmentRows, 0);
    }

    /** With the spacing of commits that the node has in use. */
    static NodeRig spaced() {
        NodeConfig usual = NodeConfig.named("n1");
        return new NodeRig(usual, InMemoryStore.SEGMENT_ROWS, usual.commits().spacingMicros());
    }

    private NodeRig(NodeConfig config, int segmentRows, long spacingMicros) {
        this.config = config.withCommitSpacing(spacingMicros);
        store = new InMemoryStore(() -> micros + storeAhead, this::execute, segmentRows);
        node = start();
    }

    LocalNode start() {
        NodeParts parts = new NodeParts(() -> micros * 1_000, this::encode, () -> 0L, () -> {});
        node = LocalNode.open(before.apply(new InMemoryJournal(store, "n1")), config, parts)
                .join();
        return node;
    }

    private void execute(StoreOperation<?> operation) {
        if (holdFetches
                && (operation.name().equals("specs")
                        || operation.name().startsWith("find ")
                        || operation.name().startsWith("load "))) {
            heldFetches.add(operation);
        } else if (holdFlushes && operation.name().startsWith("flush ")) {
            heldFlushes.add(operation);
        } else {
            if (operation.name().startsWith("maintain")) {
                maintained++;
            }
            steps.execute(operation);
        }
    }

    /** From now on neither payloads nor keys nor single jobs come from the store until {@link #letFetch}. */
    void holdFetches() {
        holdFetches = true;
    }

    void letFetch() {
        letFetch(List.copyOf(heldFetches));
    }

    /** What was asked for last comes first. */
    void letFetchBackwards() {
        letFetch(List.copyOf(heldFetches).reversed());
    }

    private void letFetch(List<StoreOperation<?>> operations) {
        holdFetches = false;
        heldFetches.clear();
        operations.forEach(steps::execute);
        settle();
    }

    /** From now on nothing comes from the log into rows until {@link #letFlush} or {@link #forgetFlushes}. */
    void holdFlushes() {
        holdFlushes = true;
    }

    void letFlush() {
        holdFlushes = false;
        letFlushesSoFar();
    }

    /** What was held goes through; what comes next is held again. */
    void letFlushesSoFar() {
        List<StoreOperation<?>> operations = List.copyOf(heldFlushes);
        heldFlushes.clear();
        operations.forEach(steps::execute);
        settle();
    }

    /** What was held is lost with the node. */
    void forgetFlushes() {
        holdFlushes = false;
        heldFlushes.clear();
    }

    private void encode(Runnable task) {
        if (holdCommits) {
            heldCommits.add(task);
        } else {
            task.run();
        }
    }

    /** From now on nothing becomes durable until {@link #letCommit}. */
    void holdCommits() {
        holdCommits = true;
    }

    void letCommit() {
        holdCommits = false;
        List<Runnable> tasks = List.copyOf(heldCommits);
        heldCommits.clear();
        tasks.forEach(Runnable::run);
        settle();
    }

    /** What was held never becomes durable; what comes next does. */
    void loseCommits() {
        holdCommits = false;
        heldCommits.clear();
    }

    /** Turns until nothing is left to do at this moment. */
    void settle() {
        do {
            while (node.turn()) {}
        } while (node.nextTurnAt() <= node.now() && !node.ended().isDone());
    }

    /** Time passes and nobody gets a turn. */
    void skip(long byMicros) {
        micros += byMicros;
    }

    void jumpStoreClock(long byMicros) {
        storeAhead += byMicros;
    }

    void advance(long byMicros) {
        long until = micros + byMicros;
        while (micros < until) {
            micros = Math.min(until, Math.max(micros + 1, Math.min(node.nextTurnAt(), micros + 200_000)));
            settle();
        }
    }

    <T> T settled(CompletableFuture<T> reply) {
        settle();
        if (!reply.isDone()) {
            advance(10_000);
        }
        if (!reply.isDone()) {
            throw new AssertionError("no answer");
        }
        return reply.join();
    }

    Tenant tenant(String name, int weight) {
        Command.PutTenant put = new Command.PutTenant(name, weight, TenantChange.toTier(Tier.ENTERPRISE));
        return ((Answer.TenantIs) settled(node.putTenant(put))).tenant();
    }

    JobId submit(Tenant tenant, String type) {
        return submit(tenant, NewJob.of(type, new Payload("{}".getBytes(StandardCharsets.UTF_8), Payload.JSON)));
    }

    JobId submit(Tenant tenant, NewJob job) {
        Answer answer =
                settled(node.submit(tenant.id(), List.of(job))).answers().getFirst();
        return ((Answer.Submitted) answer).id();
    }

    JobView job(JobId id) {
        return settled(node.get(null, id)).orElseThrow();
    }

    TestWorker worker(String name, int slots, String... types) {
        return worker(name, slots, List.of(), types);
    }

    TestWorker worker(String name, int slots, List<LeaseRef> held, String... types) {
        TestWorker worker = new TestWorker();
        worker.session =
                node.connect(new WorkerOffer(name, null, List.of(types), Map.of("short", slots)), held, worker);
        settle();
        return worker;
    }

    /** Records what a worker hears. */
    static class TestWorker implements WorkerStream {
        WorkerSession session;
        final List<Granted> leases = new ArrayList<>();
        final List<Ack> acks = new ArrayList<>();
        final List<LeaseRef> cancels = new ArrayList<>();
        /** Cancels of leases that had not come, over this stream. */
        final List<LeaseRef> unknown = new ArrayList<>();

        final List<LeaseRef> revoked = new ArrayList<>();
        final List<String> ended = new ArrayList<>();
        long heartbeatAcks;
        int listening;
        boolean welcome;

        LeaseRef ref(int index) {
            Granted lease = leases.get(index);
            return new LeaseRef(lease.spec().id(), lease.status().token());
        }

        void fail(LeaseRef lease, Failure failure) {
            session.report(
                    new WorkerSession.Report(List.of(), List.of(), List.of(new WorkerSession.Failed(lease, failure))));
        }

        void succeed(LeaseRef lease) {
            session.report(new WorkerSession.Report(
                    List.of(), List.of(new WorkerSession.Success(lease, Payload.EMPTY)), List.of()));
        }

        @Override
        public void welcome(long heartbeatMicros, List<LeaseRef> revoked) {
            welcome = true;
            this.revoked.addAll(revoked);
        }

        @Override
        public void leases(List<Granted> granted) {
            leases.addAll(granted);
        }

        @Override
        public void acks(List<Ack> heard) {
            acks.addAll(heard);
        }

        @Override
        public void cancels(List<LeaseRef> heard) {
            heard.stream()
                    .filter(cancel ->
                            leases.stream().noneMatch(lease -> lease.status().token() == cancel.token()))
                    .forEach(unknown::add);
            cancels.addAll(heard);
        }

        @Override
        public void heartbeatAck(long number, List<LeaseRef> revoked) {
            heartbeatAcks = number;
            this.revoked.addAll(revoked);
        }

        @Override
        public void listening() {
            listening++;
        }

        @Override
        public void ended(String reason) {
            ended.add(reason);
        }
    }
}
