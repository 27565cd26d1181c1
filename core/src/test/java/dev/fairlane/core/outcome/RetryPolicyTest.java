package dev.fairlane.core.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Attempt;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.TypeRules;
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
    private static final long WEEK = 7 * 86_400 * SECOND;
    private static final long NO_JITTER = 1L << 63;

    private final RetryPolicy policy = new RetryPolicy(EngineConfig.DEFAULT);

    private static JobStatus running(int attempt, int crashes, List<Attempt> attempts) {
        return new JobStatus(
                JobState.RUNNING, attempt, attempt, crashes, 1, "w", NOW, NOW, 0, NOW, false, NOW, attempts);
    }

    private Verdict judge(FailureClass failureClass, int attempt) {
        return judge(running(attempt, 0, List.of()), 6, Failure.of(failureClass, ""), NO_JITTER);
    }

    private Verdict judge(JobStatus status, int maxAttempts, Failure failure, long random) {
        return policy.judge(status, maxAttempts, failure, TypeRules.NONE, false, NOW + WEEK, random, NOW);
    }

    private Verdict judge(JobStatus status, Failure failure, TypeRules rules) {
        return policy.judge(status, 100, failure, rules, false, NOW + WEEK, NO_JITTER, NOW);
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
            Verdict verdict =
                    judge(running(2, 0, List.of()), 6, Failure.of(FailureClass.APP_ERROR, ""), random.nextLong());
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
        assertThat(judge(running(6, 0, List.of()), 6, failure, NO_JITTER))
                .isEqualTo(new Verdict.RetryAt(NOW + 42 * SECOND, false));
    }

    @ParameterizedTest
    @EnumSource(names = {"RATE_LIMITED", "APP_ERROR", "DEPENDENCY", "TIMEOUT", "RESOURCE_VIOLATION", "WORKER_CRASH"})
    void aJobThatWouldGoBackTooOldIsDead(FailureClass failureClass) {
        Failure failure = new Failure(failureClass, "", "", 42 * SECOND);
        JobStatus first = running(1, 0, List.of());
        long soon = failureClass == FailureClass.WORKER_CRASH ? NOW : NOW + 42 * SECOND - 1;
        assertThat(policy.judge(first, 6, failure, TypeRules.NONE, false, soon, NO_JITTER, NOW))
                .isEqualTo(new Verdict.Dead(null, RetryPolicy.MAX_AGE_EXCEEDED));
        assertThat(policy.judge(first, 6, failure, TypeRules.NONE, false, soon + 1, NO_JITTER, NOW))
                .isNotInstanceOf(Verdict.Dead.class);
    }

    @Test
    void aTypeSetsItsOwnWaitsJitterAndRetries() {
        TypeRules rules = rules(List.of(2 * SECOND, 4 * SECOND), 0, 3, 0, 1, List.of());
        Failure error = Failure.of(FailureClass.APP_ERROR, "");
        assertThat(policy.judge(running(1, 0, List.of()), 9, error, rules, false, NOW + WEEK, 0, NOW))
                .isEqualTo(new Verdict.RetryAt(NOW + 2 * SECOND, true));
        assertThat(judge(running(7, 0, List.of()), error, rules))
                .isEqualTo(new Verdict.RetryAt(NOW + 4 * SECOND, true));
        List<Attempt> twice = List.of(
                new Attempt(1, "w", NOW, NOW, FailureClass.TIMEOUT, ""),
                new Attempt(2, "w", NOW, NOW, FailureClass.TIMEOUT, ""));
        assertThat(judge(running(3, 0, twice), Failure.of(FailureClass.TIMEOUT, ""), rules))
                .isInstanceOf(Verdict.RetryAt.class);
        assertThat(judge(running(1, 0, List.of()), Failure.of(FailureClass.RESOURCE_VIOLATION, ""), rules))
                .isEqualTo(Verdict.DEAD);
        Failure crash = Failure.of(FailureClass.WORKER_CRASH, "");
        assertThat(judge(running(1, 0, List.of()), crash, rules)).isEqualTo(Verdict.REQUEUE);
        assertThat(judge(running(1, 1, List.of()), crash, rules)).isEqualTo(Verdict.DEAD);
    }

    @Test
    void anErrorOutsideTheListWorthARetryIsPermanent() {
        TypeRules rules = rules(List.of(), -1, -1, -1, -1, List.of("IOException", "com.acme.Busy"));
        assertThat(classified("java.io.IOException", rules)).isEqualTo(FailureClass.APP_ERROR);
        assertThat(classified("com.acme.Busy", rules)).isEqualTo(FailureClass.APP_ERROR);
        assertThat(classified("com.acme.Outer$IOException", rules)).isEqualTo(FailureClass.APP_ERROR);
        assertThat(classified("com.acme.NoIOException", rules)).isEqualTo(FailureClass.NON_RETRYABLE);
        assertThat(classified("other.Busy", rules)).isEqualTo(FailureClass.NON_RETRYABLE);
        assertThat(classified("", rules)).as("no name, no judgement").isEqualTo(FailureClass.APP_ERROR);
        assertThat(classified("anything", TypeRules.NONE)).isEqualTo(FailureClass.APP_ERROR);
    }

    private static FailureClass classified(String error, TypeRules rules) {
        Failure failure = new Failure(FailureClass.APP_ERROR, "m", "", 0, "", error);
        return RetryPolicy.classify(failure, rules).failureClass();
    }

    @Test
    void aJobOfATypeInQuarantineHasTwoAttempts() {
        Failure error = Failure.of(FailureClass.APP_ERROR, "");
        assertThat(policy.judge(running(1, 0, List.of()), 6, error, TypeRules.NONE, true, NOW + WEEK, NO_JITTER, NOW))
                .isEqualTo(new Verdict.RetryAt(NOW + SECOND, true));
        assertThat(policy.judge(running(2, 0, List.of()), 6, error, TypeRules.NONE, true, NOW + WEEK, NO_JITTER, NOW))
                .isEqualTo(new Verdict.Dead(FailureClass.POISON, RetryPolicy.TYPE_QUARANTINED));
    }

    private static TypeRules rules(
            List<Long> delays, double jitter, int timeouts, int resources, int crashes, List<String> retryOn) {
        return TypeRules.saying(draft -> {
            draft.retryDelaysMicros = delays;
            draft.retryJitter = jitter;
            draft.timeoutRetries = timeouts;
            draft.resourceRetries = resources;
            draft.crashLimit = crashes;
            draft.retryOn = retryOn;
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"TIMEOUT", "RESOURCE_VIOLATION"})
    void aTimeoutOrAViolationIsRetriedOnceThenDead(FailureClass failureClass) {
        assertThat(judge(failureClass, 1)).isEqualTo(new Verdict.RetryAt(NOW + SECOND, true));
        List<Attempt> before = List.of(new Attempt(1, "w", NOW, NOW, failureClass, ""));
        assertThat(judge(running(2, 0, before), 6, Failure.of(failureClass, ""), NO_JITTER))
                .isEqualTo(Verdict.DEAD);
    }

    @Test
    void aCrashCostsNoAttemptAndTheTwentyFirstIsDead() {
        Failure crash = Failure.of(FailureClass.WORKER_CRASH, "");
        assertThat(judge(running(6, 19, List.of()), 6, crash, NO_JITTER)).isEqualTo(Verdict.REQUEUE);
        assertThat(judge(running(1, 20, List.of()), 6, crash, NO_JITTER)).isEqualTo(Verdict.DEAD);
    }

    @Test
    void aPoisonedTypeGetsTwoAttempts() {
        assertThat(judge(FailureClass.POISON, 1)).isInstanceOf(Verdict.RetryAt.class);
        assertThat(judge(FailureClass.POISON, 2)).isInstanceOf(Verdict.Dead.class);
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
