package dev.fairlane.journal.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.postgresql.PGStatement;

/** Reading many rows in bounded memory, in binary form from the first row on. Inside a transaction only. */
final class Streaming {
    private static final int ROWS_AT_ONCE = 4_000;
    private static final int BUNDLES_AT_ONCE = 64;
    private static final int BINARY_AT_ONCE = -1;

    private Streaming() {}

    /** Closing the result closes its statement. */
    static ResultSet query(Connection connection, String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.closeOnCompletion();
        return rows(statement);
    }

    static ResultSet rows(PreparedStatement statement) throws SQLException {
        return rows(statement, ROWS_AT_ONCE);
    }

    /** Bundles are as large as a page. */
    static ResultSet bundles(PreparedStatement statement) throws SQLException {
        return rows(statement, BUNDLES_AT_ONCE);
    }

    private static ResultSet rows(PreparedStatement statement, int atOnce) throws SQLException {
        statement.unwrap(PGStatement.class).setPrepareThreshold(BINARY_AT_ONCE);
        statement.setFetchSize(atOnce);
        return statement.executeQuery();
    }
}
