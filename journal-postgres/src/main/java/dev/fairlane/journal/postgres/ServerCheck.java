package dev.fairlane.journal.postgres;

import dev.fairlane.journal.JournalFault;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** What the journal demands of a server, and what it says aloud. */
final class ServerCheck {
    private static final int OLDEST = 150_000;

    private ServerCheck() {}

    /**
     * @return what is unsafe about this server, in words for its operator
     * @throws JournalFault.Unavailable when the journal cannot work on it at all
     */
    static List<String> inspect(Connection connection) throws SQLException {
        List<String> unsafe = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(Sql.of("inspect_server"))) {
            rows.next();
            if (rows.getInt(1) < OLDEST) {
                throw new JournalFault.Unavailable(
                        "expected PostgreSQL 15 or later, but this is " + rows.getString(2) + "; upgrade it", null);
            }
            if (rows.getBoolean(3) || rows.getBoolean(7)) {
                throw new JournalFault.Unavailable(
                        "expected a primary server, but this one only reads (a standby?); connect to the primary",
                        null);
            }
            if (!rows.getBoolean(4)) {
                unsafe.add("fsync is off: a crash of the machine loses acknowledged jobs or the whole database");
            }
            if (!rows.getBoolean(5)) {
                unsafe.add("full_page_writes is off: a crash of the machine can tear pages");
            }
        }
        return unsafe;
    }
}
