package dev.fairlane.journal.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.journal.postgres.Sessions.Session;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SessionsTest extends JournalOnPostgres {

    @Test
    void what_a_session_writes_goes_to_disk_early_unless_the_operator_says_when() throws SQLException {
        assertThat(flushAfter()).isEqualTo("1MB");
        try (Statement statement = connection().createStatement()) {
            statement.execute("ALTER DATABASE " + database(statement) + " SET backend_flush_after = '256kB'");
        }
        assertThat(flushAfter()).isEqualTo("256kB");
    }

    private static String database(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT quote_ident(current_database())")) {
            row.next();
            return row.getString(1);
        }
    }

    private String flushAfter() throws SQLException {
        Session session = new Sessions(config()).connect("test", Duration.ZERO);
        try (Statement statement = session.connection().createStatement();
                ResultSet row = statement.executeQuery("SHOW backend_flush_after")) {
            row.next();
            return row.getString(1);
        } finally {
            session.close();
        }
    }
}
