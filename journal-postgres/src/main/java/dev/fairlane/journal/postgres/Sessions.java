package dev.fairlane.journal.postgres;

import dev.fairlane.journal.JournalFault;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Makes direct connections. */
final class Sessions {
    private final PostgresConfig config;

    Sessions(PostgresConfig config) {
        this.config = config;
    }

    /** A new connection with durable commits. @param silence how long the server may say nothing; zero for ever */
    Session connect(String role, Duration silence) throws SQLException {
        Connection connection = DriverManager.getConnection(config.jdbcUrl(), properties(role, silence));
        boolean done = false;
        try {
            Session session = identify(connection);
            done = true;
            return session;
        } finally {
            if (!done) {
                connection.close();
            }
        }
    }

    Properties properties(String role, Duration silence) {
        Properties properties = new Properties();
        properties.setProperty("user", config.user());
        properties.setProperty("password", config.password());
        properties.setProperty("ApplicationName", "fairlane " + role);
        properties.setProperty("connectTimeout", "10");
        properties.setProperty("socketTimeout", Long.toString(silence.toSeconds()));
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("prepareThreshold", "1");
        // A reader of a big table must not make the server's memory, or ours, grow with it.
        properties.setProperty("logUnclosedConnections", "true");
        return properties;
    }

    private static Session identify(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(Sql.of("commit_durably"));
            statement.execute(Sql.of("write_back_early"));
            try (ResultSet rows = statement.executeQuery(Sql.of("identify_session"))) {
                rows.next();
                return new Session(connection, rows.getInt(1), rows.getLong(2));
            }
        }
    }

    /**
     * One connection and the server process behind it.
     *
     * @param startedAt when the process started: its number alone may be used again
     */
    record Session(Connection connection, int pid, long startedAt) {

        void close() {
            try {
                connection.close();
            } catch (SQLException ignored) {
                // It is gone either way; whoever follows ends the server process.
            }
        }

        /**
         * Makes sure that nothing this session sent can still have an effect, however late it arrives. A commit that waits for a standby
         * ends as committed here; the waiting is then done by whoever commits behind it.
         */
        static void end(Connection by, @Nullable Session lost) throws SQLException {
            if (lost == null) {
                return;
            }
            lost.close();
            try (PreparedStatement statement = by.prepareStatement(Sql.of("end_session"))) {
                statement.setInt(1, lost.pid);
                statement.setLong(2, lost.startedAt);
                try (ResultSet rows = statement.executeQuery()) {
                    if (rows.next() && !rows.getBoolean(1)) {
                        throw new JournalFault.Unavailable(
                                "expected server process " + lost.pid + " to end, but it is still there", null);
                    }
                }
            }
        }
    }
}
