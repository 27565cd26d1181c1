package dev.fairlane.sdk.jdbc;

import dev.fairlane.sdk.JobContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;

/** The common frame of guarded writes: the caller's transaction if there is one, else one of our own. */
final class Transaction {
    /** Integrity constraint violation; all databases agree on the class, not on what follows. */
    private static final String CONSTRAINT_VIOLATED = "23";

    private Transaction() {}

    /** Writes under a guard; false when there was nothing to do. */
    interface Guarded {
        boolean on(Connection connection) throws SQLException;
    }

    static boolean run(Connection connection, JobContext context, Guarded work) throws SQLException {
        context.checkLease();
        if (!connection.getAutoCommit()) {
            return work.on(connection);
        }
        connection.setAutoCommit(false);
        boolean committed = false;
        try {
            boolean done = work.on(connection);
            // The writes may have taken a while: a lease that is lost by now may be another worker's.
            context.checkLease();
            connection.commit();
            committed = true;
            return done;
        } finally {
            if (!committed) {
                connection.rollback();
            }
            connection.setAutoCommit(true);
        }
    }

    /** @return false when a row with this key is there; the transaction stays usable */
    static boolean insert(Connection connection, PreparedStatement insert) throws SQLException {
        Savepoint before = connection.setSavepoint();
        try {
            insert.executeUpdate();
        } catch (SQLException e) {
            if (e.getSQLState() == null || !e.getSQLState().startsWith(CONSTRAINT_VIOLATED)) {
                throw e;
            }
            connection.rollback(before);
            return false;
        }
        connection.releaseSavepoint(before);
        return true;
    }

    /** Table names end up in SQL text, so they are letters, digits and underscores, with a schema at most. */
    static String tableName(String name) {
        if (!name.matches("[A-Za-z_][A-Za-z0-9_]{0,62}(\\.[A-Za-z_][A-Za-z0-9_]{0,62})?")) {
            throw new IllegalArgumentException("expected the name of a table, but got '" + name + "'");
        }
        return name;
    }
}
