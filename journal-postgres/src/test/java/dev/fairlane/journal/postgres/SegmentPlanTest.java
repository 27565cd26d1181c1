package dev.fairlane.journal.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.journal.postgres.embedded.testing.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Payloads of a thousand jobs at once come from a full segment by its indexes: reading all of it for them is what makes a deep backlog slow. */
class SegmentPlanTest {
    private static final String TABLE = "job_open_77";
    private static final String ID = "('00000000-0000-0000-0000-' || to_char(i, 'FM000000000000'))::uuid";

    private final TestDatabase database = MigratedDatabase.fresh();
    private Connection connection;

    @BeforeEach
    void fill() throws SQLException {
        connection = DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
        connection.setAutoCommit(false);
        Transactions.run(connection, Sql.on("make_slot", TABLE));
        run("INSERT INTO fairlane." + TABLE + " (number, id, tenant, type, spec, status, payload) SELECT 1, " + ID
                + ", i % 1000, 't', 'spec', 'status', repeat('x', 100)::bytea FROM generate_series(1, 20000) AS i");
        Transactions.run(connection, Sql.on("index_slot", TABLE));
        connection.commit();
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        database.close();
    }

    @Test
    void specsAreFoundByIdHoweverMany() throws SQLException {
        Transactions.run(connection, Sql.of("find_by_index"));
        for (int count : new int[] {1, 10, 1_000, 5_000}) {
            UUID[] ids = LongStream.rangeClosed(1, count)
                    .mapToObj(i -> UUID.fromString("00000000-0000-0000-0000-%012d".formatted(i)))
                    .toArray(UUID[]::new);
            try (PreparedStatement statement = connection.prepareStatement("EXPLAIN " + Sql.on("find_open", TABLE))) {
                statement.setArray(1, connection.createArrayOf("uuid", ids));
                statement.setArray(2, connection.createArrayOf("int4", new Integer[0]));
                statement.setArray(3, connection.createArrayOf("uuid", new UUID[0]));
                statement.setArray(4, connection.createArrayOf("uuid", new UUID[0]));
                assertThat(lines(statement.executeQuery()))
                        .as("%d ids", count)
                        .contains(TABLE + "_id")
                        .doesNotContain("Seq Scan");
            }
        }
    }

    @Test
    void bundlesAreFoundByTheirTenantHoweverMany() throws SQLException {
        run("INSERT INTO fairlane." + TABLE + " (number, id, tenant, last, ids, bundle) SELECT 1, " + ID
                + ", i % 1000, " + ID
                + ", repeat('x', 480)::bytea, repeat('x', 7000)::bytea FROM generate_series(1, 1200) AS i");
        run("SET LOCAL default_statistics_target = 3");
        run("ANALYZE fairlane." + TABLE + " (id, tenant, last, ends)");
        Transactions.run(connection, Sql.of("find_by_index"));
        for (int count : new int[] {1, 10, 500}) {
            UUID[] ids = LongStream.rangeClosed(1, count)
                    .mapToObj(i -> UUID.fromString("00000000-0000-0000-0000-%012d".formatted(i)))
                    .toArray(UUID[]::new);
            Integer[] tenants =
                    IntStream.rangeClosed(1, count).mapToObj(i -> i % 1000).toArray(Integer[]::new);
            try (PreparedStatement statement = connection.prepareStatement("EXPLAIN " + Sql.on("find_open", TABLE))) {
                statement.setArray(1, connection.createArrayOf("uuid", ids));
                statement.setArray(2, connection.createArrayOf("int4", tenants));
                statement.setArray(3, connection.createArrayOf("uuid", ids));
                statement.setArray(4, connection.createArrayOf("uuid", ids));
                String plan = lines(statement.executeQuery());
                assertThat(plan.contains("Tid Scan"))
                        .as("%d tenants: bundles are read by their place", count)
                        .isTrue();
                assertThat(plan.contains(TABLE + "_bundle") || plan.contains(TABLE + "_last"))
                        .as("%d tenants: and found by an index of theirs", count)
                        .isTrue();
            }
        }
    }

    @Test
    void thePlanOfATenantsPageDoesNotReadTheWholeSegment() throws SQLException {
        String page = Sql.on("page_open_of_tenant", TABLE);
        try (PreparedStatement statement = connection.prepareStatement("EXPLAIN " + page)) {
            statement.setInt(1, 7);
            statement.setObject(2, Ids.GREATEST);
            statement.setInt(3, 50);
            assertThat(lines(statement.executeQuery()))
                    .contains(TABLE + "_tenant")
                    .doesNotContain("Seq Scan");
        }
    }

    private void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String lines(ResultSet rows) throws SQLException {
        StringJoiner lines = new StringJoiner("\n");
        while (rows.next()) {
            lines.add(rows.getString(1));
        }
        return lines.toString();
    }
}
