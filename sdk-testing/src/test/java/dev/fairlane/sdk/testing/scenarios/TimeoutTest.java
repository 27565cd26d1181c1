package dev.fairlane.sdk.testing.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobInfo;
import dev.fairlane.sdk.JobInfo.AttemptInfo;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.Payload;
import dev.fairlane.sdk.Pool;
import dev.fairlane.sdk.TypeRules;
import dev.fairlane.sdk.testing.FairlaneExtension;
import dev.fairlane.sdk.testing.TestFairlane;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** TIMEOUT: an execution over its time limit, or without the progress it promised. One retry, then DEAD. */
class TimeoutTest {
    // handlers block: nobody has to wait for them
    @RegisterExtension
    static final FairlaneExtension FAIRLANE = FairlaneExtension.with(test -> test.patience(Duration.ofMillis(200)));

    /** The worker stops an execution at its limit; if that takes longer than 10 s, the server does. */
    private static final Duration STOPPED = Duration.ofSeconds(11);

    @Test
    void aJobOverItsTimeLimitTwiceIsDead(TestFairlane test) {
        test.worker("report", Payload.class, (ctx, none) -> {
            new CountDownLatch(1).await();
            return null;
        });

        JobInfo dead = test.run(Job.of("report").timeLimit(Duration.ofMinutes(2)));

        assertThat(dead.state()).isEqualTo(JobState.DEAD);
        assertThat(dead.attempt()).isEqualTo(2);
        assertThat(dead.maxAttempts()).as("it had more for other failures").isEqualTo(6);
        assertThat(Waits.failures(dead)).containsExactly("TIMEOUT", "TIMEOUT");
        assertThat(dead.attempts())
                .allSatisfy(attempt -> assertThat(ran(attempt))
                        .isBetween(
                                Duration.ofSeconds(120), Duration.ofSeconds(120).plus(STOPPED)));
        assertThat(pause(dead.attempts())).isBetween(Duration.ofMillis(800), Duration.ofSeconds(11));
        assertThat(dead.failure())
                .hasValueSatisfying(
                        failure -> assertThat(failure.failureClass()).isEqualTo("TIMEOUT"));
    }

    @Test
    void aShortJobThatSaysNothingHasHalfAMinute(TestFairlane test) {
        test.worker("report", Payload.class, (ctx, none) -> {
            new CountDownLatch(1).await();
            return null;
        });

        JobInfo dead = test.run(Job.of("report"));

        assertThat(dead.attempts())
                .hasSize(2)
                .allSatisfy(attempt -> assertThat(ran(attempt))
                        .isBetween(
                                Duration.ofSeconds(30), Duration.ofSeconds(30).plus(STOPPED)));
    }

    @Test
    void aTypeMaySayHowOften(TestFairlane test) {
        declare(test, TypeRules.builder().timeoutRetries(3).build());
        test.worker("train", Payload.class, (ctx, none) -> {
            new CountDownLatch(1).await();
            return null;
        });

        assertThat(test.run(Job.of("train").maxAttempts(10).timeLimit(Duration.ofSeconds(10)))
                        .attempt())
                .isEqualTo(4);
    }

    @Test
    void anExecutionThatShowsNoProgressForItsWindowIsStopped(TestFairlane test) {
        declare(test, TypeRules.builder().progressWindow(Duration.ofMinutes(1)).build());
        test.worker("train", Payload.class, (ctx, none) -> {
            ctx.heartbeat(0.5, "half way");
            new CountDownLatch(1).await();
            return null;
        });

        JobInfo dead = test.run(Job.of("train"));

        assertThat(dead.state()).isEqualTo(JobState.DEAD);
        assertThat(Waits.failures(dead)).containsExactly("TIMEOUT", "TIMEOUT");
        assertThat(dead.failure())
                .hasValueSatisfying(failure -> assertThat(failure.message()).contains("no progress"));
        assertThat(dead.attempts())
                .allSatisfy(attempt -> assertThat(ran(attempt))
                        .isBetween(
                                Duration.ofSeconds(60), Duration.ofSeconds(60).plus(STOPPED)));
    }

    @Test
    void progressKeepsItAlive(TestFairlane test) throws InterruptedException {
        declare(test, TypeRules.builder().progressWindow(Duration.ofMinutes(1)).build());
        BlockingQueue<Double> progress = new SynchronousQueue<>();
        BlockingQueue<Double> told = new SynchronousQueue<>();
        test.worker("train", Payload.class, (ctx, none) -> {
            for (double done = progress.take(); done < 1; done = progress.take()) {
                ctx.heartbeat(done, "");
                told.put(done);
            }
            return "trained";
        });
        JobHandle job = test.client().submit(Job.of("train"));

        for (double done = 0.1; done < 0.95; done += 0.1) {
            progress.put(done);
            told.take();
            test.clock().advance(Duration.ofSeconds(45));
            assertThat(job.state()).isEqualTo(JobState.RUNNING);
        }
        progress.put(1.0);

        JobInfo trained = job.await(Duration.ofSeconds(60));
        assertThat(trained.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(trained.attempts()).isEmpty();
    }

    private static void declare(TestFairlane test, TypeRules rules) {
        test.client().admin().putType(null, "train", Pool.LONG, 0, Duration.ofHours(10), rules);
    }

    private static Duration ran(AttemptInfo attempt) {
        return Duration.between(
                attempt.leasedAt().orElseThrow(), attempt.endedAt().orElseThrow());
    }

    /** From the end of the first to the begin of the second. */
    private static Duration pause(List<AttemptInfo> attempts) {
        return Duration.between(
                attempts.get(0).endedAt().orElseThrow(),
                attempts.get(1).leasedAt().orElseThrow());
    }
}
