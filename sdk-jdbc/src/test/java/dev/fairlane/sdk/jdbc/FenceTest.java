package dev.fairlane.sdk.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.journal.postgres.embedded.testing.TestDatabase;
import dev.fairlane.journal.postgres.embedded.testing.TestPostgres;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobContext;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.LeaseLostException;
import dev.fairlane.sdk.testing.TestFairlane;
import dev.fairlane.sdk.testing.TestJobContext;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FenceTest {
    private static final String WRITE = "UPDATE report SET body = ?, fence = :token WHERE id = ? AND fence <= :token";

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Fence fence = Fence.inTable("fairlane_fence");

    @BeforeEach
    void makeTables() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(fence.ddl());
            statement.execute("CREATE TABLE report (id int PRIMARY KEY, body text NOT NULL, fence bigint NOT NULL)");
            statement.execute("INSERT INTO report VALUES (1, 'empty', 0)");
        }
    }

    @AfterEach
    void drop() {
        database.close();
    }

    @Test
    void anOlderAttemptCannotOverwriteItsSuccessor() throws SQLException {
        TestJobContext zombie = TestJobContext.of("report");
        TestJobContext successor = zombie.nextAfterCrash();
        try (Connection connection = database.connect()) {
            assertThat(Fence.update(connection, zombie, WRITE, "of the first", 1))
                    .isEqualTo(1);
            assertThat(Fence.update(connection, successor, WRITE, "of the second", 1))
                    .isEqualTo(1);
            assertThat(Fence.update(connection, successor, WRITE, "of the second, again", 1))
                    .isEqualTo(1);
            assertThat(Fence.update(connection, zombie, WRITE, "of the dead", 1))
                    .isZero();
        }
        assertThat(report()).isEqualTo("of the second, again");
    }

    @Test
    void anyWritesCanBeFencedByATableOfTokens() throws SQLException {
        TestJobContext zombie = TestJobContext.of("report");
        TestJobContext successor = zombie.nextAfterCrash();
        try (Connection connection = database.connect()) {
            fence.run(connection, zombie, c -> write(c, "of the first"));
            fence.run(connection, successor, c -> write(c, "of the second"));
            assertThatThrownBy(() -> fence.run(connection, zombie, c -> write(c, "of the dead")))
                    .isInstanceOf(LeaseLostException.class)
                    .hasMessageContaining("newer attempt");
            fence.run(connection, successor, c -> write(c, "of the second, again"));
        }
        assertThat(report()).isEqualTo("of the second, again");
    }

    /** The first execution fails after its write and lives on as a zombie, with a context that thinks nothing of it. */
    @Test
    void aJobThatRunsTwiceLeavesTheWriteOfItsLastAttempt() throws SQLException {
        JobContext[] first = new JobContext[1];
        try (TestFairlane test = TestFairlane.start();
                Connection late = database.connect()) {
            test.worker("report", Integer.class, (ctx, id) -> {
                try (Connection connection = database.connect()) {
                    Fence.update(connection, ctx, WRITE, "execution " + ctx.execution(), id);
                }
                if (ctx.firstAttempt()) {
                    first[0] = ctx;
                    throw new IllegalStateException("after the write");
                }
                return null;
            });
            assertThat(test.run(Job.of("report", 1)).state()).isEqualTo(JobState.SUCCEEDED);
            assertThat(Fence.update(late, first[0], WRITE, "of the dead", 1)).isZero();
        }
        assertThat(report()).isEqualTo("execution 2");
    }

    @Test
    void nothingIsWrittenWithoutTheLease() throws SQLException {
        TestJobContext lost = TestJobContext.of("report");
        lost.loseLease();
        try (Connection connection = database.connect()) {
            assertThatThrownBy(() -> Fence.update(connection, lost, WRITE, "of the dead", 1))
                    .isInstanceOf(LeaseLostException.class);
            assertThatThrownBy(() -> fence.run(connection, lost, c -> write(c, "of the dead")))
                    .isInstanceOf(LeaseLostException.class);
            assertThatThrownBy(
                            () -> Fence.update(connection, TestJobContext.of("report"), "UPDATE report SET fence = 1"))
                    .hasMessageContaining(":token");
        }
        assertThat(report()).isEqualTo("empty");
    }

    @Test
    void aStatementIsGivenAsManyParametersAsItHasPlaces() throws SQLException {
        try (Connection connection = database.connect()) {
            assertThatThrownBy(() -> Fence.update(connection, TestJobContext.of("report"), WRITE, "body"))
                    .hasMessageContaining("expected 2 parameters, but got 1");
            assertThatThrownBy(() -> Fence.update(connection, TestJobContext.of("report"), WRITE, "body", 1, 2))
                    .hasMessageContaining("expected 2 parameters, but got 3");
        }
    }

    private static void write(Connection connection, String body) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("UPDATE report SET body = '" + body + "' WHERE id = 1");
        }
    }

    private String report() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT body FROM report WHERE id = 1")) {
            rows.next();
            return rows.getString(1);
        }
    }
}
