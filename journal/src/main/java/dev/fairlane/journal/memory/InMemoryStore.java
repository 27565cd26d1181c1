package dev.fairlane.journal.memory;

import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.ApiKeyStore.ApiKey;
import dev.fairlane.journal.AuditQuery;
import dev.fairlane.journal.Flush;
import dev.fairlane.journal.HashChain;
import dev.fairlane.journal.JournalFault;
import dev.fairlane.journal.LogId;
import dev.fairlane.journal.OpenedLog;
import dev.fairlane.journal.RecoverySink;
import dev.fairlane.journal.Retention;
import dev.fairlane.journal.WebhookSecretStore;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The durable half: what PostgreSQL would still have after every node crashed. Reached through {@link InMemoryJournal}s. */
public final class InMemoryStore {
    /** Rows of a segment before the next one begins, unless told otherwise. */
    public static final int SEGMENT_ROWS = 100_000;

    private final StepExecutor executor;
    private final LongSupplier clock;
    private final AtomicLong operations = new AtomicLong();
    private final Set<Fault> planted = EnumSet.noneOf(Fault.class);
    private final LockQueue openings = new LockQueue();
    private final NavigableMap<Long, StoredLog> logs = new TreeMap<>();
    private final StoredRows rows;
    private final SortedMap<String, ApiKey> keys = new TreeMap<>();
    private final Map<TenantId, List<WebhookSecretStore.Secret>> webhookSecrets = new HashMap<>();
    private byte[] lastHead = new byte[HashChain.BYTES];
    private long epoch;

    /** Rules of the port that can be broken on purpose, to prove that a simulator or a test notices. */
    public enum Fault {
        /** An append checks that its log is open but holds no lock until it commits. */
        APPEND_WITHOUT_LOCK,
        /** An append locks but does not check. */
        APPEND_WITHOUT_FENCE,
        /** A flush checks that its log is open but holds no lock until it commits. */
        FLUSH_WITHOUT_LOCK,
        /** A flush neither locks nor checks. */
        FLUSH_WITHOUT_FENCE,
        /** A takeover closes the logs without waiting for who holds their locks. */
        OPEN_WITHOUT_LOCK,
        /** A takeover reads the tails before it has locked and closed the logs. */
        TAIL_READ_BEFORE_CLOSE,
        /** An unknown outcome is resolved by simply asking. */
        RESOLVE_WITHOUT_MARKER
    }

    /** @param clock the store's time in microseconds since the epoch */
    public InMemoryStore(LongSupplier clock, StepExecutor executor, int segmentRows) {
        this.clock = clock;
        this.executor = executor;
        this.rows = new StoredRows(segmentRows);
    }

    /** Runs every call at once. */
    public InMemoryStore(LongSupplier clock) {
        this(clock, StepExecutor.immediate(), SEGMENT_ROWS);
    }

    public void plant(Fault fault) {
        planted.add(fault);
    }

    /** Flips a bit of a stored batch. */
    public void damage(LogId log, long sequence) {
        log(log).damage(sequence);
    }

    /** Alters what is stored of a chain of the audit, its ends aside: as somebody would who has the database. */
    public void falsifyAudit(TenantId chain, UnaryOperator<Stream<AuditEntry>> as) {
        Stream<AuditEntry> entries = rows.audit().find(AuditQuery.whole(chain)).stream();
        rows.audit().falsify(chain, as.apply(entries));
    }

    boolean planted(Fault fault) {
        return planted.contains(fault);
    }

    /** @param shape adds the steps */
    <T> CompletableFuture<T> run(String node, String name, boolean changing, Consumer<StoreOperation<T>> shape) {
        StoreOperation<T> operation = new StoreOperation<>(operations.incrementAndGet(), node, name, changing);
        shape.accept(operation);
        operation.report();
        executor.execute(operation);
        return operation.future();
    }

    long now() {
        return clock.getAsLong();
    }

    StoredRows rows() {
        return rows;
    }

    SortedMap<String, ApiKey> keys() {
        return keys;
    }

    Map<TenantId, List<WebhookSecretStore.Secret>> webhookSecrets() {
        return webhookSecrets;
    }

    LockQueue openings() {
        return openings;
    }

    StoredLog log(LogId id) {
        StoredLog log = logs.get(id.epoch());
        if (log == null) {
            throw new JournalFault.Fenced("log " + id.epoch() + " is closed and gone: another start took over");
        }
        return log;
    }

    List<StoredLog> openLogs() {
        return logs.values().stream().filter(StoredLog::isOpen).toList();
    }

    /** Closes what is open and begins a new log: one commit. */
    OpenedLog beginLog() {
        openLogs().forEach(this::endLog);
        LogId id = new LogId(++epoch);
        StoredLog log = new StoredLog(id, HashChain.genesis(id, lastHead));
        logs.put(epoch, log);
        return new OpenedLog(id, log.genesis(), now(), rows.highWaterAt());
    }

    void endLog(StoredLog log) {
        log.close();
        lastHead = log.head();
    }

    /**
     * @param below epoch of the log recovered into
     * @return greatest time found
     */
    long recover(long below, RecoverySink sink) {
        rows.tell(sink, now());
        long highWaterAt = rows.highWaterAt();
        for (StoredLog log : logs.headMap(below, false).values()) {
            highWaterAt = Math.max(highWaterAt, log.readTail(sink, ids -> rows.tellFar(ids, sink)));
        }
        return highWaterAt;
    }

    /** @return the segment that took the rows */
    int flush(StoredLog log, Flush flush) {
        if (!log.isNew(flush)) {
            return log.receipt();
        }
        if (log.isOpen()) {
            // Only a planted fault brings the flush of a closed log here: it does its damage, and the owner trips over
            // it.
            rows.check(flush);
        }
        if (!log.everFlushed()) {
            logs.headMap(log.id.epoch(), false).values().forEach(StoredLog::cover);
        }
        log.receipt(rows.apply(flush));
        log.flushed(flush);
        return log.receipt();
    }

    int compact(StoredLog log, int segment) {
        log.receipt(rows.compact(segment));
        return log.receipt();
    }

    void maintain(Retention retention) {
        rows.drop(retention, now());
        logs.values().removeIf(StoredLog::trim);
    }
}
