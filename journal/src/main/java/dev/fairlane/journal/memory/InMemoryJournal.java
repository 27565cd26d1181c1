package dev.fairlane.journal.memory;

import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.AuditHead;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.KeyProbe;
import dev.fairlane.core.model.StoredKey;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.UsageRow;
import dev.fairlane.journal.ApiKeyStore;
import dev.fairlane.journal.AuditQuery;
import dev.fairlane.journal.Batch;
import dev.fairlane.journal.DeadCount;
import dev.fairlane.journal.DeadFilter;
import dev.fairlane.journal.DeadIds;
import dev.fairlane.journal.DeadQuery;
import dev.fairlane.journal.FarJob;
import dev.fairlane.journal.FarPortion;
import dev.fairlane.journal.Flush;
import dev.fairlane.journal.FlushReceipt;
import dev.fairlane.journal.JobPage;
import dev.fairlane.journal.JobQuery;
import dev.fairlane.journal.Journal;
import dev.fairlane.journal.JournalFault;
import dev.fairlane.journal.LogId;
import dev.fairlane.journal.OpenedLog;
import dev.fairlane.journal.RecoverySink;
import dev.fairlane.journal.Retention;
import dev.fairlane.journal.StoredJob;
import dev.fairlane.journal.UsageQuery;
import dev.fairlane.journal.WebhookSecretStore;
import dev.fairlane.journal.memory.InMemoryStore.Fault;
import dev.fairlane.journal.memory.LockQueue.Mode;
import dev.fairlane.journal.memory.StoreOperation.Stage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One node's connection to an {@link InMemoryStore}. */
public final class InMemoryJournal implements Journal {
    private final InMemoryStore store;
    private final String node;
    private final InMemoryKeys keys;
    private final InMemoryWebhookSecrets webhookSecrets;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Number of the last marker this node sent. What it sends later carries it; what it sent before cannot land behind the marker. */
    private final AtomicLong markers = new AtomicLong();

    /** @param node named in operations, for traces and for faults that strike one node */
    public InMemoryJournal(InMemoryStore store, String node) {
        this.store = store;
        this.node = node;
        this.keys = new InMemoryKeys(this, store);
        this.webhookSecrets = new InMemoryWebhookSecrets(this, store);
    }

    @Override
    public CompletableFuture<OpenedLog> open(String name, RecoverySink sink) {
        return run("open " + name, true, operation -> {
            Opening opening = new Opening();
            operation.lock(store::openings, Mode.EXCLUSIVE);
            if (store.planted(Fault.TAIL_READ_BEFORE_CLOSE)) {
                operation.then(Stage.CHECK, opening::readEarly);
            }
            operation.then(Stage.CHECK, () -> {
                if (!store.planted(Fault.OPEN_WITHOUT_LOCK)) {
                    store.openLogs().reversed().forEach(log -> operation.lockFirst(log.lock, Mode.EXCLUSIVE));
                }
            });
            operation.commit(opening::begin);
            operation.read(() -> opening.tell(sink));
        });
    }

    /** A takeover: begin the log, and only then read what was before it. */
    private final class Opening {
        private OpenedLog opened = new OpenedLog(new LogId(0), new byte[0], 0, 0);
        private @Nullable RecordedRecovery early;

        void readEarly() {
            early = new RecordedRecovery();
            store.recover(Long.MAX_VALUE, early);
        }

        OpenedLog begin() {
            opened = store.beginLog();
            return opened;
        }

        OpenedLog tell(RecoverySink sink) {
            sink.begin(opened.log());
            if (early != null) {
                early.replay(sink);
                return opened;
            }
            long highWaterAt = store.recover(opened.log().epoch(), sink);
            return new OpenedLog(opened.log(), opened.genesis(), opened.nowAt(), highWaterAt);
        }
    }

    @Override
    public CompletableFuture<Void> append(LogId log, Batch batch) {
        long marker = markers.get();
        return run("append " + log.epoch() + "/" + batch.sequence(), true, operation -> {
            if (!store.planted(Fault.APPEND_WITHOUT_LOCK)) {
                operation.lock(() -> store.log(log).lock, Mode.SHARED);
            }
            operation.then(Stage.CHECK, () -> {
                if (!store.planted(Fault.APPEND_WITHOUT_FENCE)) {
                    store.log(log).checkOpen();
                }
                store.log(log).checkMarker(marker);
            });
            operation.then(Stage.WRITE, () -> store.log(log).checkNext(batch));
            commit(operation, () -> store.log(log).append(batch));
        });
    }

    @Override
    public CompletableFuture<Boolean> resolve(LogId log, long sequence) {
        long marker = markers.incrementAndGet();
        return run("resolve " + log.epoch() + "/" + sequence, true, operation -> {
            if (store.planted(Fault.RESOLVE_WITHOUT_MARKER)) {
                operation.read(() -> store.log(log).has(sequence));
                return;
            }
            operation.lock(() -> store.log(log).lock, Mode.EXCLUSIVE);
            operation.then(Stage.CHECK, () -> store.log(log).checkOpen());
            operation.commit(() -> {
                store.log(log).mark(marker);
                return store.log(log).has(sequence);
            });
        });
    }

    @Override
    public CompletableFuture<FlushReceipt> flush(LogId log, Flush flush) {
        return run("flush " + log.epoch() + "/" + flush.upTo(), true, operation -> {
            fence(operation, log);
            operation.then(Stage.WRITE, () -> {});
            operation.commit(() -> new FlushReceipt(store.flush(store.log(log), flush)));
        });
    }

    @Override
    public CompletableFuture<FlushReceipt> compact(LogId log, int segment) {
        return run("compact " + log.epoch() + "/" + segment, true, operation -> {
            fence(operation, log);
            operation.then(Stage.WRITE, () -> {});
            operation.commit(() -> new FlushReceipt(store.compact(store.log(log), segment)));
        });
    }

    /** What every projection begins with. */
    private void fence(StoreOperation<?> operation, LogId log) {
        boolean fenced = !store.planted(Fault.FLUSH_WITHOUT_FENCE);
        if (fenced && !store.planted(Fault.FLUSH_WITHOUT_LOCK)) {
            operation.lock(() -> store.log(log).lock, Mode.SHARED);
        }
        if (fenced) {
            operation.then(Stage.CHECK, () -> store.log(log).checkOpen());
        }
    }

    @Override
    public CompletableFuture<Void> maintain(LogId log, Retention retention) {
        return run("maintain " + log.epoch(), true, operation -> {
            fence(operation, log);
            commit(operation, () -> store.maintain(retention));
        });
    }

    @Override
    public CompletableFuture<Void> close(LogId log) {
        return run("close " + log.epoch(), true, operation -> {
            operation.lock(() -> store.log(log).lock, Mode.EXCLUSIVE);
            operation.then(Stage.CHECK, () -> store.log(log).checkOpen());
            commit(operation, () -> store.endLog(store.log(log)));
        });
    }

    @Override
    public CompletableFuture<Map<JobId, JobSpec>> specs(List<StoredJob> jobs) {
        return read("specs", () -> store.rows().specs(jobs));
    }

    @Override
    public CompletableFuture<FarPortion> dueFar(
            FarPortion.Place after, long until, Set<TenantId> without, int limit, int payloadBytes) {
        return read("load far jobs", () -> store.rows().dueFar(after, until, without, limit, payloadBytes));
    }

    @Override
    public CompletableFuture<List<FarJob>> findFar(List<JobId> ids) {
        return read("find far jobs", () -> store.rows().findFar(ids));
    }

    @Override
    public CompletableFuture<List<FarJob>> pageFar(@Nullable TenantId scope, @Nullable JobId after, int limit) {
        return read("list far jobs", () -> store.rows().pageFar(scope, after, limit));
    }

    @Override
    public CompletableFuture<Optional<JobView>> find(@Nullable TenantId scope, JobId id) {
        return read("find " + id, () -> store.rows().find(scope, id));
    }

    @Override
    public CompletableFuture<List<Optional<StoredKey>>> findKeys(List<KeyProbe> probes) {
        return read("find keys", () -> store.rows().findKeys(probes));
    }

    @Override
    public CompletableFuture<JobPage> list(JobQuery query) {
        return read("list", () -> store.rows().list(query));
    }

    @Override
    public CompletableFuture<DeadIds> pageDead(DeadQuery query) {
        return read("page dead", () -> store.rows().dead().page(query));
    }

    @Override
    public CompletableFuture<Map<JobId, JobView>> findDead(@Nullable TenantId scope, List<JobId> ids) {
        return read("find dead", () -> store.rows().dead().find(scope, ids));
    }

    @Override
    public CompletableFuture<List<DeadCount>> countDead(DeadFilter filter) {
        return read("count dead", () -> store.rows().dead().count(filter, store.now()));
    }

    @Override
    public CompletableFuture<Integer> purgeDead(LogId log, @Nullable TenantId scope, List<JobId> ids) {
        return run("purge dead " + log.epoch(), true, operation -> {
            fence(operation, log);
            operation.commit(() -> store.rows().dead().purge(scope, ids));
        });
    }

    @Override
    public CompletableFuture<List<AuditEntry>> audit(AuditQuery query) {
        return read("list the audit", () -> store.rows().audit().find(query));
    }

    @Override
    public CompletableFuture<List<AuditHead>> auditHeads(@Nullable TenantId chain, int after, int limit) {
        return read("find the audit's ends", () -> store.rows().audit().heads(chain, after, limit));
    }

    @Override
    public CompletableFuture<Boolean> eraseReason(TenantId chain, long sequence) {
        return run(
                "erase a reason",
                true,
                operation -> operation.commit(() -> store.rows().audit().eraseReason(chain, sequence)));
    }

    @Override
    public CompletableFuture<List<UsageRow>> usage(UsageQuery query) {
        return read("sum use", () -> store.rows().usage().find(query));
    }

    @Override
    public CompletableFuture<Long> now() {
        return read("now", store::now);
    }

    @Override
    public CompletableFuture<Optional<JobGroup>> group(@Nullable TenantId scope, JobId id) {
        return read("find group", () -> store.rows().groups().find(scope, id));
    }

    @Override
    public CompletableFuture<List<JobId>> groupMembers(JobId group, @Nullable JobId after, int limit) {
        return read("list members", () -> store.rows().groups().members(group, after, limit));
    }

    @Override
    public ApiKeyStore keys() {
        return keys;
    }

    @Override
    public WebhookSecretStore webhookSecrets() {
        return webhookSecrets;
    }

    @Override
    public void close() {
        closed.set(true);
    }

    <T> CompletableFuture<T> read(String name, Supplier<T> deed) {
        return run(name, false, operation -> operation.read(deed));
    }

    <T> CompletableFuture<T> run(String name, boolean changing, Consumer<StoreOperation<T>> shape) {
        if (closed.get()) {
            return CompletableFuture.failedFuture(
                    new JournalFault.Unavailable("the connection of " + node + " is closed", null));
        }
        return store.run(node, name, changing, shape);
    }

    @SuppressWarnings("NullAway") // Void has no other value
    private static void commit(StoreOperation<Void> operation, Runnable deed) {
        operation.commit(() -> {
            deed.run();
            return null;
        });
    }
}
