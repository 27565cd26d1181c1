package dev.fairlane.sdk.internal;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.fairlane.protocol.v1.Problem;
import dev.fairlane.sdk.FairlaneException;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** From statuses and problems on the wire to the exceptions of the SDK. */
public final class Errors {
    private Errors() {}

    /** A call that failed as a whole. */
    public static FairlaneException of(Throwable failure) {
        if (failure instanceof FairlaneException already) {
            return already;
        }
        Status status = Status.fromThrowable(failure);
        Details details = Details.of(failure);
        String code = details.reason != null ? details.reason : status.getCode().name();
        String message = message(status, failure);
        Duration after = details.retryAfter;
        return switch (status.getCode()) {
            case NOT_FOUND -> new FairlaneException.NotFound(code, message, failure);
            case UNAUTHENTICATED, PERMISSION_DENIED -> new FairlaneException.Denied(code, message, failure);
            case ALREADY_EXISTS, ABORTED, FAILED_PRECONDITION -> new FairlaneException.Conflict(code, message, failure);
            case INVALID_ARGUMENT, OUT_OF_RANGE, UNIMPLEMENTED -> new FairlaneException.Invalid(code, message, failure);
            case RESOURCE_EXHAUSTED -> new FairlaneException.LimitReached(code, message, after, failure);
            // The SDK cancels no call it waits for: this one was cut off by the other side.
            case UNAVAILABLE, CANCELLED -> new FairlaneException.Unavailable(code, message, after, failure);
            case DEADLINE_EXCEEDED -> new FairlaneException.TimedOut(code, message, failure);
            default -> new FairlaneException(code, message, false, after, failure);
        };
    }

    /** One item of a batch that was refused. The problem says its code only, so the code decides the kind. */
    public static FairlaneException of(Problem problem) {
        String code = problem.getCode();
        String message =
                problem.getField().isEmpty() ? problem.getDetail() : problem.getField() + ": " + problem.getDetail();
        Duration after = problem.getRetryAfterMs() > 0 ? Duration.ofMillis(problem.getRetryAfterMs()) : null;
        if (code.endsWith("_NOT_FOUND")) {
            return new FairlaneException.NotFound(code, message, null);
        }
        if (code.equals("IDEMPOTENCY_KEY_REUSED") || code.endsWith("_CONFLICT")) {
            return new FairlaneException.Conflict(code, message, null);
        }
        if (code.equals("PERMISSION_DENIED") || code.equals("UNAUTHENTICATED")) {
            return new FairlaneException.Denied(code, message, null);
        }
        if (code.endsWith("_LIMIT") || code.endsWith("_LIMITED") || code.endsWith("_EXCEEDED")) {
            return new FairlaneException.LimitReached(code, message, after, null);
        }
        if (code.equals("NODE_FULL") || code.equals("OVERLOADED") || code.equals("UNAVAILABLE") || after != null) {
            return new FairlaneException.Unavailable(code, message, after, null);
        }
        return new FairlaneException.Invalid(code, message, null);
    }

    private static String message(Status status, Throwable failure) {
        String description = status.getDescription();
        Throwable cause = status.getCause();
        if (status.getCode() == Status.Code.UNAVAILABLE && cause != null && cause.getMessage() != null) {
            return (description == null ? "" : description + ": ") + cause.getMessage();
        }
        return description != null ? description : String.valueOf(failure.getMessage());
    }

    private record Details(
            @Nullable String reason, @Nullable Duration retryAfter) {
        private static final Details NONE = new Details(null, null);

        static Details of(Throwable failure) {
            com.google.rpc.Status status = StatusProto.fromThrowable(failure);
            if (status == null || status.getDetailsCount() == 0) {
                return NONE;
            }
            String reason = null;
            Duration after = null;
            try {
                for (Any detail : status.getDetailsList()) {
                    if (detail.is(ErrorInfo.class)) {
                        reason = detail.unpack(ErrorInfo.class).getReason();
                    } else if (detail.is(RetryInfo.class)) {
                        com.google.protobuf.Duration delay =
                                detail.unpack(RetryInfo.class).getRetryDelay();
                        after = Duration.ofSeconds(delay.getSeconds(), delay.getNanos());
                    }
                }
            } catch (InvalidProtocolBufferException malformed) {
                // The details explain the status; without them the status itself still stands.
                return new Details(reason, after);
            }
            return new Details(reason, after);
        }
    }
}
