package dev.fairlane.journal.postgres.embedded.testing;

import dev.fairlane.journal.postgres.embedded.EmbeddedPostgres;
import dev.fairlane.journal.postgres.embedded.EmbeddedPostgresConfig;
import dev.fairlane.journal.postgres.embedded.EmbeddedPostgresException;
import dev.fairlane.journal.postgres.embedded.EmbeddedPostgresException.Reason;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One PostgreSQL per test JVM, started by the first test that asks and stopped with the JVM.
 *
 * <p>The folders are kept between runs in a cache of the user's below the temporary folder, so only the very first run
 * pays for unpacking and initialising. Each JVM takes the first folder nobody uses; a folder whose last JVM was killed is
 * taken first again, together with the PostgreSQL that JVM left behind, so orphans do not pile up. Databases of earlier
 * runs are dropped.
 */
public final class TestPostgres {

    private static final int FOLDERS = 32;
    private static final String PREFIX = "test_";
    private static final AtomicInteger NEXT = new AtomicInteger();

    private TestPostgres() {}

    /** An empty database for one test; closing it drops it, not closing it leaves it to the next run. */
    public static TestDatabase freshDatabase() {
        return made("");
    }

    /** A database for one test with what is in another, to which nobody may be connected. */
    public static TestDatabase copyOf(TestDatabase template) {
        return made(" TEMPLATE " + template.name());
    }

    private static TestDatabase made(String how) {
        EmbeddedPostgres server = server();
        String name = PREFIX + ProcessHandle.current().pid() + "_" + NEXT.incrementAndGet();
        execute(server, "CREATE DATABASE " + name + how);
        return new TestDatabase(server, name);
    }

    /** The server itself, for tests that need to do it harm; it comes back by itself. */
    public static EmbeddedPostgres server() {
        return Holder.SERVER;
    }

    /** Unpacked binaries to share with homes a test makes for itself. */
    public static Path binaries() {
        return cache().resolve("binaries");
    }

    /** A configuration for a home of the test's own: small, on shared binaries, otherwise as in production. */
    public static EmbeddedPostgresConfig config(Path home) {
        return EmbeddedPostgresConfig.at(home)
                .withBinaries(binaries())
                .withSetting("shared_buffers", "64MB")
                .withSetting("max_wal_size", "1GB")
                .withSetting("min_wal_size", "80MB");
    }

    static void execute(EmbeddedPostgres server, String sql) {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql + " failed on the PostgreSQL of the tests", e);
        }
    }

    private static Path cache() {
        return Path.of(
                System.getProperty("java.io.tmpdir"), "fairlane-test-postgres-" + System.getProperty("user.name"));
    }

    /** Started by the class loader: once, whichever test comes first. */
    private static final class Holder {

        static final EmbeddedPostgres SERVER = start();

        private static EmbeddedPostgres start() {
            for (int i = 0; i < FOLDERS; i++) {
                try {
                    EmbeddedPostgres server = EmbeddedPostgres.start(config(cache().resolve("home-" + i)));
                    Runtime.getRuntime().addShutdownHook(new Thread(server::stop, "stop-test-postgres"));
                    dropLeftovers(server);
                    return server;
                } catch (EmbeddedPostgresException e) {
                    if (e.reason() != Reason.IN_USE) {
                        throw e;
                    }
                }
            }
            throw new IllegalStateException("all " + FOLDERS + " test folders below " + cache() + " are in use");
        }

        private static void dropLeftovers(EmbeddedPostgres server) {
            List<String> names = new ArrayList<>();
            try (Connection connection =
                            DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(
                            "SELECT datname FROM pg_database WHERE starts_with(datname, '" + PREFIX + "')")) {
                while (rows.next()) {
                    names.add(rows.getString(1));
                }
            } catch (SQLException e) {
                throw new IllegalStateException("the PostgreSQL of the tests does not answer", e);
            }
            names.forEach(name -> execute(server, "DROP DATABASE " + name + " WITH (FORCE)"));
        }
    }
}
