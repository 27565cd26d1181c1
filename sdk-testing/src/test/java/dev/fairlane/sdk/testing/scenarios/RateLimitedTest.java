package dev.fairlane.sdk.testing.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobInfo;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.Payload;
import dev.fairlane.sdk.RetryAfterException;
import dev.fairlane.sdk.testing.FairlaneExtension;
import dev.fairlane.sdk.testing.TestFairlane;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** RATE_LIMITED: the handler asked to come back. Waits as told, costs no attempt, and ends at the job's maximum age. */
@ExtendWith(FairlaneExtension.class)
class RateLimitedTest {

    @Test
    void aJobComesBackExactlyWhenItWasToldAndPaysNothing(TestFairlane test) {
        Duration told = Duration.ofSeconds(90);
        test.worker("crawl", Payload.class, (ctx, none) -> {
            if (ctx.execution() <= 10) {
                throw new RetryAfterException(told, "429");
            }
            return ctx.attempt();
        });
        JobHandle job = test.client().submit(Job.of("crawl").maxAttempts(1));

        for (int i = 1; i <= 10; i++) {
            test.awaitIdle();
            JobInfo waiting = job.get();
            assertThat(Waits.told(waiting)).isEqualTo(told);
            assertThat(waiting.attempt())
                    .as("attempts spent after %d refusals", i)
                    .isZero();
            Waits.overOf(test, job, told);
        }

        JobInfo done = job.get();
        assertThat(done.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(done.result(Integer.class)).as("its one attempt").isEqualTo(1);
        assertThat(done.execution()).isEqualTo(11);
        assertThat(Waits.failures(done)).isEqualTo(Collections.nCopies(10, "RATE_LIMITED"));
    }

    @Test
    void aJobThatIsPutOffDayByDayIsDeadWhenItWouldBeOlderThanAWeek(TestFairlane test) {
        test.worker("crawl", Payload.class, (ctx, none) -> {
            throw new RetryAfterException(Duration.ofDays(1), "tomorrow");
        });

        JobInfo dead = test.run(Job.of("crawl"));

        assertThat(dead.state()).isEqualTo(JobState.DEAD);
        assertThat(dead.execution()).as("on each of seven days").isEqualTo(7);
        assertThat(Duration.between(dead.submittedAt(), dead.endedAt().orElseThrow()))
                .as("it does not wait for its age where it cannot be in time")
                .isBetween(Duration.ofDays(6), Duration.ofDays(7));
        assertThat(dead.failure()).hasValueSatisfying(failure -> {
            assertThat(failure.failureClass()).isEqualTo("RATE_LIMITED");
            assertThat(failure.error()).isEqualTo("MAX_AGE_EXCEEDED");
            assertThat(failure.message()).contains("tomorrow");
        });
    }
}
