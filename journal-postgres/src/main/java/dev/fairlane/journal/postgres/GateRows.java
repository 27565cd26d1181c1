package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.RecoverySink;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Closed gates: few, and seldom changed. */
final class GateRows {
    private GateRows() {}

    static void write(Connection connection, List<Gate> gates) throws SQLException {
        for (Gate gate : gates) {
            try (PreparedStatement statement =
                    connection.prepareStatement(Sql.of(gate.closed() ? "close_gate" : "open_gate"))) {
                statement.setInt(1, gate.kind().ordinal());
                statement.setInt(2, gate.tenant().number());
                statement.setString(3, gate.name());
                if (gate.closed()) {
                    statement.setString(4, gate.by());
                    statement.setString(5, gate.why());
                    statement.setLong(6, gate.changedAt());
                }
                statement.executeUpdate();
            }
        }
    }

    static void tell(Connection connection, RecoverySink sink) throws SQLException {
        try (ResultSet rows = Streaming.query(connection, Sql.of("list_gates"))) {
            while (rows.next()) {
                sink.gate(new Gate(
                        Gate.Kind.of(rows.getInt(1)),
                        new TenantId(rows.getInt(2)),
                        rows.getString(3),
                        true,
                        rows.getString(4),
                        rows.getString(5),
                        rows.getLong(6)));
            }
        }
    }
}
