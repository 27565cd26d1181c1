package dev.fairlane.journal.postgres;

import dev.fairlane.journal.LogId;
import dev.fairlane.journal.Retention;
import dev.fairlane.journal.postgres.Partitions.Attached;
import dev.fairlane.journal.postgres.Partitions.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** History and keys: partitions made ahead and dropped behind, old dead letters removed, sealed days frozen once. */
final class Upkeep {
    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);
    private static final int DAYS_AHEAD = 2;
    private static final int PURGED_AT_ONCE = 10_000;
    private static final int PURGES = 100;
    private static final long BOUND_EVERY_NANOS = 60_000_000_000L;

    private final Partitions days;
    private final Partitions hours;
    private final Lane flushing;
    private final UsageRows usage = new UsageRows();
    private final AuditRows audit = new AuditRows();
    private long boundNotBefore = System.nanoTime();

    Upkeep(Partitions days, Partitions hours, Lane flushing) {
        this.days = days;
        this.hours = hours;
        this.flushing = flushing;
    }

    void makeAhead(Connection connection, long nowMicros) throws SQLException {
        long today = Partitions.HISTORY.unitOf(nowMicros / 1000);
        for (long day = today; day <= today + DAYS_AHEAD; day++) {
            days.make(connection, day);
        }
    }

    void maintain(Connection connection, LogId log, Retention retention) throws SQLException {
        Transactions.fenced(connection, log, "upkeep", () -> {});
        Transactions.run(connection, Sql.of("be_patient_briefly"));
        long now = Transactions.number(connection, Sql.of("read_clock"));
        days.know(connection);
        hours.know(connection);
        makeAhead(connection, now);
        drop(connection, Partitions.HISTORY, days, now / 1000 - retention.done().toMillis());
        drop(connection, Partitions.KEYS, hours, now / 1000 - retention.keys().toMillis());
        if (retention.historyBytes() > 0) {
            dropOver(connection, retention.historyBytes(), now);
        }
        purge(connection, "purge_dead", now, retention.dead());
        bound(connection, retention.deadPerTenant());
        purge(connection, "purge_late", now, retention.done());
        GroupRows.purge(connection, now - retention.done().toNanos() / 1_000, PURGES);
        usage.maintain(connection, log, now - retention.usage().toNanos() / 1_000);
        audit.maintain(connection, log, now - retention.audit().toNanos() / 1_000);
        freeze(connection, now);
    }

    /** Drops the partitions that end before a time. */
    private void drop(Connection connection, Kind kind, Partitions partitions, long beforeMillis) throws SQLException {
        dropBelow(connection, kind, partitions, kind.unitOf(beforeMillis));
    }

    private void dropBelow(Connection connection, Kind kind, Partitions partitions, long below) throws SQLException {
        List<Attached> attached = Partitions.attached(connection, kind);
        for (Attached one : attached) {
            if (one.detaching()) {
                unlessBusy(connection, detach("finish_detaching", kind, one.unit()));
            }
        }
        for (Attached one : attached) {
            if (one.unit() < below && !one.detaching()) {
                // Between two flushes, so that none of them is still writing what will be dropped.
                flushing.perform("retire a partition", () -> partitions.retire(connection, one.unit() + 1))
                        .join();
                if (!unlessBusy(connection, detach("detach_partition", kind, one.unit()))) {
                    return;
                }
            }
        }
        dropLoose(connection, kind, below);
    }

    private static String detach(String deed, Kind kind, long unit) {
        return Sql.on(deed, kind.table(unit)).replace("{parent}", kind.parent());
    }

    private static void dropLoose(Connection connection, Kind kind, long below) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("list_loose_tables"))) {
            statement.setString(1, "^" + kind.parent() + "_[0-9]+$");
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    if (kind.unit(rows.getString(1)) < below) {
                        unlessBusy(connection, Sql.on("drop_table", rows.getString(1)));
                    }
                }
            }
        }
    }

    /** False when somebody is reading there: another time. */
    private static boolean unlessBusy(Connection connection, String sql) throws SQLException {
        try {
            Transactions.run(connection, sql);
            return true;
        } catch (SQLException e) {
            if (!Faults.is(e, Faults.LOCK_NOT_AVAILABLE)) {
                throw e;
            }
            LOG.info("put off, somebody is reading: {}", sql);
            return false;
        }
    }

    private void dropOver(Connection connection, long bytes, long now) throws SQLException {
        List<Attached> attached = Partitions.attached(connection, Partitions.HISTORY);
        long today = Partitions.HISTORY.unitOf(now / 1000);
        long kept = 0;
        for (Attached one : attached.reversed()) {
            kept += Transactions.number(connection, Sql.on("measure_table", Partitions.HISTORY.table(one.unit())));
            if (kept > bytes && one.unit() < today) {
                dropBelow(connection, Partitions.HISTORY, days, one.unit() + 1);
                return;
            }
        }
    }

    private static void purge(Connection connection, String deed, long now, Duration kept) throws SQLException {
        OffsetDateTime before =
                Instant.EPOCH.plus(Duration.ofNanos(now * 1000)).minus(kept).atOffset(ZoneOffset.UTC);
        try (PreparedStatement statement = connection.prepareStatement(Sql.of(deed))) {
            for (int i = 0; i < PURGES; i++) {
                statement.setObject(1, before);
                if (statement.executeUpdate() < PURGED_AT_ONCE) {
                    return;
                }
            }
        }
    }

    /** Counting takes a while where there are many, so it is done now and then. */
    private void bound(Connection connection, int perTenant) throws SQLException {
        if (System.nanoTime() - boundNotBefore < 0) {
            return;
        }
        boundNotBefore = System.nanoTime() + BOUND_EVERY_NANOS;
        Map<Integer, Long> over = new TreeMap<>();
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("list_crowded_dead"))) {
            statement.setInt(1, perTenant);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    over.put(rows.getInt(1), rows.getLong(2) - perTenant);
                }
            }
        }
        for (var tenant : over.entrySet()) {
            long purged = 0;
            try (PreparedStatement statement = connection.prepareStatement(Sql.of("purge_oldest_dead"))) {
                for (int i = 0; i < PURGES && purged < tenant.getValue(); i++) {
                    statement.setInt(1, tenant.getKey());
                    statement.setLong(2, Math.min(PURGED_AT_ONCE, tenant.getValue() - purged));
                    purged += statement.executeUpdate();
                }
            }
            LOG.warn(
                    "tenant {} had more than {} dead letters: the oldest {} were removed",
                    tenant.getKey(),
                    perTenant,
                    purged);
        }
    }

    /** One sealed day at a time, so that old days never need an emergency vacuum. */
    private static void freeze(Connection connection, long now) throws SQLException {
        long today = Partitions.HISTORY.unitOf(now / 1000);
        for (Attached one : Partitions.attached(connection, Partitions.HISTORY)) {
            if (one.unit() < today - 1 && !one.detaching()) {
                String table = Partitions.HISTORY.table(one.unit());
                if (!frozen(connection, table)) {
                    unlessBusy(connection, Sql.on("freeze_partition", table));
                    return;
                }
            }
        }
    }

    private static boolean frozen(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(Sql.on("is_frozen", table))) {
            return rows.next() && rows.getBoolean(1);
        }
    }
}
