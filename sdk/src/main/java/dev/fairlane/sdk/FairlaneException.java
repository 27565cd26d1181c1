package dev.fairlane.sdk;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A call that did not work. The {@link #code()} is stable and meant for programs; the message is for people.
 *
 * <p>Catch a nested class where the kind of trouble decides what to do, and this class for the rest.
 */
public sealed class FairlaneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String code;
    private final boolean retryable;
    private final long retryAfterMillis;
    private final long limit;
    private final long present;

    /**
     * For the SDK's own use and for tests of those who catch it.
     *
     * @param retryAfter when to come back, null when nobody said
     */
    public FairlaneException(
            String code, String message, boolean retryable, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        this(code, message, retryable, retryAfter, OptionalLong.empty(), OptionalLong.empty(), cause);
    }

    private FairlaneException(
            String code,
            String message,
            boolean retryable,
            @Nullable Duration retryAfter,
            OptionalLong limit,
            OptionalLong present,
            @Nullable Throwable cause) {
        super(message, cause);
        this.limit = limit.orElse(-1);
        this.present = present.orElse(-1);
        this.code = code;
        this.retryable = retryable;
        this.retryAfterMillis = retryAfter == null ? -1 : retryAfter.toMillis();
    }

    /** The stable code of the error catalogue, e.g. {@code IDEMPOTENCY_KEY_REUSED}. */
    public final String code() {
        return code;
    }

    /**
     * Whether the same call may work later without being changed. For a submit without an idempotency key this does not say that
     * the first call did nothing.
     */
    public final boolean retryable() {
        return retryable;
    }

    /** When to come back, where the server said. */
    public final Optional<Duration> retryAfter() {
        return retryAfterMillis < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(retryAfterMillis));
    }

    /** The limit that was reached, where it is a number; the message names its unit. */
    public final OptionalLong limit() {
        return limit < 0 ? OptionalLong.empty() : OptionalLong.of(limit);
    }

    /** What there was of it when the call was refused. */
    public final OptionalLong present() {
        return present < 0 ? OptionalLong.empty() : OptionalLong.of(present);
    }

    /** There is no such job, tenant, type or key, or it belongs to another tenant. */
    public static final class NotFound extends FairlaneException {
        private static final long serialVersionUID = 1L;

        public NotFound(String code, String message, @Nullable Throwable cause) {
            super(code, message, false, null, cause);
        }
    }

    /** The API key is missing, unknown, revoked, or its role does not allow the call. */
    public static final class Denied extends FairlaneException {
        private static final long serialVersionUID = 1L;

        public Denied(String code, String message, @Nullable Throwable cause) {
            super(code, message, false, null, cause);
        }
    }

    /** The call contradicts what is there: an idempotency key with another body, a lease that was revoked, a paused type. */
    public static final class Conflict extends FairlaneException {
        private static final long serialVersionUID = 1L;

        public Conflict(String code, String message, @Nullable Throwable cause) {
            super(code, message, false, null, cause);
        }
    }

    /** The call itself is wrong; it will never work as it is. */
    public static final class Invalid extends FairlaneException {
        private static final long serialVersionUID = 1L;

        public Invalid(String code, String message, @Nullable Throwable cause) {
            super(code, message, false, null, cause);
        }
    }

    /** A rate, depth or quota is used up. */
    public static final class LimitReached extends FairlaneException {
        private static final long serialVersionUID = 1L;

        public LimitReached(String code, String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
            super(code, message, true, retryAfter, cause);
        }

        /** One that names its numbers. */
        public LimitReached(
                String code,
                String message,
                @Nullable Duration retryAfter,
                OptionalLong limit,
                OptionalLong present,
                @Nullable Throwable cause) {
            super(code, message, true, retryAfter, limit, present, cause);
        }
    }

    /** The server cannot be reached, or cannot answer now. */
    public static final class Unavailable extends FairlaneException {
        private static final long serialVersionUID = 1L;

        public Unavailable(String code, String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
            super(code, message, true, retryAfter, cause);
        }

        /** One of a server that is at its bounds. */
        public Unavailable(
                String code,
                String message,
                @Nullable Duration retryAfter,
                OptionalLong limit,
                OptionalLong present,
                @Nullable Throwable cause) {
            super(code, message, true, retryAfter, limit, present, cause);
        }
    }

    /** The time given to the call, or to the wait for a job, is over. The job itself goes on. */
    public static final class TimedOut extends FairlaneException {
        private static final long serialVersionUID = 1L;

        public TimedOut(String code, String message, @Nullable Throwable cause) {
            super(code, message, true, null, cause);
        }
    }

    /** The job that was waited for ended, but not in {@link JobState#SUCCEEDED}. */
    public static final class JobFailed extends FairlaneException {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial") // read where it was thrown; a copy through serialization keeps code and message
        private final transient JobInfo job;

        public JobFailed(JobInfo job) {
            super("JOB_" + job.state(), describe(job), false, null, null);
            this.job = job;
        }

        /** The job at its end, with its failure and attempts. */
        public JobInfo job() {
            return job;
        }

        private static String describe(JobInfo job) {
            String what = "job " + job.id() + " (" + job.type() + ") ended " + job.state();
            return job.failure()
                    .map(f -> what + ": " + f.failureClass() + ": " + f.message())
                    .orElse(what);
        }
    }
}
