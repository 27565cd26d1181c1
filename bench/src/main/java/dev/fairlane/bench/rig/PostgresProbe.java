package dev.fairlane.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads PostgreSQL's own counters, over a connection of its own. */
public final class PostgresProbe implements AutoCloseable {
    private static final String USER = "fairlane";
    private static final String DATABASE = "fairlane";

    private final Access access;
    private final Connection connection;

    /** How to connect to any database of the server. */
    public record Access(int port, String user, String password) {
        public String url(String database) {
            return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?sslmode=disable&gssEncMode=disable";
        }
    }

    /**
     * @param walBytes position of the write-ahead log
     * @param commits transactions committed in Fairlane's database; backends report theirs up to a second late
     */
    public record Counters(long walBytes, long commits) {}

    /**
     * Of the journal and job tables.
     *
     * @param updated rows updated or deleted since the statistics began: what vacuum would hide from {@code dead}
     */
    public record Tuples(long dead, long updated, long inserted) {}

    private PostgresProbe(Access access, Connection connection) {
        this.access = access;
        this.connection = connection;
    }

    static PostgresProbe of(Path home) {
        Path folder =
                postgresHome(home).orElseThrow(() -> new RigException("there is no embedded PostgreSQL in " + home));
        try {
            Access access = new Access(
                    Integer.parseInt(Files.readString(folder.resolve("port")).strip()),
                    USER,
                    Files.readString(folder.resolve("password")).strip());
            return new PostgresProbe(
                    access, DriverManager.getConnection(access.url(DATABASE), access.user(), access.password()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read how to reach the embedded PostgreSQL", e);
        } catch (SQLException e) {
            throw new RigException("cannot connect to the embedded PostgreSQL: " + e.getMessage(), e);
        }
    }

    private static Optional<Path> postgresHome(Path home) {
        try (Stream<Path> folders = Stream.concat(Stream.of(home), Files.list(home))) {
            return folders.filter(folder -> Files.exists(folder.resolve("password")))
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look into " + home, e);
        }
    }

    public Access access() {
        return access;
    }

    public Counters counters() {
        return query(
                "select pg_current_wal_lsn() - '0/0', (select xact_commit from pg_stat_database where datname = '"
                        + DATABASE + "')",
                rows -> new Counters(rows.getLong(1), rows.getLong(2)));
    }

    public Tuples tuples() {
        return query(
                "select coalesce(sum(n_dead_tup), 0), coalesce(sum(n_tup_upd + n_tup_del), 0), coalesce(sum(n_tup_ins), 0)"
                        + " from pg_stat_user_tables where schemaname = 'fairlane' and (relname like 'journal%' or relname like 'job%')",
                rows -> new Tuples(rows.getLong(1), rows.getLong(2), rows.getLong(3)));
    }

    public String version() {
        return query("show server_version", rows -> rows.getString(1));
    }

    /** The settings that decide how durable and how fast a commit is. */
    public Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String name : new String[] {
            "fsync",
            "synchronous_commit",
            "full_page_writes",
            "wal_level",
            "wal_compression",
            "shared_buffers",
            "max_wal_size",
            "checkpoint_timeout"
        }) {
            settings.put(name, query("show " + name, rows -> rows.getString(1)));
        }
        return settings;
    }

    /** For statements that make or drop what is beside Fairlane's database. */
    public void execute(String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new RigException("'" + sql + "' failed: " + e.getMessage(), e);
        }
    }

    public long number(String sql) {
        return query(sql, rows -> rows.getLong(1));
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new RigException("cannot close the probe: " + e.getMessage(), e);
        }
    }

    private interface Row<T> {
        T read(ResultSet rows) throws SQLException;
    }

    private <T> T query(String sql, Row<T> row) {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return row.read(rows);
        } catch (SQLException e) {
            throw new RigException("'" + sql + "' failed: " + e.getMessage(), e);
        }
    }
}
