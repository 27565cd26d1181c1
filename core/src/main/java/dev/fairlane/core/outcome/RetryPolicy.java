package dev.fairlane.core.outcome;

import dev.fairlane.core.model.Attempt;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.FailureRules;
import dev.fairlane.core.model.JobMarks;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.TypeRules;
import java.util.ArrayList;
import java.util.List;

/** What a failure of a class comes to (semantics §5), by the node's rules and those of the job's type. */
public final class RetryPolicy {
    /** {@code Failure.error} of a job that is DEAD because it grew too old. */
    public static final String MAX_AGE_EXCEEDED = "MAX_AGE_EXCEEDED";

    /** {@code Failure.error} of a job that is DEAD because its type is in quarantine. */
    public static final String TYPE_QUARANTINED = "TYPE_QUARANTINED";

    /** {@code Failure.error} of a job whose retry was postponed for too long. */
    public static final String RETRY_BUDGET_EXCEEDED = "RETRY_BUDGET_EXCEEDED";

    /** Ended executions kept with a job; a job that is rate limited for days forgets its oldest. */
    public static final int MAX_KEPT_ATTEMPTS = 64;

    private static final long LEAST_WAIT_MICROS = 1_000;
    private static final long MOST_WAIT_MICROS = 3_660L * 86_400 * 1_000_000;
    private static final Verdict TOO_OLD = new Verdict.Dead(null, MAX_AGE_EXCEEDED);
    private static final Verdict POISON = new Verdict.Dead(FailureClass.POISON, TYPE_QUARANTINED);

    private final List<Long> delaysMicros;
    private final double jitter;
    private final int crashLimit;
    private final FailureRules failures;

    public RetryPolicy(EngineConfig config) {
        delaysMicros = config.attempts().retryDelaysMicros();
        if (delaysMicros.isEmpty()) {
            throw new IllegalArgumentException("expected at least one retry delay, but got none");
        }
        jitter = config.attempts().retryJitter();
        crashLimit = config.attempts().crashLimit();
        failures = config.failures();
    }

    /**
     * What the failure counts as: an error that the type does not list as worth a retry is a permanent one. Names are compared whole,
     * or by their last part: {@code IOException} lists {@code java.io.IOException}.
     */
    public static Failure classify(Failure failure, TypeRules rules) {
        if (rules.retryOn().isEmpty()
                || failure.error().isEmpty()
                || failure.failureClass() != FailureClass.APP_ERROR
                || lists(rules.retryOn(), failure.error())) {
            return failure;
        }
        return new Failure(
                FailureClass.NON_RETRYABLE,
                failure.message(),
                failure.detail(),
                failure.retryAfterMicros(),
                failure.dependency(),
                failure.error());
    }

    private static boolean lists(List<String> names, String error) {
        for (String name : names) {
            if (error.equals(name) || error.endsWith("." + name) || error.endsWith("$" + name)) {
                return true;
            }
        }
        return false;
    }

    /**
     * @param status image during the execution that failed, its attempt counted
     * @param failure as {@link #classify} left it
     * @param quarantined whether the type counts as poison
     * @param ageEnd when the job is too old to go back
     * @param random any 64 bits
     */
    public Verdict judge(
            JobStatus status,
            int maxAttempts,
            Failure failure,
            TypeRules rules,
            boolean quarantined,
            long ageEnd,
            long random,
            long now) {
        FailureClass failureClass = failure.failureClass();
        int attempt = status.attempt();
        return switch (failureClass) {
            case NON_RETRYABLE -> Verdict.DEAD;
            case WORKER_CRASH -> {
                boolean dead = status.crashes() >= (rules.crashLimit() >= 0 ? rules.crashLimit() : crashLimit);
                yield dead ? Verdict.DEAD : now >= ageEnd ? TOO_OLD : Verdict.REQUEUE;
            }
            case RATE_LIMITED -> {
                long wait = failure.retryAfterMicros() > 0 ? failure.retryAfterMicros() : delay(rules, 1);
                long dueAt = now + Math.clamp(wait, LEAST_WAIT_MICROS, MOST_WAIT_MICROS);
                yield dueAt > ageEnd ? TOO_OLD : new Verdict.RetryAt(dueAt, false);
            }
            case APP_ERROR, DEPENDENCY, TIMEOUT, RESOURCE_VIOLATION, POISON -> {
                if (attempt >= maxAttempts || spent(status, failureClass, rules)) {
                    yield Verdict.DEAD;
                }
                if ((quarantined || failureClass == FailureClass.POISON) && attempt >= failures.quarantineAttempts()) {
                    yield POISON;
                }
                long dueAt = retryAt(attempt, failure, rules, random, now);
                yield dueAt > ageEnd ? TOO_OLD : new Verdict.RetryAt(dueAt, true);
            }
        };
    }

    private long delay(TypeRules rules, int attempt) {
        List<Long> delays = rules.retryDelaysMicros().isEmpty() ? delaysMicros : rules.retryDelaysMicros();
        return delays.get(Math.clamp(attempt - 1, 0, delays.size() - 1));
    }

    private long retryAt(int attempt, Failure failure, TypeRules rules, long random, long now) {
        long delay = delay(rules, attempt);
        double fraction = rules.retryJitter() >= 0 ? rules.retryJitter() : jitter;
        double spread = ((random >>> 11) * 0x1p-53 * 2 - 1) * fraction;
        long jittered = delay + (long) (delay * spread);
        long asked = Math.min(failure.retryAfterMicros(), MOST_WAIT_MICROS);
        return now + Math.max(jittered, asked);
    }

    /** Whether the retries this class has of its own are used up; what failed before a replay no longer counts. */
    private boolean spent(JobStatus status, FailureClass failureClass, TypeRules rules) {
        int retries = switch (failureClass) {
            case TIMEOUT -> rules.timeoutRetries() >= 0 ? rules.timeoutRetries() : failures.timeoutRetries();
            case RESOURCE_VIOLATION ->
                rules.resourceRetries() >= 0 ? rules.resourceRetries() : failures.resourceRetries();
            default -> Integer.MAX_VALUE;
        };
        if (retries == Integer.MAX_VALUE) {
            return false;
        }
        JobMarks.Replay replay = status.marks().replay();
        long since = replay == null ? 0 : replay.replayedAt();
        int failed = 0;
        for (Attempt attempt : status.attempts()) {
            failed += attempt.failureClass() == failureClass && attempt.leasedAt() >= since ? 1 : 0;
        }
        return failed >= retries;
    }

    /** The ended executions with one more. */
    public static List<Attempt> append(List<Attempt> attempts, Attempt attempt) {
        if (attempts.isEmpty()) {
            return List.of(attempt);
        }
        int from = attempts.size() >= MAX_KEPT_ATTEMPTS ? 1 : 0;
        List<Attempt> longer = new ArrayList<>(attempts.subList(from, attempts.size()));
        longer.add(attempt);
        return List.copyOf(longer);
    }
}
