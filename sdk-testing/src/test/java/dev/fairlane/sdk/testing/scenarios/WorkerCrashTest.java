package dev.fairlane.sdk.testing.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobInfo;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.Payload;
import dev.fairlane.sdk.Pool;
import dev.fairlane.sdk.Worker;
import dev.fairlane.sdk.testing.FairlaneExtension;
import dev.fairlane.sdk.testing.TestFairlane;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** WORKER_CRASH: the lease expired. Costs no attempt, back at once at the head of its queue; the 21st of a job is its end. */
class WorkerCrashTest {
    // handlers block: nobody has to wait for them
    @RegisterExtension
    static final FairlaneExtension FAIRLANE = FairlaneExtension.with(test -> test.patience(Duration.ofMillis(200)));

    /** The lease of short jobs, and what the server may take to notice its end. */
    private static final Duration LEASE = Duration.ofSeconds(10);

    private static final Duration NOTICED = Duration.ofSeconds(2);

    @Test
    void theTwentyFirstCrashIsTheEnd(TestFairlane test) throws InterruptedException {
        JobHandle job = test.client().submit(Job.of("bomb").maxAttempts(1));

        for (int crash = 1; crash <= 20; crash++) {
            crash(test, "bomb", "w" + crash);
            test.clock().advance(LEASE.plus(NOTICED));
            JobInfo back = job.get();
            assertThat(back.state()).as("after crash %d", crash).isEqualTo(JobState.QUEUED);
            assertThat(back.crashes()).isEqualTo(crash);
            assertThat(back.attempt()).as("attempts spent").isZero();
        }
        crash(test, "bomb", "w21");
        test.clock().advance(LEASE.plus(NOTICED));

        JobInfo dead = job.get();
        assertThat(dead.state()).isEqualTo(JobState.DEAD);
        assertThat(dead.crashes()).isEqualTo(21);
        assertThat(dead.execution()).isEqualTo(21);
        assertThat(Waits.failures(dead)).isEqualTo(Collections.nCopies(21, "WORKER_CRASH"));
        assertThat(dead.attempts())
                .allSatisfy(attempt -> assertThat(Duration.between(
                                attempt.leasedAt().orElseThrow(),
                                attempt.endedAt().orElseThrow()))
                        .isBetween(LEASE, LEASE.plus(NOTICED).plusSeconds(30)));
    }

    @Test
    void theJobOfADeadWorkerGoesBackToTheHeadOfItsQueue(TestFairlane test) throws InterruptedException {
        test.client().submit(Job.of("step", 1));
        crashing(test, "step", Integer.class, "first");
        test.client().submit(Job.of("step", 2));
        test.client().submit(Job.of("step", 3));
        test.clock().advance(LEASE.plus(NOTICED));

        List<Integer> order = new CopyOnWriteArrayList<>();
        test.worker(worker -> worker.pool(Pool.SHORT).slots(1).handle("step", Integer.class, (ctx, step) -> {
            order.add(step);
            return null;
        }));
        test.awaitIdle();

        assertThat(order).containsExactly(1, 2, 3);
    }

    @Test
    void aJobThatIsOnlyUnluckyRunsElsewhereWithAllItsAttempts(TestFairlane test) throws InterruptedException {
        JobHandle job = test.client().submit(Job.of("bomb").maxAttempts(1));
        crash(test, "bomb", "unlucky");
        test.worker("bomb", Payload.class, (ctx, none) -> ctx.firstAttempt());

        JobInfo done = test.finish(job);

        assertThat(done.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(done.result(Boolean.class))
                .as("it can see that it is not the first")
                .isFalse();
        assertThat(done.attempt()).isEqualTo(1);
        assertThat(done.crashes()).isEqualTo(1);
    }

    private static void crash(TestFairlane test, String type, String name) throws InterruptedException {
        crashing(test, type, Payload.class, name);
    }

    /** A worker takes the job and falls silent. */
    private static <T> void crashing(TestFairlane test, String type, Class<T> payload, String name)
            throws InterruptedException {
        Semaphore began = new Semaphore(0);
        Worker worker =
                test.worker(told -> told.name(name).pool(Pool.SHORT).slots(1).handle(type, payload, (ctx, ignored) -> {
                    began.release();
                    new CountDownLatch(1).await();
                    return null;
                }));
        began.acquire();
        worker.kill();
    }
}
