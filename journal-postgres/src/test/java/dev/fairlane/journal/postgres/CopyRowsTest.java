package dev.fairlane.journal.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.JobId;
import dev.fairlane.journal.postgres.embedded.testing.TestDatabase;
import dev.fairlane.journal.postgres.embedded.testing.TestPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What was gathered arrives, wherever the chunks end. */
class CopyRowsTest {
    private static final int ROWS = 20_000;
    private static final int LARGE = 700_000;

    @Test
    void rows_cut_by_the_end_of_a_chunk_arrive_whole_and_chunks_are_used_again() throws SQLException {
        CopyRows rows = new CopyRows();
        try (TestDatabase database = TestPostgres.freshDatabase();
                Connection connection =
                        DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE row (id uuid, number int8, small int2, text text, bytes bytea)");
            for (int round = 0; round < 3; round++) {
                statement.execute("TRUNCATE row");
                Random random = new Random(round);
                long length = 0;
                for (int i = 0; i < ROWS; i++) {
                    byte[] bytes = bytes(random, i);
                    rows.row(5)
                            .uuid(JobId.of(1_800_000_000_000L + i, 0, 1, 1, i + 1))
                            .int8(i)
                            .int2(i % 1_000)
                            .text(i % 7 == 0 ? null : "row " + i)
                            .bytea(bytes);
                    length += bytes.length;
                }
                assertThat(rows.rows()).isEqualTo(ROWS);
                assertThat(rows.length()).isGreaterThan(length);

                rows.send(connection, "COPY row FROM STDIN (FORMAT binary)", round == 1 ? Pace.gentle() : Pace.BRISK);

                assertThat(rows.rows()).isZero();
                Random again = new Random(round);
                try (ResultSet read =
                        statement.executeQuery("SELECT number, small, text, bytes FROM row ORDER BY number")) {
                    for (int i = 0; i < ROWS; i++) {
                        assertThat(read.next()).isTrue();
                        assertThat(read.getLong(1)).isEqualTo(i);
                        assertThat(read.getInt(2)).isEqualTo(i % 1_000);
                        assertThat(read.getString(3)).isEqualTo(i % 7 == 0 ? null : "row " + i);
                        assertThat(read.getBytes(4)).isEqualTo(bytes(again, i));
                    }
                    assertThat(read.next()).isFalse();
                }
            }
        }
    }

    private static byte[] bytes(Random random, int row) {
        byte[] bytes = new byte[row == ROWS / 2 ? LARGE : random.nextInt(300)];
        random.nextBytes(bytes);
        return bytes;
    }
}
