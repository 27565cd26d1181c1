package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.FarJob;
import dev.fairlane.journal.FarPortion;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Finds far jobs: by time, by id, and one after the other.
 *
 * <p>A crowd may come between two analyses of the table, and a session keeps the plan it made when there was nobody: sorting a million rows to
 * find the first. So those that are due are only ever found by walking along their index.
 */
final class FarReads {
    private final DataSource pool;

    FarReads(DataSource pool) {
        this.pool = pool;
    }

    FarPortion due(FarPortion.Place after, long until, Set<TenantId> without, int limit, int payloadBytes)
            throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try {
                Transactions.run(connection, Sql.of("walk_by_index"));
                return dueByIndex(connection, after, until, without, limit, payloadBytes);
            } finally {
                Transactions.rollback(connection);
            }
        }
    }

    private static FarPortion dueByIndex(
            Connection connection,
            FarPortion.Place after,
            long until,
            Set<TenantId> without,
            int limit,
            int payloadBytes)
            throws SQLException {
        List<FarJob> jobs;
        String sql = Sql.of(without.isEmpty() ? "load_far" : "load_far_without");
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, payloadBytes);
            place(statement, 2, after);
            statement.setLong(4, until);
            if (without.isEmpty()) {
                statement.setInt(5, limit);
            } else {
                Object[] tenants = without.stream().map(TenantId::number).toArray();
                statement.setArray(5, connection.createArrayOf("int4", tenants));
                statement.setInt(6, limit);
            }
            jobs = FarRows.readWhole(statement);
        }
        FarPortion.Place end = jobs.size() < limit
                ? new FarPortion.Place(until, null)
                : new FarPortion.Place(
                        jobs.getLast().wakeAt(), jobs.getLast().spec().id());
        return new FarPortion(jobs, next(connection, end));
    }

    private static long next(Connection connection, FarPortion.Place end) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("find_next_far"))) {
            place(statement, 1, end);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? rows.getLong(1) : Long.MAX_VALUE;
            }
        }
    }

    private static void place(PreparedStatement statement, int at, FarPortion.Place after) throws SQLException {
        JobId id = after.id();
        statement.setLong(at, after.wakeAt());
        statement.setObject(at + 1, id == null ? Ids.GREATEST : Ids.uuid(id));
    }

    List<FarJob> find(List<JobId> ids) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return FarRows.find(connection, ids);
        }
    }

    List<FarJob> page(@Nullable TenantId scope, @Nullable JobId after, int limit) throws SQLException {
        UUID from = after == null ? Ids.LEAST : Ids.uuid(after);
        String sql = Sql.of(scope == null ? "page_far" : "page_far_of");
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            int next = 1;
            if (scope != null) {
                statement.setInt(next++, scope.number());
            }
            statement.setObject(next++, from);
            statement.setInt(next, limit);
            return FarRows.read(statement);
        }
    }
}
