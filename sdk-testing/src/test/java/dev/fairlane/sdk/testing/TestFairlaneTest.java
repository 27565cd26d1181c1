package dev.fairlane.sdk.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobInfo;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.LeaseLostException;
import dev.fairlane.sdk.Worker;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(FairlaneExtension.class)
class TestFairlaneTest {
    /** Seconds that a busy machine may take for what takes no time. */
    private static final double SLOW = 10;

    record Mail(String to) {}

    @Test
    void aJobRunsOnTheRealServer(TestFairlane test) {
        test.worker("mail", Mail.class, (ctx, mail) -> "sent to " + mail.to());
        JobHandle job = test.client().submit(Job.of("mail", new Mail("ann")));
        assertThat(job.await(String.class, Duration.ofSeconds(60))).isEqualTo("sent to ann");
    }

    @Test
    void aDelayedJobIsDueWhenTheTimeHasMovedThere(TestFairlane test) {
        test.worker("mail", Mail.class, (ctx, mail) -> null);
        JobHandle job = test.client().submit(Job.of("mail", new Mail("ann")).delay(Duration.ofDays(2)));
        test.clock().advance(Duration.ofDays(1));
        assertThat(job.state()).isEqualTo(JobState.SCHEDULED);
        test.clock().advance(Duration.ofDays(1).plusMinutes(2));
        assertThat(job.state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void retriesComeOneAfterTheOtherAsTimePasses(TestFairlane test) {
        List<Instant> tries = new CopyOnWriteArrayList<>();
        test.worker("mail", Mail.class, (ctx, mail) -> {
            tries.add(test.clock().instant());
            throw new IllegalStateException("try " + ctx.attempt());
        });
        JobHandle job = test.client().submit(Job.of("mail", new Mail("ann")));
        test.awaitIdle();
        assertThat(tries).isNotEmpty();
        test.clock().advance(Duration.ofSeconds(60));
        assertThat(tries).hasSize(4);
        // The clock runs while the machine takes its time.
        assertThat(seconds(tries, 0)).isBetween(0.8, 1.2 + SLOW);
        assertThat(seconds(tries, 1)).isBetween(4.0, 6.0 + SLOW);
        assertThat(seconds(tries, 2)).isBetween(24.0, 36.0 + SLOW);
        JobInfo dead = test.finish(job);
        assertThat(dead.state()).isEqualTo(JobState.DEAD);
        assertThat(tries).hasSize(6);
    }

    @Test
    void aLivingWorkerKeepsItsLeaseHoweverLongItsJobRuns(TestFairlane test) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch began = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        test.worker("mail", Mail.class, (ctx, mail) -> {
            runs.incrementAndGet();
            began.countDown();
            go.await();
            ctx.checkLease();
            return null;
        });
        JobHandle job = test.client().submit(Job.of("mail", new Mail("ann")).timeLimit(Duration.ofHours(1)));
        began.await();
        test.clock().advance(Duration.ofMinutes(5));
        assertThat(job.state()).isEqualTo(JobState.RUNNING);
        go.countDown();
        test.awaitIdle();
        assertThat(job.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(runs).hasValue(1);
    }

    @Test
    void theJobOfAKilledWorkerRunsElsewhereWhenItsLeaseIsOver(TestFairlane test) throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        AtomicReference<Throwable> checked = new AtomicReference<>();
        CountDownLatch ended = new CountDownLatch(1);
        Worker first = test.worker("mail", Mail.class, (ctx, mail) -> {
            began.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException killed) {
                try {
                    ctx.checkLease();
                } catch (LeaseLostException lost) {
                    checked.set(lost);
                }
                ended.countDown();
            }
            return null;
        });
        JobHandle job = test.client().submit(Job.of("mail", new Mail("ann")));
        began.await();
        first.kill();
        test.worker("mail", Mail.class, (ctx, mail) -> ctx.execution());
        test.clock().advance(Duration.ofSeconds(1));
        assertThat(job.state()).isIn(JobState.LEASED, JobState.RUNNING);
        test.clock().advance(Duration.ofSeconds(10));
        JobInfo info = job.get();
        assertThat(info.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(info.result(Integer.class)).isEqualTo(2);
        assertThat(info.crashes()).isEqualTo(1);
        ended.await();
        assertThat(checked.get()).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void aHandlerOverItsTimeLimitIsStopped(TestFairlane test) throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        test.worker("mail", Mail.class, (ctx, mail) -> {
            began.countDown();
            new CountDownLatch(1).await();
            return null;
        });
        JobHandle job = test.client().submit(Job.of("mail", new Mail("ann")).timeLimit(Duration.ofMinutes(2)));
        began.await();
        test.clock().advance(Duration.ofSeconds(105));
        assertThat(job.state()).isEqualTo(JobState.RUNNING);
        test.clock().advance(Duration.ofSeconds(16));
        test.awaitIdle();
        assertThat(job.get().attempts().getLast().failureClass()).contains("TIMEOUT");
    }

    @Test
    void aCheckpointOutlivesTheWorkerThatSavedIt(TestFairlane test) throws Exception {
        CountDownLatch saved = new CountDownLatch(1);
        Worker first = test.worker("import", Mail.class, (ctx, mail) -> {
            ctx.checkpoint(41);
            saved.countDown();
            new CountDownLatch(1).await();
            return null;
        });
        JobHandle job = test.client().submit(Job.of("import", new Mail("ann")));
        saved.await();
        first.kill();
        test.worker(
                "import",
                Mail.class,
                (ctx, mail) -> ctx.loadCheckpoint(Integer.class).orElse(0) + 1);
        assertThat(test.finish(job).result(Integer.class)).isEqualTo(42);
    }

    @Test
    void whatHandlersSubmitIsSeen(TestFairlane test) {
        test.worker("order", Mail.class, (ctx, order) -> {
            test.client().submit(Job.of("mail", new Mail(order.to())).delay(Duration.ofHours(1)));
            return null;
        });
        test.client().submit(Job.of("order", new Mail("ann")));
        test.awaitIdle();
        test.assertSubmitted("mail", Mail.class, mail -> mail.to().equals("ann"));
        test.assertNotSubmitted("invoice");
        assertThatThrownBy(() -> test.assertSubmitted(
                        "mail", Mail.class, mail -> mail.to().equals("bob")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("ann");
        assertThatThrownBy(() -> test.assertSubmitted("invoice")).isInstanceOf(AssertionError.class);
    }

    @Test
    void tenantsHaveClientsOfTheirOwn(TestFairlane test) {
        test.worker(worker -> worker.handle("who", Map.class, (ctx, none) -> ctx.tenant()));
        JobHandle job = test.client("acme").submit(Job.of("who", Map.of()));
        assertThat(job.await(String.class, Duration.ofSeconds(60))).isEqualTo("acme");
    }

    @Test
    void aJobNobodyHandlesDoesNotEnd(TestFairlane test) {
        JobHandle job = test.client().submit(Job.of("mail", new Mail("ann")));
        test.awaitIdle();
        assertThatThrownBy(() -> test.finish(job))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("worker");
    }

    @Test
    void theClockStartsWhereItIsToldTo() {
        Instant start = Instant.parse("2030-03-31T00:00:00Z");
        try (TestFairlane test = TestFairlane.builder().startAt(start).start()) {
            JobInfo job = test.client().submit(Job.of("mail", new Mail("ann"))).get();
            assertThat(job.submittedAt()).isCloseTo(start, within(30, ChronoUnit.SECONDS));
        }
    }

    private static double seconds(List<Instant> tries, int from) {
        return Duration.between(tries.get(from), tries.get(from + 1)).toMillis() / 1_000.0;
    }
}
