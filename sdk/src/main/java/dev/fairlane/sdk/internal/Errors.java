package dev.fairlane.sdk.internal;

import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.ProblemStatus;
import dev.fairlane.protocol.v1.Problem;
import dev.fairlane.sdk.FairlaneException;
import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** From statuses and problems on the wire to the exceptions of the SDK. */
public final class Errors {
    private Errors() {}

    /** A call that failed as a whole. */
    public static FairlaneException of(Throwable failure) {
        if (failure instanceof FairlaneException already) {
            return already;
        }
        Status status = told(Status.fromThrowable(failure));
        Optional<Problem> problem = ProblemStatus.problemOf(failure);
        return problem.map(said -> of(status.getCode(), said, failure)).orElseGet(() -> {
            Problem unsaid = Problem.newBuilder()
                    .setCode(status.getCode().name())
                    .setDetail(message(status, failure))
                    .build();
            return of(status.getCode(), unsaid, failure);
        });
    }

    /** A write that meets a connection just being closed is an unknown error to gRPC; it is a lost connection like any other. */
    private static Status told(Status status) {
        return status.getCode() == Status.Code.UNKNOWN && status.getCause() instanceof IOException lost
                ? Status.UNAVAILABLE.withDescription(status.getDescription()).withCause(lost)
                : status;
    }

    /** One item of a batch that was refused. A code of a newer server is taken for a refusal of the item itself. */
    public static FairlaneException of(Problem problem) {
        Status.Code kind =
                ErrorCode.find(problem.getCode()).map(ErrorCode::grpcCode).orElse(Status.Code.INVALID_ARGUMENT);
        return of(kind, problem, null);
    }

    private static FairlaneException of(Status.Code kind, Problem problem, @Nullable Throwable cause) {
        String code = problem.getCode();
        String message = message(problem);
        Duration after = retryAfter(problem);
        OptionalLong limit = problem.hasLimit() ? OptionalLong.of(problem.getLimit()) : OptionalLong.empty();
        OptionalLong present = problem.hasPresent() ? OptionalLong.of(problem.getPresent()) : OptionalLong.empty();
        return switch (kind) {
            case NOT_FOUND -> new FairlaneException.NotFound(code, message, cause);
            case UNAUTHENTICATED, PERMISSION_DENIED -> new FairlaneException.Denied(code, message, cause);
            case ALREADY_EXISTS, ABORTED, FAILED_PRECONDITION -> new FairlaneException.Conflict(code, message, cause);
            case INVALID_ARGUMENT, OUT_OF_RANGE, UNIMPLEMENTED -> new FairlaneException.Invalid(code, message, cause);
            case RESOURCE_EXHAUSTED -> new FairlaneException.LimitReached(code, message, after, limit, present, cause);
            // The SDK cancels no call it waits for: one that is cancelled was cut off by the other side.
            case UNAVAILABLE, CANCELLED ->
                new FairlaneException.Unavailable(code, message, after, limit, present, cause);
            case DEADLINE_EXCEEDED -> new FairlaneException.TimedOut(code, message, cause);
            default ->
                code.equals(ErrorCode.OUTCOME_UNKNOWN.name())
                        ? new FairlaneException.Unavailable(code, message, after, cause)
                        : new FairlaneException(code, message, false, after, cause);
        };
    }

    /** Whether the server said that it did nothing, so that even a call without a key may be sent again. */
    static boolean nothingWasDone(FairlaneException failure) {
        return ErrorCode.find(failure.code())
                .map(code -> code.retry() == ErrorCode.Retry.LATER)
                .orElse(false);
    }

    private static String message(Problem problem) {
        return problem.getField().isEmpty() ? problem.getDetail() : problem.getField() + ": " + problem.getDetail();
    }

    private static @Nullable Duration retryAfter(Problem problem) {
        return problem.getRetryAfterMs() > 0 ? Duration.ofMillis(problem.getRetryAfterMs()) : null;
    }

    private static String message(Status status, Throwable failure) {
        String description = status.getDescription();
        Throwable cause = status.getCause();
        if (status.getCode() == Status.Code.UNAVAILABLE && cause != null && cause.getMessage() != null) {
            return (description == null ? "" : description + ": ") + cause.getMessage();
        }
        return description != null ? description : String.valueOf(failure.getMessage());
    }
}
