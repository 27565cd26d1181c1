package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.Flush;
import dev.fairlane.journal.RecoverySink;
import dev.fairlane.journal.RowCodec;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Schedules, one row each. */
final class ScheduleRows {
    private final RowCodec codec = new RowCodec();

    void write(Connection connection, Flush.Schedules schedules) throws SQLException {
        drop(connection, schedules.gone());
        put(connection, schedules.set());
        move(connection, schedules.moved());
    }

    private static void drop(Connection connection, List<ScheduleName> gone) throws SQLException {
        if (gone.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("drop_schedule"))) {
            for (ScheduleName id : gone) {
                statement.setInt(1, id.tenant().number());
                statement.setString(2, id.name());
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    private void put(Connection connection, List<Schedule> schedules) throws SQLException {
        if (schedules.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("put_schedule"))) {
            for (Schedule schedule : schedules) {
                statement.setInt(1, schedule.id().tenant().number());
                statement.setString(2, schedule.id().name());
                statement.setBytes(3, codec.encodeSchedule(schedule));
                statement.setBytes(4, codec.encodeTicks(schedule.progress()));
                statement.setLong(5, schedule.progress().changedAt());
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    private void move(Connection connection, List<Flush.ScheduleMove> moves) throws SQLException {
        if (moves.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("move_schedule"))) {
            for (Flush.ScheduleMove move : moves) {
                statement.setBytes(1, codec.encodeTicks(move.progress()));
                statement.setLong(2, move.progress().changedAt());
                statement.setInt(3, move.id().tenant().number());
                statement.setString(4, move.id().name());
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    static void tell(Connection connection, RecoverySink sink) throws SQLException {
        try (ResultSet rows = Streaming.query(connection, Sql.of("list_schedules"))) {
            while (rows.next()) {
                ScheduleName id = new ScheduleName(new TenantId(rows.getInt(1)), rows.getString(2));
                sink.schedule(RowCodec.decodeSchedule(id, rows.getBytes(3), rows.getBytes(4)));
            }
        }
    }
}
