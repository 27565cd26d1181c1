package dev.fairlane.journal.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.journal.postgres.embedded.testing.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.StringJoiner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A session keeps its plans: one made while the table of far jobs was empty must do for a million of them. */
class FarPlanTest {
    private static final String BEGIN = "(0, 'ffffffff-ffff-ffff-ffff-ffffffffffff')";

    private final TestDatabase database = MigratedDatabase.fresh();
    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        connection = DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
        try (Statement statement = connection.createStatement()) {
            statement.execute("""
                    INSERT INTO fairlane.job_far
                    SELECT 1, 9, 3, false, ('00000000-0000-0000-0000-' || to_char(i, 'FM000000000000'))::uuid, 't', '', '', ''
                    FROM generate_series(1, 200) AS i""");
            statement.execute("VACUUM ANALYZE fairlane.job_far");
            statement.execute("DELETE FROM fairlane.job_far");
            statement.execute("VACUUM ANALYZE fairlane.job_far");
        }
        connection.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        database.close();
    }

    @Test
    void theFirstThatAreDueAreFoundAlongTheirIndex() throws SQLException {
        String load = Sql.of("load_far").replaceFirst("\\?", "4096").replace("(?, ?)", BEGIN);
        String past = Sql.of("load_far_without").replaceFirst("\\?", "4096").replace("(?, ?)", BEGIN);
        String next = Sql.of("find_next_far").replace("(?, ?)", BEGIN);
        String usual = plan(next);
        assertThat(usual).as("what an empty table is worth").contains("Sort");

        Transactions.run(connection, Sql.of("walk_by_index"));

        assertThat(plan(load.replaceFirst("\\?", "9").replaceFirst("\\?", "500")))
                .contains("job_far_wake")
                .doesNotContain("Sort", "Bitmap");
        assertThat(plan(past.replaceFirst("\\?", "9")
                        .replaceFirst("\\?", "'{3}'")
                        .replaceFirst("\\?", "500")))
                .contains("job_far_wake")
                .doesNotContain("Sort", "Bitmap");
        assertThat(plan(next)).contains("job_far_wake").doesNotContain("Sort", "Bitmap");
    }

    @Test
    void rowsThatLeaveAreFoundByTheirIds() throws SQLException {
        String remove = Sql.of("remove_far").replace("?", "'{00000000-0000-0000-0000-000000000001}'");
        assertThat(plan(remove)).as("what an empty table is worth").contains("Seq Scan");

        Transactions.run(connection, Sql.of("find_by_index"));

        assertThat(plan(remove)).contains("job_far_pkey").doesNotContain("Seq Scan");
    }

    private String plan(String sql) throws SQLException {
        StringJoiner lines = new StringJoiner("\n");
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("EXPLAIN " + sql)) {
            while (rows.next()) {
                lines.add(rows.getString(1));
            }
        }
        return lines.toString();
    }
}
