package dev.fairlane.core.outcome;

import dev.fairlane.core.model.Attempt;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobStatus;
import java.util.ArrayList;
import java.util.List;

/** Retries by failure class (semantics §5; breakers, budgets and quarantine come with their own issue). */
public final class RetryPolicy {
    /** Oldest age at which a job that does not use up attempts is still put back. */
    static final long MAX_AGE_MICROS = 7L * 86_400 * 1_000_000;

    /** Ended executions kept with a job; a job that is rate limited for days forgets its oldest. */
    public static final int MAX_KEPT_ATTEMPTS = 64;

    private static final long LEAST_WAIT_MICROS = 1_000;
    private static final int POISON_ATTEMPTS = 2;

    private final long[] delaysMicros;
    private final double jitter;
    private final int crashLimit;

    public RetryPolicy(EngineConfig config) {
        List<Long> delays = config.retryDelaysMicros();
        if (delays.isEmpty()) {
            throw new IllegalArgumentException("expected at least one retry delay, but got none");
        }
        delaysMicros = new long[delays.size()];
        for (int i = 0; i < delaysMicros.length; i++) {
            delaysMicros[i] = delays.get(i);
        }
        jitter = config.retryJitter();
        crashLimit = config.crashLimit();
    }

    /**
     * @param status image during the execution that failed, its attempt counted
     * @param submittedAt when the job was submitted
     * @param random any 64 bits
     */
    public Verdict judge(JobStatus status, int maxAttempts, Failure failure, long submittedAt, long random, long now) {
        int attempt = status.attempt();
        return switch (failure.failureClass()) {
            case NON_RETRYABLE -> Verdict.DEAD;
            case WORKER_CRASH -> status.crashes() >= crashLimit ? Verdict.DEAD : Verdict.REQUEUE;
            case RATE_LIMITED -> comeBack(failure, submittedAt, now);
            case APP_ERROR, DEPENDENCY -> attempt >= maxAttempts ? Verdict.DEAD : retry(attempt, failure, random, now);
            case TIMEOUT, RESOURCE_VIOLATION ->
                attempt >= maxAttempts || failedSo(status.attempts(), failure.failureClass())
                        ? Verdict.DEAD
                        : retry(attempt, failure, random, now);
            case POISON ->
                attempt >= Math.min(maxAttempts, POISON_ATTEMPTS) ? Verdict.DEAD : retry(attempt, failure, random, now);
        };
    }

    private Verdict comeBack(Failure failure, long submittedAt, long now) {
        long wait = failure.retryAfterMicros() > 0 ? failure.retryAfterMicros() : delaysMicros[0];
        wait = Math.clamp(wait, LEAST_WAIT_MICROS, MAX_AGE_MICROS);
        return now + wait - submittedAt > MAX_AGE_MICROS ? Verdict.DEAD : new Verdict.RetryAt(now + wait, false);
    }

    private Verdict retry(int attempt, Failure failure, long random, long now) {
        long delay = delaysMicros[Math.clamp(attempt - 1, 0, delaysMicros.length - 1)];
        double spread = ((random >>> 11) * 0x1p-53 * 2 - 1) * jitter;
        long jittered = delay + (long) (delay * spread);
        long asked = Math.min(failure.retryAfterMicros(), MAX_AGE_MICROS);
        return new Verdict.RetryAt(now + Math.max(jittered, asked), true);
    }

    private static boolean failedSo(List<Attempt> attempts, FailureClass failureClass) {
        for (int i = 0; i < attempts.size(); i++) {
            if (attempts.get(i).failureClass() == failureClass) {
                return true;
            }
        }
        return false;
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
