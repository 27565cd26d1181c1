package dev.fairlane.journal.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.journal.postgres.embedded.testing.TestDatabase;
import dev.fairlane.journal.postgres.embedded.testing.TestPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The server reads the parts that were meant. */
class BatchPartsTest {
    private static final int[] LENGTHS = {
        0, 1, BatchParts.PART - 1, BatchParts.PART, BatchParts.PART + 1, 3 * BatchParts.PART, 1_000_003
    };

    @Test
    void parts_fill_a_page_each_and_are_together_the_batch() throws SQLException {
        Random random = new Random(7);
        try (TestDatabase database = TestPostgres.freshDatabase();
                Connection connection =
                        DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
                PreparedStatement ask = connection.prepareStatement(
                        "SELECT cardinality(p), coalesce(min(length(u)) FILTER (WHERE i < cardinality(p)), -1),"
                                + " string_agg(u, '' ORDER BY i) FROM (SELECT ?::bytea[] AS p) AS given,"
                                + " unnest(p) WITH ORDINALITY AS parts (u, i) GROUP BY p")) {
            for (int length : LENGTHS) {
                byte[] batch = new byte[length];
                random.nextBytes(batch);
                ask.setArray(1, BatchParts.of(connection, batch));
                try (ResultSet rows = ask.executeQuery()) {
                    assertThat(rows.next()).isTrue();
                    int parts = rows.getInt(1);
                    assertThat(parts).isEqualTo(Math.max(1, Math.ceilDiv(length, BatchParts.PART)));
                    assertThat(rows.getInt(2)).isEqualTo(parts == 1 ? -1 : BatchParts.PART);
                    assertThat(rows.getBytes(3)).isEqualTo(batch);
                }
            }
        }
    }
}
