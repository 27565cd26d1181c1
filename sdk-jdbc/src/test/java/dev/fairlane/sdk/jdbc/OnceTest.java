package dev.fairlane.sdk.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.journal.postgres.embedded.testing.TestDatabase;
import dev.fairlane.journal.postgres.embedded.testing.TestPostgres;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobInfo;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.LeaseLostException;
import dev.fairlane.sdk.Worker;
import dev.fairlane.sdk.testing.TestFairlane;
import dev.fairlane.sdk.testing.TestJobContext;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OnceTest {
    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Once once = Once.inTable("fairlane_effect");

    @BeforeEach
    void makeTables() throws SQLException {
        execute(once.ddl());
        execute("CREATE TABLE booking (amount int)");
    }

    @AfterEach
    void drop() {
        database.close();
    }

    @Test
    void aJobThatFailsAfterItsWritesWritesOnce() {
        AtomicInteger runs = new AtomicInteger();
        // A first call on a busy machine may take a second: its job must not run out of time over it.
        try (TestFairlane test =
                TestFairlane.builder().patience(Duration.ofSeconds(20)).start()) {
            test.worker("book", Integer.class, (ctx, amount) -> {
                try (Connection connection = database.connect()) {
                    once.run(connection, ctx, c -> book(c, amount));
                }
                if (runs.incrementAndGet() == 1) {
                    throw new IllegalStateException("after the booking");
                }
                return null;
            });
            JobInfo job = test.run(Job.of("book", 42));
            assertThat(job.state()).isEqualTo(JobState.SUCCEEDED);
        }
        assertThat(runs).hasValue(2);
        assertThat(bookings()).isEqualTo(1);
    }

    @Test
    void aJobWhoseWorkerDiesAfterItsWritesWritesOnce() throws InterruptedException {
        CountDownLatch booked = new CountDownLatch(1);
        try (TestFairlane test = TestFairlane.start()) {
            Worker dying = test.worker("book", Integer.class, (ctx, amount) -> {
                try (Connection connection = database.connect()) {
                    once.run(connection, ctx, c -> book(c, amount));
                }
                booked.countDown();
                new CountDownLatch(1).await();
                return null;
            });
            JobHandle job = test.client().submit(Job.of("book", 42));
            booked.await();
            dying.kill();
            test.worker("book", Integer.class, (ctx, amount) -> {
                try (Connection connection = database.connect()) {
                    return once.run(connection, ctx, c -> book(c, amount));
                }
            });
            JobInfo ended = test.finish(job);
            assertThat(ended.result(Boolean.class)).isFalse();
            assertThat(ended.execution()).isEqualTo(2);
        }
        assertThat(bookings()).isEqualTo(1);
    }

    @Test
    void writesThatFailLeaveNoMark() throws SQLException {
        TestJobContext context = TestJobContext.of("book");
        try (Connection connection = database.connect()) {
            assertThatThrownBy(() -> once.run(connection, context, c -> {
                        book(c, 1);
                        throw new SQLException("no");
                    }))
                    .hasMessage("no");
            assertThat(connection.getAutoCommit()).isTrue();
            assertThat(once.run(connection, context.next(), c -> book(c, 1))).isTrue();
        }
        assertThat(bookings()).isEqualTo(1);
    }

    @Test
    void effectsOfOneJobAreToldApartByTheirNames() throws SQLException {
        TestJobContext context = TestJobContext.of("book");
        try (Connection connection = database.connect()) {
            assertThat(once.run(connection, context, context.effectKey().of("a"), c -> book(c, 1)))
                    .isTrue();
            assertThat(once.run(connection, context, context.effectKey().of("b"), c -> book(c, 1)))
                    .isTrue();
            assertThat(once.run(connection, context.next(), context.effectKey().of("b"), c -> book(c, 1)))
                    .isFalse();
        }
        assertThat(bookings()).isEqualTo(2);
    }

    @Test
    void takesPartInATransactionUnderWay() throws SQLException {
        TestJobContext context = TestJobContext.of("book");
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            once.run(connection, context, c -> book(c, 1));
            assertThat(once.run(connection, context, c -> book(c, 2))).isFalse();
            book(connection, 3);
            connection.rollback();
            assertThat(bookings()).isZero();
            once.run(connection, context, c -> book(c, 1));
            connection.commit();
        }
        assertThat(bookings()).isEqualTo(1);
    }

    @Test
    void twoAttemptsAtTheSameMomentWriteOnce() throws Exception {
        TestJobContext first = TestJobContext.of("book");
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        try (Connection one = database.connect();
                Connection two = database.connect()) {
            CompletableFuture<Boolean> slow = CompletableFuture.supplyAsync(() -> run(one, first, c -> {
                book(c, 1);
                inside.countDown();
                await(go);
            }));
            inside.await();
            CompletableFuture<Boolean> fast =
                    CompletableFuture.supplyAsync(() -> run(two, first.nextAfterCrash(), c -> book(c, 1)));
            go.countDown();
            assertThat(slow.join()).isTrue();
            assertThat(fast.join()).isFalse();
        }
        assertThat(bookings()).isEqualTo(1);
    }

    @Test
    void nothingIsWrittenWithoutTheLease() throws SQLException {
        TestJobContext lost = TestJobContext.of("book");
        lost.loseLease();
        TestJobContext losing = TestJobContext.of("book");
        try (Connection connection = database.connect()) {
            assertThatThrownBy(() -> once.run(connection, lost, c -> book(c, 1)))
                    .isInstanceOf(LeaseLostException.class);
            assertThatThrownBy(() -> once.run(connection, losing, c -> {
                        book(c, 1);
                        losing.loseLease();
                    }))
                    .isInstanceOf(LeaseLostException.class);
        }
        assertThat(bookings()).isZero();
    }

    @Test
    void oldMarksAreForgotten() throws SQLException {
        TestJobContext context = TestJobContext.of("book");
        try (Connection connection = database.connect()) {
            once.run(connection, context, c -> {});
            assertThat(once.forgetBefore(connection, Instant.now().minus(Duration.ofDays(14))))
                    .isZero();
            assertThat(once.forgetBefore(connection, Instant.now().plus(Duration.ofDays(1))))
                    .isEqualTo(1);
        }
    }

    @Test
    void aTableNameIsNoPlaceForSql() {
        assertThatThrownBy(() -> Once.inTable("x (y int); DROP TABLE booking"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(Once.inTable("app.effects").ddl()).contains("app.effects");
    }

    private boolean run(Connection connection, TestJobContext context, Writes writes) {
        try {
            return once.run(connection, context, writes);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void book(Connection connection, int amount) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO booking VALUES (" + amount + ")");
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private int bookings() {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM booking")) {
            rows.next();
            return rows.getInt(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
