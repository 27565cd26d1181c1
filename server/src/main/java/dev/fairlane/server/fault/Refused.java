package dev.fairlane.server.fault;

import dev.fairlane.core.model.Refusal;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.v1.Problem;

/**
 * A call, or one item of it, that is not granted. Thrown inside the edge only, without a stack trace, because a hostile caller can
 * have as many of them as it likes.
 */
public final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final String field;
    private final long retryAfterMs;
    private final long limit;
    private final long present;

    private Refused(ErrorCode code, String field, String detail, long retryAfterMs) {
        this(code, field, detail, retryAfterMs, Refusal.NO_NUMBER, Refusal.NO_NUMBER);
    }

    private Refused(ErrorCode code, String field, String detail, long retryAfterMs, long limit, long present) {
        super(detail, null, false, false);
        assert !code.counted() || limit != Refusal.NO_NUMBER && present != Refusal.NO_NUMBER
                : code + " without its limit and what there is";
        this.code = code;
        this.field = field;
        this.retryAfterMs = retryAfterMs;
        this.limit = limit;
        this.present = present;
    }

    public static Refused of(ErrorCode code, String detail) {
        return new Refused(code, "", detail, 0);
    }

    /** @param field path of what is wrong, e.g. {@code job.priority} */
    public static Refused field(ErrorCode code, String field, String detail) {
        return new Refused(code, field, detail, 0);
    }

    public static Refused invalid(String field, String detail) {
        return new Refused(ErrorCode.INVALID_ARGUMENT, field, detail, 0);
    }

    public static Refused later(ErrorCode code, String detail, long retryAfterMs) {
        return new Refused(code, "", detail, retryAfterMs);
    }

    /** More than there may be now. */
    public static Refused later(ErrorCode code, String detail, long retryAfterMs, long limit, long present) {
        return new Refused(code, "", detail, retryAfterMs, limit, present);
    }

    /** More than there may be, which asking again will not change. */
    public static Refused over(ErrorCode code, String field, String detail, long limit, long present) {
        return new Refused(code, field, detail, 0, limit, present);
    }

    /** @param present bytes, as far as anybody knows: at least one more than there may be */
    public static Refused callTooLarge(long limit, long present) {
        return over(
                ErrorCode.CALL_TOO_LARGE,
                "",
                "expected a call of at most " + limit + " bytes, but there are more",
                limit,
                Math.max(present, limit + 1));
    }

    /** What the core refused. */
    public static Refused of(Refusal refusal) {
        ErrorCode code = switch (refusal.code()) {
            case JOB_NOT_FOUND -> ErrorCode.JOB_NOT_FOUND;
            case TENANT_NOT_FOUND -> ErrorCode.TENANT_NOT_FOUND;
            case INVALID_ARGUMENT -> ErrorCode.INVALID_ARGUMENT;
            case IDEMPOTENCY_KEY_REUSED -> ErrorCode.IDEMPOTENCY_KEY_REUSED;
            case UNIQUE_CONFLICT -> ErrorCode.UNIQUE_CONFLICT;
            case LEASE_REVOKED -> ErrorCode.LEASE_REVOKED;
            case DEPTH_LIMIT -> ErrorCode.DEPTH_LIMIT;
            case NODE_FULL -> ErrorCode.NODE_FULL;
            case RATE_LIMIT -> ErrorCode.RATE_LIMIT;
            case QUOTA_EXCEEDED -> ErrorCode.QUOTA_EXCEEDED;
            case TYPES_CLOSED -> ErrorCode.TYPES_CLOSED;
            case CHECKPOINTS_REQUIRED -> ErrorCode.CHECKPOINTS_REQUIRED;
            case UNKNOWN_POOL -> ErrorCode.UNKNOWN_POOL;
            case REVISION_CONFLICT -> ErrorCode.REVISION_CONFLICT;
            case LANE_LIMIT -> ErrorCode.LANE_LIMIT;
            case TYPE_LIMIT -> ErrorCode.TYPE_LIMIT;
            case TYPE_NOT_FOUND -> ErrorCode.TYPE_NOT_FOUND;
            case RESERVED_TYPE -> ErrorCode.RESERVED_TYPE;
            case WORKER_KINDS -> ErrorCode.WORKER_KINDS;
            case GROUP_NOT_FOUND -> ErrorCode.GROUP_NOT_FOUND;
            case GROUP_SEALED -> ErrorCode.GROUP_SEALED;
            case SCHEDULE_NOT_FOUND -> ErrorCode.SCHEDULE_NOT_FOUND;
            case SCHEDULE_LIMIT -> ErrorCode.SCHEDULE_LIMIT;
        };
        long retryAfterMs = Math.ceilDiv(refusal.retryAfterMicros(), 1_000);
        if (retryAfterMs == 0 && code.retry() == ErrorCode.Retry.LATER) {
            retryAfterMs = Faults.RETRY_AFTER_MS;
        }
        return new Refused(code, "", refusal.message(), retryAfterMs, refusal.limit(), refusal.present());
    }

    public ErrorCode code() {
        return code;
    }

    /** The same refusal, seen from a level further out. */
    public Refused inside(String parent) {
        String path = field.isEmpty() ? parent : field.startsWith("[") ? parent + field : parent + "." + field;
        return new Refused(code, path, detail(), retryAfterMs, limit, present);
    }

    public String detail() {
        String message = getMessage();
        return message == null ? code.title() : message;
    }

    public String field() {
        return field;
    }

    public long retryAfterMs() {
        return retryAfterMs;
    }

    /** What was reached, or {@link Refusal#NO_NUMBER}. */
    public long limit() {
        return limit;
    }

    /** What there was of it, or {@link Refusal#NO_NUMBER}. */
    public long present() {
        return present;
    }

    public Problem problem() {
        Problem.Builder problem = Problem.newBuilder()
                .setCode(code.name())
                .setDetail(detail())
                .setField(field)
                .setRetryAfterMs(retryAfterMs);
        if (limit != Refusal.NO_NUMBER) {
            problem.setLimit(limit);
        }
        if (present != Refusal.NO_NUMBER) {
            problem.setPresent(present);
        }
        return problem.build();
    }
}
