package dev.fairlane.journal.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
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
import dev.fairlane.journal.Fetched;
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
import dev.fairlane.journal.postgres.Sessions.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The journal on PostgreSQL: see the package for how. */
public final class PostgresJournal implements Journal {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresJournal.class);

    private final PostgresConfig config;
    private final Sessions sessions;
    private final HikariDataSource pool;
    private final List<String> unsafe;

    private final Lane appending;
    private final Lane flushing;
    private final Lane tending;
    private final Lane reading;

    private final Ring ring;
    private final Appender appender;
    private final Line flushLine;
    private final Line upkeepLine;
    private final Slots slots;
    private final RecentBundles recent;
    private final Projection projection;
    private final Compaction compaction;
    private final Tidying tidying;
    private final Upkeep upkeep;
    private final Partitions days = new Partitions(Partitions.HISTORY);
    private final Partitions hours = new Partitions(Partitions.KEYS);
    private final JobReads reads;
    private final DeadReads dead;
    private final KeyReads keyReads;
    private final FarReads farReads;
    private final KeyIndexing keyIndexing;
    private final ApiKeyStore keys;
    private final WebhookSecretStore webhookSecrets;

    private volatile @Nullable LogId own;

    // Of the flush thread.
    private long highWaterAt;
    /** Last batch that no recovery needs any more. */
    private long spared;

    private PostgresJournal(PostgresConfig config, Background background, Sessions sessions, List<String> unsafe) {
        this.config = config;
        this.sessions = sessions;
        this.unsafe = unsafe;
        this.pool = pool(config, sessions);
        this.appending = new Lane("append", 1, background::awaitedHere);
        this.flushing = new Lane("flush", 1, background::here);
        this.tending = new Lane("upkeep", 1, background::here);
        this.reading = new Lane("read", config.readConnections(), background::here);
        this.ring = new Ring(config.ringBytes());
        Standing standing = new Standing(background);
        this.appender = new Appender(sessions, background, config.writeTimeout(), ring);
        this.flushLine = new Line(sessions, "flush", config.writeTimeout(), standing::connected);
        this.upkeepLine = Line.givingWay(sessions, "upkeep", Duration.ZERO, background);
        this.slots = new Slots(config.segmentRows(), config.segmentBytes());
        this.recent = new RecentBundles(config.recentBytes(), System::nanoTime);
        this.projection = new Projection(slots, days, hours, standing, config.bundleFrom(), recent);
        this.compaction = new Compaction(slots, config.bundleFrom());
        this.tidying = new Tidying(ring, projection.ring(), slots);
        this.upkeep = new Upkeep(days, hours, flushing);
        this.reads = new JobReads(pool, recent, this::want);
        this.dead = new DeadReads(pool);
        this.keyReads = new KeyReads(pool);
        this.farReads = new FarReads(pool);
        this.keyIndexing = new KeyIndexing(sessions, background);
        this.keys = new PostgresApiKeys(reading, pool);
        this.webhookSecrets = new PostgresWebhookSecrets(reading, pool);
    }

    /**
     * Checks the server, brings the schema up to date and is ready to {@link #open}.
     *
     * @throws JournalFault.Unavailable when the server cannot be reached or used
     */
    public static PostgresJournal connect(PostgresConfig config) {
        return connect(config, Background.NONE);
    }

    /** @param background hears of threads and of processes of the database, who waits for them */
    public static PostgresJournal connect(PostgresConfig config, Background background) {
        Sessions sessions = new Sessions(config);
        List<String> unsafe;
        try {
            Session session = sessions.connect("start", config.writeTimeout());
            try {
                unsafe = ServerCheck.inspect(session.connection());
            } finally {
                session.close();
            }
        } catch (SQLException e) {
            throw Faults.unavailable("connecting to " + config.jdbcUrl() + " as " + config.user(), e);
        }
        unsafe.forEach(what -> LOG.warn("this PostgreSQL is not safe: {}", what));
        Migrations.run(config, sessions);
        return new PostgresJournal(config, background, sessions, unsafe);
    }

    private static HikariDataSource pool(PostgresConfig config, Sessions sessions) {
        HikariConfig hikari = new HikariConfig();
        hikari.setPoolName("fairlane-read");
        hikari.setJdbcUrl(config.jdbcUrl());
        hikari.setDataSourceProperties(sessions.properties("read", config.writeTimeout()));
        hikari.setMaximumPoolSize(config.readConnections());
        hikari.setMinimumIdle(1);
        hikari.setConnectionInitSql(Sql.of("commit_durably"));
        hikari.setInitializationFailTimeout(-1);
        try {
            return new HikariDataSource(hikari);
        } catch (HikariPool.PoolInitializationException e) {
            throw new JournalFault.Unavailable("the connections for reading could not be made", e);
        }
    }

    /** What is unsafe about this server, in words for its operator. */
    public List<String> unsafe() {
        return List.copyOf(unsafe);
    }

    @Override
    public CompletableFuture<OpenedLog> open(String node, RecoverySink sink) {
        return flushing.run("open", () -> {
            Session session = sessions.connect("open", Duration.ZERO);
            try {
                return open(session.connection(), node, sink);
            } finally {
                session.close();
            }
        });
    }

    private OpenedLog open(Connection connection, String node, RecoverySink sink) throws SQLException {
        Takeover.Opened opened = new Takeover(connection, config.takeoverPatience()).open(node);
        highWaterAt = new Recovery(connection, sink).tell(opened.log());
        spared = 0;
        own = opened.log();
        slots.forget();
        recent.forget();
        days.know(connection);
        hours.know(connection);
        upkeep.makeAhead(connection, opened.nowAt());
        projection.ring().begin((int) Transactions.number(connection, Sql.of("find_flush_ring")));
        boolean[] empty = Recovery.emptyJournals(connection);
        appending
                .perform("begin", () -> {
                    ring.begin(empty);
                    appender.begin(opened.log());
                })
                .join();
        return new OpenedLog(opened.log(), opened.genesis(), opened.nowAt(), highWaterAt);
    }

    @Override
    public CompletableFuture<Void> append(LogId log, Batch batch) {
        return appending.perform("append", () -> appender.append(log, batch));
    }

    @Override
    public Optional<Executor> appending() {
        return Optional.of(appending::execute);
    }

    @Override
    public CompletableFuture<Boolean> resolve(LogId log, long sequence) {
        return appending.run("resolve", () -> appender.resolve(log, sequence));
    }

    @Override
    public CompletableFuture<FlushReceipt> flush(LogId log, Flush flush) {
        CompletableFuture<FlushReceipt> done = flushing.run(
                "flush",
                () -> onFlushLine(connection -> {
                    FlushReceipt receipt = projection.flush(connection, log, flush, highWaterAt);
                    highWaterAt = Math.max(highWaterAt, flush.highWaterAt());
                    spared = Math.max(spared, flush.keptFrom() - 1);
                    return receipt;
                }));
        flushing.lend("tidy up", () -> tidy(log));
        return done;
    }

    @Override
    public CompletableFuture<FlushReceipt> compact(LogId log, int segment) {
        CompletableFuture<FlushReceipt> done =
                flushing.run("compact", () -> onFlushLine(connection -> compaction.compact(connection, log, segment)));
        flushing.lend("tidy up", () -> tidy(log));
        return done;
    }

    private void tidy(LogId log) throws SQLException {
        onFlushLine(connection -> {
            tidying.tidy(connection, log, spared);
            return true;
        });
    }

    private void want(int segment) {
        LogId log = own;
        if (log != null && slots.want(segment)) {
            flushing.lend("index a segment", () -> tidy(log));
        }
    }

    private interface OnConnection<T> {
        T run(Connection connection) throws SQLException;
    }

    /** Whatever fails leaves either a connection in order or none, and nothing half known. */
    private <T> T onFlushLine(OnConnection<T> work) throws SQLException {
        Connection connection = flushLine.connection();
        boolean done = false;
        try {
            T result = work.run(connection);
            done = true;
            return result;
        } catch (SQLException e) {
            if (Faults.badData(e)) {
                throw new IllegalStateException("the rows of a flush do not fit: " + e.getMessage(), e);
            }
            throw e;
        } finally {
            if (!done) {
                slots.forget();
                recover(connection);
            }
        }
    }

    private void recover(Connection connection) {
        try {
            if (!connection.getAutoCommit()) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
            if (connection.isClosed()) {
                flushLine.lose();
            }
        } catch (SQLException e) {
            flushLine.lose();
        }
    }

    @Override
    public CompletableFuture<Void> maintain(LogId log, Retention retention) {
        recent.tend();
        return tending.perform("upkeep", () -> {
            Connection connection = upkeepLine.connection();
            boolean done = false;
            try {
                upkeep.maintain(connection, log, retention);
                done = true;
            } finally {
                if (!done) {
                    upkeepLine.lose();
                }
            }
            flushing.lend("tidy up", () -> tidy(log));
            keyIndexing.begin();
        });
    }

    @Override
    public CompletableFuture<Void> close(LogId log) {
        return flushing.perform(
                "close the log",
                () -> onFlushLine(connection -> {
                    new Takeover(connection, config.takeoverPatience()).close(log);
                    return true;
                }));
    }

    @Override
    public CompletableFuture<Map<JobId, JobSpec>> specs(List<StoredJob> jobs) {
        return fetch(jobs).thenApply(Fetched::asked);
    }

    @Override
    public CompletableFuture<Fetched> fetch(List<StoredJob> jobs) {
        return reading.run("read specs", () -> reads.fetch(jobs));
    }

    @Override
    public CompletableFuture<FarPortion> dueFar(
            FarPortion.Place after, long until, Set<TenantId> without, int limit, int payloadBytes) {
        return reading.run("load far jobs", () -> farReads.due(after, until, without, limit, payloadBytes));
    }

    @Override
    public CompletableFuture<List<FarJob>> findFar(List<JobId> ids) {
        return reading.run("find far jobs", () -> farReads.find(ids));
    }

    @Override
    public CompletableFuture<List<FarJob>> pageFar(@Nullable TenantId scope, @Nullable JobId after, int limit) {
        return reading.run("list far jobs", () -> farReads.page(scope, after, limit));
    }

    @Override
    public CompletableFuture<Optional<JobView>> find(@Nullable TenantId scope, JobId id) {
        return reading.run("find a job", () -> reads.find(scope, id));
    }

    @Override
    public CompletableFuture<List<Optional<StoredKey>>> findKeys(List<KeyProbe> probes) {
        return reading.run("find keys", () -> keyReads.find(probes));
    }

    @Override
    public CompletableFuture<JobPage> list(JobQuery query) {
        return reading.run("list jobs", () -> reads.list(query));
    }

    @Override
    public CompletableFuture<DeadIds> pageDead(DeadQuery query) {
        return reading.run("list dead letters", () -> dead.page(query));
    }

    @Override
    public CompletableFuture<Map<JobId, JobView>> findDead(@Nullable TenantId scope, List<JobId> ids) {
        return reading.run("find dead letters", () -> dead.find(scope, ids));
    }

    @Override
    public CompletableFuture<List<DeadCount>> countDead(DeadFilter filter) {
        return reading.run("count dead letters", () -> dead.count(filter));
    }

    @Override
    public CompletableFuture<Integer> purgeDead(LogId log, @Nullable TenantId scope, List<JobId> ids) {
        return flushing.run(
                "purge dead letters",
                () -> onFlushLine(connection -> {
                    int[] purged = new int[1];
                    Transactions.fenced(
                            connection,
                            log,
                            "purge dead letters",
                            () -> purged[0] = DeadReads.purge(connection, scope, ids));
                    return purged[0];
                }));
    }

    @Override
    public CompletableFuture<List<UsageRow>> usage(UsageQuery query) {
        return reading.run("sum use", () -> {
            try (Connection connection = pool.getConnection()) {
                return UsageRows.find(connection, query);
            }
        });
    }

    @Override
    public CompletableFuture<List<AuditEntry>> audit(AuditQuery query) {
        return reading.run("list the audit", () -> {
            try (Connection connection = pool.getConnection()) {
                return AuditRows.find(connection, query);
            }
        });
    }

    @Override
    public CompletableFuture<List<AuditHead>> auditHeads(@Nullable TenantId chain, int after, int limit) {
        return reading.run("find the audit's ends", () -> {
            try (Connection connection = pool.getConnection()) {
                return AuditRows.heads(connection, chain, after, limit);
            }
        });
    }

    @Override
    public CompletableFuture<Boolean> eraseReason(TenantId chain, long sequence) {
        return reading.run("erase a reason", () -> {
            try (Connection connection = pool.getConnection()) {
                return AuditRows.eraseReason(connection, chain, sequence);
            }
        });
    }

    @Override
    public CompletableFuture<Long> now() {
        return reading.run("read the clock", () -> {
            try (Connection connection = pool.getConnection()) {
                return Transactions.number(connection, Sql.of("read_clock"));
            }
        });
    }

    @Override
    public CompletableFuture<Optional<JobGroup>> group(@Nullable TenantId scope, JobId id) {
        return reading.run("find a group", () -> {
            try (Connection connection = pool.getConnection()) {
                return GroupRows.find(connection, scope, id);
            }
        });
    }

    @Override
    public CompletableFuture<List<JobId>> groupMembers(JobId group, @Nullable JobId after, int limit) {
        return reading.run("list members", () -> {
            try (Connection connection = pool.getConnection()) {
                return GroupRows.members(connection, group, after, limit);
            }
        });
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
        appending.close();
        flushing.close();
        tending.close();
        keyIndexing.close();
        reading.close();
        appender.close();
        flushLine.lose();
        upkeepLine.lose();
        pool.close();
    }
}
