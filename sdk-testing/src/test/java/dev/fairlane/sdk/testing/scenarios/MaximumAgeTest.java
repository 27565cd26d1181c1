package dev.fairlane.sdk.testing.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobInfo;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.Payload;
import dev.fairlane.sdk.Pool;
import dev.fairlane.sdk.TypeRules;
import dev.fairlane.sdk.testing.FairlaneExtension;
import dev.fairlane.sdk.testing.TestFairlane;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Maximum age from submit to the end: a week unless declared, by the job or by its type. */
@ExtendWith(FairlaneExtension.class)
class MaximumAgeTest {

    @Test
    void aJobThatNobodyTakesIsDeadAfterAWeek(TestFairlane test) {
        JobHandle job = test.client().submit(Job.of("nobody"));
        test.clock().advance(Duration.ofDays(6).plusHours(23));
        assertThat(job.state()).isEqualTo(JobState.QUEUED);

        test.clock().advance(Duration.ofHours(2));

        JobInfo dead = job.get();
        assertThat(dead.state()).isEqualTo(JobState.DEAD);
        assertThat(dead.execution()).isZero();
        assertThat(dead.failure())
                .hasValueSatisfying(failure -> assertThat(failure.error()).isEqualTo("MAX_AGE_EXCEEDED"));
        assertThat(Duration.between(dead.submittedAt(), dead.endedAt().orElseThrow()))
                .isBetween(Duration.ofDays(7), Duration.ofDays(7).plusMinutes(1));
    }

    @Test
    void aRetryThatWouldComeTooLateIsNotWaitedFor(TestFairlane test) {
        test.worker("mail", Payload.class, (ctx, none) -> {
            throw new IllegalStateException("down");
        });

        JobInfo dead = test.run(Job.of("mail").maxAge(Duration.ofSeconds(20)));

        assertThat(dead.attempt())
                .as("after 1 s, after 5 s, and 30 s are too long")
                .isEqualTo(3);
        assertThat(dead.failure()).hasValueSatisfying(failure -> {
            assertThat(failure.failureClass()).isEqualTo("APP_ERROR");
            assertThat(failure.error()).isEqualTo("MAX_AGE_EXCEEDED");
            assertThat(failure.message()).contains("down");
        });
    }

    @Test
    void aTypeDeclaresItForItsJobs(TestFairlane test) {
        test.client()
                .admin()
                .putType(
                        null,
                        "quote",
                        Pool.SHORT,
                        0,
                        null,
                        TypeRules.builder().maxAge(Duration.ofMinutes(10)).build());
        JobHandle job = test.client().submit(Job.of("quote"));

        test.clock().advance(Duration.ofMinutes(11));

        assertThat(job.state()).isEqualTo(JobState.DEAD);
    }

    @Test
    void anExecutionUnderWayIsLetFinish(TestFairlane test) throws InterruptedException {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        test.worker("mail", Payload.class, (ctx, none) -> {
            began.countDown();
            go.await();
            return null;
        });
        JobHandle job = test.client()
                .submit(Job.of("mail").maxAge(Duration.ofMinutes(1)).timeLimit(Duration.ofHours(1)));
        began.await();
        test.clock().advance(Duration.ofMinutes(5));
        assertThat(job.state()).isEqualTo(JobState.RUNNING);

        go.countDown();

        assertThat(job.await(Duration.ofSeconds(60)).state()).isEqualTo(JobState.SUCCEEDED);
    }
}
