package dev.fairlane.journal.postgres;

import dev.fairlane.journal.ContractNode;
import dev.fairlane.journal.SampleJobs;
import dev.fairlane.journal.postgres.embedded.EmbeddedPostgres;
import dev.fairlane.journal.postgres.embedded.testing.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** A database of its own per test, journals on it, and a look behind their back. */
abstract class JournalOnPostgres {
    static final int FENCE = 571_700_001;

    final String jdbcUrl;
    final String user;
    final String password;
    final SampleJobs jobs = new SampleJobs(System.currentTimeMillis() * 1000, 1);
    private final List<AutoCloseable> opened = new ArrayList<>();

    JournalOnPostgres() {
        TestDatabase database = closing(MigratedDatabase.fresh());
        this.jdbcUrl = database.jdbcUrl();
        this.user = database.user();
        this.password = database.password();
    }

    /** On a server of the test's own, for what would hurt others. */
    JournalOnPostgres(EmbeddedPostgres server) {
        this.jdbcUrl = server.jdbcUrl();
        this.user = server.user();
        this.password = server.password();
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable one : opened.reversed()) {
            one.close();
        }
    }

    <C extends AutoCloseable> C closing(C one) {
        opened.add(one);
        return one;
    }

    PostgresConfig config() {
        return PostgresConfig.of(jdbcUrl, user, password);
    }

    PostgresJournal connect(PostgresConfig config) {
        return closing(PostgresJournal.connect(config));
    }

    ContractNode start(String node) {
        return new ContractNode(connect(config()), node);
    }

    Connection connection() throws SQLException {
        return closing(DriverManager.getConnection(jdbcUrl, user, password));
    }

    static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** Server processes of this database in a role of ours that wait for this. */
    static List<Integer> waiting(Connection connection, String role, String event) throws SQLException {
        List<Integer> pids = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement("SELECT pid FROM pg_stat_activity"
                + " WHERE datname = current_database() AND application_name = ? AND wait_event = ?")) {
            statement.setString(1, "fairlane " + role);
            statement.setString(2, event);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    pids.add(rows.getInt(1));
                }
            }
        }
        return pids;
    }
}
