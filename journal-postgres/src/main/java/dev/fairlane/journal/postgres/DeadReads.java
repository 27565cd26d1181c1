package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.DeadCount;
import dev.fairlane.journal.DeadFilter;
import dev.fairlane.journal.DeadIds;
import dev.fairlane.journal.DeadQuery;
import dev.fairlane.journal.DeadQuery.Place;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The dead-letter queue. What fits is found by an index on who, which type and when; class and text are looked at row by row, so a page
 * costs a bounded number of rows, and one that finds little comes back short with a place to go on from.
 */
final class DeadReads {
    private static final int SCANNED_AT_ONCE = 2_000;
    private static final int SCANNED_ROWS = 50_000;

    private final DataSource pool;

    DeadReads(DataSource pool) {
        this.pool = pool;
    }

    private interface Reading<T> {
        T read(Connection connection) throws SQLException;
    }

    private <T> T read(Reading<T> reading) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try {
                Transactions.run(connection, Sql.of("begin_reading"));
                Transactions.run(connection, Sql.of("read_briefly"));
                return reading.read(connection);
            } finally {
                Transactions.rollback(connection);
            }
        }
    }

    DeadIds page(DeadQuery query) throws SQLException {
        return read(connection -> {
            List<JobId> page = new ArrayList<>();
            Place after = query.after();
            boolean searching = !query.filter().text().isEmpty();
            for (int scanned = 0; scanned < SCANNED_ROWS; ) {
                int count = searching ? SCANNED_AT_ONCE : query.limit() + 1 - page.size();
                List<Row> rows = rows(connection, query, after, count);
                for (Row row : rows) {
                    if (row.fits && page.size() == query.limit()) {
                        return new DeadIds(page, after);
                    }
                    if (row.fits) {
                        page.add(row.place.id());
                    }
                    after = row.place;
                }
                if (rows.size() < count) {
                    return new DeadIds(page, null);
                }
                scanned += rows.size();
            }
            return new DeadIds(page, after);
        });
    }

    private record Row(Place place, boolean fits) {}

    private static List<Row> rows(Connection connection, DeadQuery query, @Nullable Place after, int count)
            throws SQLException {
        Where where = Where.of(query.filter());
        if (after != null) {
            where.and(
                    query.newestFirst() ? "(ended_at, id) < (?, ?)" : "(ended_at, id) > (?, ?)",
                    time(after.diedAt()),
                    Ids.uuid(after.id()));
        }
        String sql = where.into("page_dead")
                .replace("{order}", query.newestFirst() ? "ended_at DESC, id DESC" : "ended_at, id");
        List<Row> rows = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, query.filter().text());
            statement.setString(2, pattern(query.filter().text()));
            statement.setInt(where.bind(statement, 3), count);
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    rows.add(new Row(new Place(found.getLong(2), Ids.of(found, 1)), found.getBoolean(3)));
                }
            }
        }
        return rows;
    }

    Map<JobId, JobView> find(@Nullable TenantId scope, List<JobId> ids) throws SQLException {
        if (ids.isEmpty()) {
            return Map.of();
        }
        return read(connection -> {
            Where where = Where.of(DeadFilter.all(scope))
                    .and("id = ANY (?)", connection.createArrayOf("uuid", Ids.array(ids)));
            Map<JobId, JobView> views = new HashMap<>();
            try (PreparedStatement statement = connection.prepareStatement(where.into("find_dead"))) {
                where.bind(statement, 1);
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        JobView view = HistoryReads.view(rows);
                        views.put(view.spec().id(), view);
                    }
                }
            }
            return views;
        });
    }

    List<DeadCount> count(DeadFilter filter) throws SQLException {
        return read(connection -> {
            Where where = Where.of(filter);
            List<DeadCount> counts = new ArrayList<>();
            try (PreparedStatement statement = connection.prepareStatement(where.into("count_dead"))) {
                int at = where.bind(statement, 1);
                statement.setString(at, filter.text());
                statement.setString(at + 1, pattern(filter.text()));
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        int ordinal = rows.getInt(3);
                        counts.add(new DeadCount(
                                new TenantId(rows.getInt(1)),
                                rows.getString(2),
                                rows.wasNull() ? null : FailureClass.of(ordinal),
                                rows.getLong(4),
                                rows.getLong(5),
                                rows.getLong(6),
                                rows.getLong(7)));
                    }
                }
            }
            return counts;
        });
    }

    /** @param connection inside a fenced transaction */
    static int purge(Connection connection, @Nullable TenantId scope, List<JobId> ids) throws SQLException {
        Where where =
                Where.of(DeadFilter.all(scope)).and("id = ANY (?)", connection.createArrayOf("uuid", Ids.array(ids)));
        try (PreparedStatement statement = connection.prepareStatement(where.into("purge_dead_of"))) {
            where.bind(statement, 1);
            return statement.executeUpdate();
        }
    }

    private static String pattern(String text) {
        return "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%";
    }

    private static OffsetDateTime time(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    }

    /** Conditions that hold together. Only those that were asked for are written, so that the right index is seen. */
    private static final class Where {
        private final StringBuilder text = new StringBuilder("state = 6");
        private final List<Object> values = new ArrayList<>();

        static Where of(DeadFilter filter) {
            Where where = new Where();
            if (filter.scope() != null) {
                where.and("tenant = ?", filter.scope().number());
            }
            if (!filter.type().isEmpty()) {
                where.and("type = ?", filter.type());
            }
            if (filter.failureClass() != null) {
                where.and("failure_class = ?", filter.failureClass().ordinal());
            }
            if (filter.from() > 0) {
                where.and("ended_at >= ?", time(filter.from()));
            }
            if (filter.to() > 0) {
                where.and("ended_at < ?", time(filter.to()));
            }
            return where;
        }

        Where and(String condition, Object... bound) {
            text.append(" AND ").append(condition);
            values.addAll(List.of(bound));
            return this;
        }

        String into(String deed) {
            return Sql.of(deed).replace("{where}", text);
        }

        /** @return the place behind the last one bound */
        int bind(PreparedStatement statement, int from) throws SQLException {
            int at = from;
            for (Object value : values) {
                statement.setObject(at++, value);
            }
            return at;
        }
    }
}
