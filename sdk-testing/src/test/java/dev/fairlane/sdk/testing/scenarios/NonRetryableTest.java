package dev.fairlane.sdk.testing.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobInfo;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.NonRetryableException;
import dev.fairlane.sdk.Payload;
import dev.fairlane.sdk.Pool;
import dev.fairlane.sdk.TypeRules;
import dev.fairlane.sdk.testing.FairlaneExtension;
import dev.fairlane.sdk.testing.TestFairlane;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** NON_RETRYABLE: the handler threw a permanent error, or one that its type does not list. DEAD at once. */
@ExtendWith(FairlaneExtension.class)
class NonRetryableTest {

    @Test
    void aPermanentErrorIsDeadAtOnce(TestFairlane test) {
        test.worker("charge", Payload.class, (ctx, none) -> {
            throw new NonRetryableException("the card is stolen");
        });
        JobHandle job = test.client().submit(Job.of("charge"));
        test.awaitIdle();

        JobInfo dead = job.get();
        assertThat(dead.state()).isEqualTo(JobState.DEAD);
        assertThat(dead.attempt()).isEqualTo(1);
        assertThat(Waits.failures(dead)).containsExactly("NON_RETRYABLE");
        assertThat(dead.failure())
                .hasValueSatisfying(failure -> assertThat(failure.message()).isEqualTo("the card is stolen"));
    }

    @Test
    void anErrorOutsideTheTypesListIsPermanentAndOneOnItIsNot(TestFairlane test) {
        test.client()
                .admin()
                .putType(
                        null,
                        "charge",
                        Pool.SHORT,
                        0,
                        null,
                        TypeRules.builder().retryOn("IOException").build());
        test.worker("charge", Boolean.class, (ctx, listed) -> {
            if (listed) {
                throw new IOException("connection reset");
            }
            throw new IllegalArgumentException("no such account");
        });
        JobHandle listed = test.client().submit(Job.of("charge", true));
        JobHandle other = test.client().submit(Job.of("charge", false));
        test.awaitIdle();

        assertThat(other.state()).isEqualTo(JobState.DEAD);
        assertThat(Waits.failures(other.get())).containsExactly("NON_RETRYABLE");
        Waits.overOf(test, listed, Duration.ofSeconds(1));
        assertThat(Waits.failures(listed.get())).containsExactly("APP_ERROR", "APP_ERROR");
        assertThat(listed.state()).isEqualTo(JobState.RETRY_WAIT);
    }

    @Test
    void theListCanBeChangedWhileJobsWait(TestFairlane test) {
        test.worker("charge", Payload.class, (ctx, none) -> {
            throw new IllegalStateException("no");
        });
        JobHandle job = test.client().submit(Job.of("charge"));
        test.awaitIdle();
        assertThat(job.state()).isEqualTo(JobState.RETRY_WAIT);

        test.client()
                .admin()
                .putType(
                        null,
                        "charge",
                        Pool.SHORT,
                        0,
                        null,
                        TypeRules.builder().retryOn("IOException").build());

        assertThat(Waits.failures(test.finish(job))).containsExactly("APP_ERROR", "NON_RETRYABLE");
    }
}
