package dev.fairlane.journal.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Partitions of one table by time, made ahead with ATTACH and removed with DETACH CONCURRENTLY, so that neither an open reader nor we
 * ever stop a writer. What cannot have its lock soon is put off.
 *
 * <p>Writers copy into the partition itself. Known partitions only grow between two {@link #know}.
 */
final class Partitions {
    private static final Logger LOG = LoggerFactory.getLogger(Partitions.class);
    private static final long LOCK_MILLIS = 100;

    /** Finished jobs, by day. */
    static final Kind HISTORY = new Kind("job_done", Duration.ofDays(1), "uuuuMMdd") {
        @Override
        String bound(long unit) {
            return "'" + Ids.firstOf(unit * unitMillis()) + "'";
        }
    };

    /** Idempotency keys, by hour. */
    static final Kind KEYS = new Kind("job_key", Duration.ofHours(1), "uuuuMMddHH") {
        @Override
        String bound(long unit) {
            return Long.toString(unit * unitMillis() * 1000);
        }
    };

    abstract static class Kind {
        private final String parent;
        private final long unitMillis;
        private final DateTimeFormatter label;

        private Kind(String parent, Duration unit, String label) {
            this.parent = parent;
            this.unitMillis = unit.toMillis();
            this.label = new DateTimeFormatterBuilder()
                    .appendPattern(label)
                    .parseDefaulting(ChronoField.HOUR_OF_DAY, 0)
                    .toFormatter(Locale.ROOT)
                    .withZone(ZoneOffset.UTC);
        }

        String parent() {
            return parent;
        }

        long unitMillis() {
            return unitMillis;
        }

        long unitOf(long millis) {
            return Math.floorDiv(millis, unitMillis);
        }

        String table(long unit) {
            return parent + "_" + label.format(Instant.ofEpochMilli(unit * unitMillis));
        }

        long unit(String table) {
            return unitOf(Instant.from(label.parse(table.substring(parent.length() + 1)))
                    .toEpochMilli());
        }

        abstract String bound(long unit);
    }

    private final Kind kind;
    private final NavigableSet<Long> units = new TreeSet<>();
    private long below = Long.MIN_VALUE;

    Partitions(Kind kind) {
        this.kind = kind;
    }

    static long droppedBelow(Connection connection, Kind kind) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("read_dropped"))) {
            statement.setString(1, kind.parent());
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? rows.getLong(1) : Long.MIN_VALUE;
            }
        }
    }

    record Attached(long unit, boolean detaching) {}

    /** What is attached, oldest first. */
    static List<Attached> attached(Connection connection, Kind kind) throws SQLException {
        List<Attached> found = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("list_partitions"))) {
            statement.setString(1, "fairlane." + kind.parent());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(new Attached(kind.unit(rows.getString(1)), rows.getBoolean(2)));
                }
            }
        }
        found.sort((a, b) -> Long.compare(a.unit, b.unit));
        return found;
    }

    synchronized void know(Connection connection) throws SQLException {
        below = droppedBelow(connection, kind);
        units.clear();
        for (Attached one : attached(connection, kind)) {
            if (!one.detaching && one.unit >= below) {
                units.add(one.unit);
            }
        }
    }

    /** Where rows of this time go; false: its partition was dropped, or cannot be made now. */
    synchronized boolean has(long unit) {
        return units.contains(unit);
    }

    synchronized boolean dropped(long unit) {
        return unit < below;
    }

    /**
     * Makes a partition unless it is there or was dropped. Outside transactions. It is seldom analyzed: a look at 30,000 pages marks them, which puts each
     * of them into the log, and a day that fills would have that every minute.
     */
    synchronized boolean make(Connection connection, long unit) throws SQLException {
        if (units.contains(unit) || unit < below) {
            return units.contains(unit);
        }
        connection.setAutoCommit(false);
        try {
            Transactions.waitAtMost(connection, Duration.ofMillis(LOCK_MILLIS));
            String table = kind.table(unit);
            Transactions.run(connection, Sql.on("make_partition", table).replace("{parent}", kind.parent()));
            Transactions.run(
                    connection,
                    Sql.on("attach_partition", table)
                            .replace("{parent}", kind.parent())
                            .replace("{from}", kind.bound(unit))
                            .replace("{to}", kind.bound(unit + 1)));
            connection.commit();
            units.add(unit);
            return true;
        } catch (SQLException e) {
            Transactions.rollback(connection);
            if (connection.isClosed()) {
                throw e;
            }
            LOG.warn("partition {} of {} could not be made now: {}", unit, kind.parent(), e.getMessage());
            return false;
        } finally {
            if (!connection.isClosed()) {
                connection.setAutoCommit(true);
            }
        }
    }

    /** From now on nobody writes there; readers may still be reading. */
    synchronized void retire(Connection connection, long newBelow) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("note_dropped"))) {
            statement.setString(1, kind.parent());
            statement.setLong(2, newBelow);
            statement.executeUpdate();
        }
        below = Math.max(below, newBelow);
        units.headSet(below, false).clear();
    }
}
