package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.Usage;
import dev.fairlane.core.model.UsageAccount;
import dev.fairlane.core.model.UsageRow;
import dev.fairlane.journal.LogId;
import dev.fairlane.journal.RecoverySink;
import dev.fairlane.journal.UsageCodec;
import dev.fairlane.journal.UsageQuery;
import dev.fairlane.journal.UsageQuery.By;
import dev.fairlane.journal.UsageSums;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What was used. A flush appends one row, whatever the number of accounts it touched; every minute the rows of the past minute are
 * folded into those of the hours, in one fenced transaction. So an account that is always busy costs an update a minute, not one a
 * flush.
 */
final class UsageRows {
    private static final int FOLDED_AT_ONCE = 1_000;
    private static final int PURGED_AT_ONCE = 10_000;
    private static final int ALL = Integer.MAX_VALUE - 1;
    private static final long FOLD_EVERY_NANOS = 60_000_000_000L;
    private static final long PURGE_EVERY_NANOS = 3_600_000_000_000L;

    // of the upkeep thread
    private long foldNotBefore = System.nanoTime();
    private long purgeNotBefore = System.nanoTime();

    static void add(Connection connection, List<UsageRow> rows) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("add_usage"))) {
            statement.setBytes(1, UsageCodec.encode(rows));
            statement.executeUpdate();
        }
    }

    // ---- upkeep

    /** @param before hours that began earlier need not be kept */
    void maintain(Connection connection, LogId log, long before) throws SQLException {
        long now = System.nanoTime();
        if (now - foldNotBefore >= 0) {
            foldNotBefore = now + FOLD_EVERY_NANOS;
            fold(connection, log);
        }
        if (now - purgeNotBefore >= 0) {
            purgeNotBefore = now + PURGE_EVERY_NANOS;
            purge(connection, before);
        }
    }

    static void fold(Connection connection, LogId log) throws SQLException {
        boolean[] more = {true};
        while (more[0]) {
            Transactions.fenced(connection, log, "fold use", () -> more[0] = foldSome(connection));
        }
    }

    /** True when there may be more. */
    private static boolean foldSome(Connection connection) throws SQLException {
        UsageSums sums = new UsageSums();
        long last = deltas(connection, FOLDED_AT_ONCE, sums, null);
        if (last < 0) {
            return false;
        }
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("fold_usage"))) {
            for (UsageRow row : sums.rows()) {
                UsageAccount account = row.account();
                statement.setInt(1, account.tenant().number());
                statement.setLong(2, row.fromAt());
                statement.setString(3, account.lane());
                statement.setString(4, account.type());
                statement.setString(5, account.pool());
                statement.setLong(6, row.used().executions());
                statement.setLong(7, row.used().slotMicros());
                statement.setLong(8, row.used().succeeded());
                statement.setLong(9, row.used().dead());
                statement.setLong(10, row.used().cancelled());
                statement.setLong(11, row.used().expired());
                statement.addBatch();
            }
            statement.executeBatch();
        }
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("remove_usage_deltas"))) {
            statement.setLong(1, last);
            return statement.executeUpdate() == FOLDED_AT_ONCE;
        }
    }

    private static void purge(Connection connection, long before) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("purge_usage"))) {
            statement.setLong(1, before);
            int purged = PURGED_AT_ONCE;
            while (purged == PURGED_AT_ONCE) {
                purged = statement.executeUpdate();
            }
        }
    }

    // ---- reads

    /**
     * Adds what is not folded yet.
     *
     * @param query null: all of it as it is
     * @return number of the last, −1 if there is none
     */
    private static long deltas(Connection connection, int limit, UsageSums into, @Nullable UsageQuery query)
            throws SQLException {
        long last = -1;
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("list_usage_deltas"))) {
            statement.setInt(1, limit);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    last = rows.getLong(1);
                    for (UsageRow row : UsageCodec.decode(rows.getBytes(2))) {
                        if (query == null) {
                            into.add(row);
                        } else if (query.covers(row.fromAt(), row.account().tenant())) {
                            into.add(query.place(row));
                        }
                    }
                }
            }
        }
        return last;
    }

    /** In a transaction of its own: both kinds of rows must be of one moment. */
    static List<UsageRow> find(Connection connection, UsageQuery query) throws SQLException {
        connection.setAutoCommit(false);
        try {
            Transactions.run(connection, Sql.of("read_one_state"));
            return sums(connection, query).rows(query.limit() + 1);
        } finally {
            Transactions.rollback(connection);
            connection.setAutoCommit(true);
        }
    }

    private static UsageSums sums(Connection connection, UsageQuery query) throws SQLException {
        UsageSums sums = new UsageSums();
        deltas(connection, ALL, sums, query);
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("sum_usage"))) {
            statement.setString(1, query.span().name());
            statement.setBoolean(2, query.by().contains(By.TENANT));
            statement.setBoolean(3, query.by().contains(By.POOL));
            statement.setBoolean(4, query.by().contains(By.LANE));
            statement.setBoolean(5, query.by().contains(By.TYPE));
            statement.setLong(6, query.fromAt());
            statement.setLong(7, query.toAt());
            statement.setBoolean(8, query.scope() == null);
            statement.setInt(9, query.scope() == null ? 0 : query.scope().number());
            statement.setLong(10, (long) query.limit() + 1);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    sums.add(row(rows));
                }
            }
        }
        return sums;
    }

    private static UsageRow row(ResultSet rows) throws SQLException {
        return new UsageRow(
                rows.getLong(1),
                new UsageAccount(new TenantId(rows.getInt(2)), rows.getString(3), rows.getString(4), rows.getString(5)),
                new Usage(
                        rows.getLong(6),
                        rows.getLong(7),
                        rows.getLong(8),
                        rows.getLong(9),
                        rows.getLong(10),
                        rows.getLong(11)));
    }

    /** Of the present month, by tenant; inside the snapshot of a recovery. */
    static void tell(Connection connection, RecoverySink sink, long now) throws SQLException {
        long beginAt = Instant.ofEpochSecond(now / 1_000_000)
                        .atOffset(ZoneOffset.UTC)
                        .truncatedTo(ChronoUnit.DAYS)
                        .withDayOfMonth(1)
                        .toEpochSecond()
                * 1_000_000;
        UsageQuery query = new UsageQuery(null, beginAt, Long.MAX_VALUE, UsageQuery.Span.MONTH, Set.of(By.TENANT), ALL);
        for (UsageRow row : sums(connection, query).rows()) {
            sink.usage(row.account().tenant(), row.fromAt(), row.used());
        }
    }
}
