package dev.fairlane.protocol;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.fairlane.protocol.v1.Problem;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.Optional;

/** A {@link Problem} as a gRPC status with {@code google.rpc.ErrorInfo} and {@code RetryInfo}, and back. */
public final class ProblemStatus {
    /** Keys of the metadata of {@link ErrorInfo}. */
    public static final String FIELD = "field";

    public static final String TRACE_ID = "trace_id";
    public static final String LIMIT = "limit";
    public static final String PRESENT = "present";

    private ProblemStatus() {}

    /** The status of a problem; one with a code that is not in the catalogue becomes INTERNAL. */
    public static StatusRuntimeException toStatus(Problem problem, String traceId) {
        ErrorCode code = ErrorCode.find(problem.getCode()).orElse(ErrorCode.INTERNAL);
        ErrorInfo.Builder info = ErrorInfo.newBuilder().setReason(code.name()).setDomain(ErrorCode.DOMAIN);
        if (!problem.getField().isEmpty()) {
            info.putMetadata(FIELD, problem.getField());
        }
        if (problem.hasLimit()) {
            info.putMetadata(LIMIT, Long.toString(problem.getLimit()));
        }
        if (problem.hasPresent()) {
            info.putMetadata(PRESENT, Long.toString(problem.getPresent()));
        }
        if (!traceId.isEmpty()) {
            info.putMetadata(TRACE_ID, traceId);
        }
        com.google.rpc.Status.Builder status = com.google.rpc.Status.newBuilder()
                .setCode(code.grpcCode().value())
                .setMessage(problem.getDetail().isEmpty() ? code.title() : problem.getDetail())
                .addDetails(Any.pack(info.build()));
        if (problem.getRetryAfterMs() > 0) {
            status.addDetails(Any.pack(RetryInfo.newBuilder()
                    .setRetryDelay(Duration.newBuilder()
                            .setSeconds(problem.getRetryAfterMs() / 1_000)
                            .setNanos((int) (problem.getRetryAfterMs() % 1_000) * 1_000_000))
                    .build()));
        }
        return StatusProto.toStatusRuntimeException(status.build());
    }

    /** The problem a call failed with; empty when the failure did not come from a Fairlane server (no connection, a proxy). */
    public static Optional<Problem> problemOf(Throwable failure) {
        com.google.rpc.Status status = StatusProto.fromThrowable(failure);
        if (status == null) {
            return Optional.empty();
        }
        Problem.Builder problem = Problem.newBuilder().setDetail(status.getMessage());
        try {
            for (Any detail : status.getDetailsList()) {
                if (detail.is(ErrorInfo.class)) {
                    ErrorInfo info = detail.unpack(ErrorInfo.class);
                    if (info.getDomain().equals(ErrorCode.DOMAIN)) {
                        problem.setCode(info.getReason()).setField(info.getMetadataOrDefault(FIELD, ""));
                        numbers(info, problem);
                    }
                } else if (detail.is(RetryInfo.class)) {
                    Duration delay = detail.unpack(RetryInfo.class).getRetryDelay();
                    problem.setRetryAfterMs(delay.getSeconds() * 1_000 + delay.getNanos() / 1_000_000);
                }
            }
        } catch (InvalidProtocolBufferException | NumberFormatException e) {
            return Optional.empty(); // details that cannot be read were not written by us
        }
        return problem.getCode().isEmpty() ? Optional.empty() : Optional.of(problem.build());
    }

    private static void numbers(ErrorInfo info, Problem.Builder problem) {
        if (info.containsMetadata(LIMIT)) {
            problem.setLimit(Long.parseLong(info.getMetadataOrThrow(LIMIT)));
        }
        if (info.containsMetadata(PRESENT)) {
            problem.setPresent(Long.parseLong(info.getMetadataOrThrow(PRESENT)));
        }
    }

    /** What {@code status} carries beside its code, for those who close a call by hand. */
    public static Metadata trailersOf(StatusRuntimeException status) {
        Metadata trailers = status.getTrailers();
        return trailers == null ? new Metadata() : trailers;
    }
}
