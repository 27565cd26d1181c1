package dev.fairlane.sdk.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** What a job does to a database. It neither commits nor rolls back. */
@FunctionalInterface
public interface Writes {
    void on(Connection connection) throws SQLException;
}
