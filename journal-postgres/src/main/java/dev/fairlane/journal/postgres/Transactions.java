package dev.fairlane.journal.postgres;

import dev.fairlane.journal.JournalFault;
import dev.fairlane.journal.LogId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;

/** Steps that several transactions share. */
final class Transactions {
    private Transactions() {}

    /** Ends the transaction; from here on an error leaves the outcome open. */
    static void commit(Connection connection, String what) {
        try {
            connection.clearWarnings();
            connection.commit();
            SQLWarning warning = connection.getWarnings();
            if (warning != null) {
                throw new JournalFault.UnknownOutcome(
                        what + " committed with a warning: " + warning.getMessage(), warning);
            }
        } catch (SQLException e) {
            throw Faults.ofCommit(what, e);
        }
    }

    /** A short transaction that holds the fence; nothing of it happens on a closed log. */
    static void fenced(Connection connection, LogId log, String what, Lane.Chore chore) throws SQLException {
        connection.setAutoCommit(false);
        boolean done = false;
        try {
            holdOpen(connection, log);
            chore.run();
            commit(connection, what);
            done = true;
        } finally {
            if (!done) {
                rollback(connection);
            }
            connection.setAutoCommit(true);
        }
    }

    static void holdOpen(Connection connection, LogId log) throws SQLException {
        if (!ask(connection, "hold_open", (int) log.epoch())) {
            throw fenced(log);
        }
    }

    static JournalFault.Fenced fenced(LogId log) {
        return new JournalFault.Fenced("log " + log.epoch() + " is closed: another start took over");
    }

    static void rollback(Connection connection) {
        try {
            if (!connection.isClosed() && !connection.getAutoCommit()) {
                connection.rollback();
            }
        } catch (SQLException ignored) {
            // The connection is gone, and its transaction with it.
        }
    }

    static void waitAtMost(Connection connection, Duration time) throws SQLException {
        run(connection, Sql.of("wait_at_most").replace("{millis}", Long.toString(time.toMillis())));
    }

    static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static void call(Connection connection, String deed, int argument) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.of(deed))) {
            statement.setInt(1, argument);
            statement.execute();
        }
    }

    static boolean ask(Connection connection, String deed, int argument) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.of(deed))) {
            statement.setInt(1, argument);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() && rows.getBoolean(1);
            }
        }
    }

    static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
