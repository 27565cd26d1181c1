package dev.fairlane.core.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Attempt;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Semantics §5. */
class RetryPolicyTest {
    private static final long SECOND = 1_000_000;
    private static final long NOW = 1_700_000_000 * SECOND;
    private static final long NO_JITTER = 1L << 63;

    private final RetryPolicy policy = new RetryPolicy(EngineConfig.DEFAULT);

    private static JobStatus running(int attempt, int crashes, List<Attempt> attempts) {
        return new JobStatus(
                JobState.RUNNING, attempt, attempt, crashes, 1, "w", NOW, NOW, 0, NOW, false, NOW, attempts);
    }

    private Verdict judge(FailureClass failureClass, int attempt) {
        return policy.judge(running(attempt, 0, List.of()), 6, Failure.of(failureClass, ""), NOW, NO_JITTER, NOW);
    }

    @ParameterizedTest
    @EnumSource(names = {"APP_ERROR", "DEPENDENCY"})
    void anErrorIsRetriedAfterOneFiveThirtySecondsFiveAndThirtyMinutesThenTheJobIsDead(FailureClass failureClass) {
        long[] seconds = {1, 5, 30, 300, 1800};
        for (int attempt = 1; attempt <= 5; attempt++) {
            assertThat(judge(failureClass, attempt))
                    .isEqualTo(new Verdict.RetryAt(NOW + seconds[attempt - 1] * SECOND, true));
        }
        assertThat(judge(failureClass, 6)).isEqualTo(Verdict.DEAD);
    }

    @Test
    void theWaitIsJitteredByAFifthAtMost() {
        Random random = new Random(1);
        long least = Long.MAX_VALUE;
        long most = 0;
        for (int i = 0; i < 10_000; i++) {
            Verdict verdict = policy.judge(
                    running(2, 0, List.of()), 6, Failure.of(FailureClass.APP_ERROR, ""), NOW, random.nextLong(), NOW);
            long wait = ((Verdict.RetryAt) verdict).dueAt() - NOW;
            least = Math.min(least, wait);
            most = Math.max(most, wait);
        }
        assertThat(least).isBetween(4 * SECOND, 4_050_000L);
        assertThat(most).isBetween(5_950_000L, 6 * SECOND);
    }

    @Test
    void aPermanentErrorIsDeadAtOnce() {
        assertThat(judge(FailureClass.NON_RETRYABLE, 1)).isEqualTo(Verdict.DEAD);
    }

    @Test
    void aRateLimitedJobWaitsAsToldWithoutCounting() {
        Failure failure = new Failure(FailureClass.RATE_LIMITED, "", "", 42 * SECOND);
        assertThat(policy.judge(running(6, 0, List.of()), 6, failure, NOW, NO_JITTER, NOW))
                .isEqualTo(new Verdict.RetryAt(NOW + 42 * SECOND, false));
    }

    @Test
    void aRateLimitedJobIsDeadWhenItWouldBecomeOlderThanSevenDays() {
        Failure failure = new Failure(FailureClass.RATE_LIMITED, "", "", 42 * SECOND);
        long submitted = NOW - RetryPolicy.MAX_AGE_MICROS + 41 * SECOND;
        assertThat(policy.judge(running(1, 0, List.of()), 6, failure, submitted, NO_JITTER, NOW))
                .isEqualTo(Verdict.DEAD);
    }

    @ParameterizedTest
    @EnumSource(names = {"TIMEOUT", "RESOURCE_VIOLATION"})
    void aTimeoutOrAViolationIsRetriedOnceThenDead(FailureClass failureClass) {
        assertThat(judge(failureClass, 1)).isEqualTo(new Verdict.RetryAt(NOW + SECOND, true));
        List<Attempt> before = List.of(new Attempt(1, "w", NOW, NOW, failureClass, ""));
        assertThat(policy.judge(running(2, 0, before), 6, Failure.of(failureClass, ""), NOW, NO_JITTER, NOW))
                .isEqualTo(Verdict.DEAD);
    }

    @Test
    void aCrashCostsNoAttemptAndTheTwentyFirstIsDead() {
        Failure crash = Failure.of(FailureClass.WORKER_CRASH, "");
        assertThat(policy.judge(running(6, 19, List.of()), 6, crash, NOW, NO_JITTER, NOW))
                .isEqualTo(Verdict.REQUEUE);
        assertThat(policy.judge(running(1, 20, List.of()), 6, crash, NOW, NO_JITTER, NOW))
                .isEqualTo(Verdict.DEAD);
    }

    @Test
    void aPoisonedTypeGetsTwoAttempts() {
        assertThat(judge(FailureClass.POISON, 1)).isInstanceOf(Verdict.RetryAt.class);
        assertThat(judge(FailureClass.POISON, 2)).isEqualTo(Verdict.DEAD);
    }

    @Test
    void theStoryOfAJobIsBounded() {
        List<Attempt> attempts = new ArrayList<>();
        for (int i = 1; i <= 200; i++) {
            attempts = RetryPolicy.append(attempts, new Attempt(i, "w", i, i, FailureClass.RATE_LIMITED, ""));
        }
        assertThat(attempts).hasSize(RetryPolicy.MAX_KEPT_ATTEMPTS);
        assertThat(attempts.getLast().execution()).isEqualTo(200);
    }
}
