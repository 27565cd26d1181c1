package dev.fairlane.journal.postgres.embedded.testing;

import dev.fairlane.journal.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A database of one test's own. */
public final class TestDatabase implements AutoCloseable {

    private final EmbeddedPostgres server;
    private final String name;

    TestDatabase(EmbeddedPostgres server, String name) {
        this.server = server;
        this.name = name;
    }

    public String name() {
        return name;
    }

    public String jdbcUrl() {
        return server.jdbcUrl(name);
    }

    public String user() {
        return server.user();
    }

    public String password() {
        return server.password();
    }

    /** A new connection of its own every time. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl(), user(), password());
    }

    /** Unpooled. */
    public DataSource dataSource() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(jdbcUrl());
        source.setUser(user());
        source.setPassword(password());
        return source;
    }

    /** Drops it, whoever is still connected. */
    @Override
    public void close() {
        TestPostgres.execute(server, "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
    }
}
