package dev.fairlane.server.grpc;

import com.google.common.base.Throwables;
import com.google.protobuf.InvalidProtocolBufferException;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.RequestContext;
import com.linecorp.armeria.common.grpc.GrpcExceptionHandlerFunction;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.ProblemStatus;
import dev.fairlane.server.admit.Limits;
import dev.fairlane.server.api.TraceId;
import dev.fairlane.server.fault.Faults;
import dev.fairlane.server.fault.Refused;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.netty.util.AttributeKey;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Gives the failures that gRPC itself finds, before or around our code, their place in the catalogue. */
public final class GrpcFaults implements GrpcExceptionHandlerFunction {
    private static final Metadata.Key<byte[]> DETAILS =
            Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

    private static final Pattern FRAME_SIZE = Pattern.compile("Frame size (\\d{1,18}) exceeds maximum: (\\d{1,18})");

    private static final AttributeKey<StatusRuntimeException> TOLD = AttributeKey.valueOf(GrpcFaults.class, "TOLD");

    /** What was already said about the call; the HTTP server may ask once more, knowing the status only. */
    public static @Nullable StatusRuntimeException told(RequestContext context) {
        return context.attr(TOLD);
    }

    @Override
    public Status apply(RequestContext context, Status status, Throwable cause, Metadata metadata) {
        if (metadata.containsKey(DETAILS) || status.getCode() == Status.Code.CANCELLED) {
            return status; // ours already, or nobody is there to hear
        }
        StatusRuntimeException before = told(context);
        if (before != null) { // asked about the same failure a second time, without what was said the first time
            metadata.merge(ProblemStatus.trailersOf(before));
            return before.getStatus();
        }
        String traceId = TraceId.of(
                context instanceof ServiceRequestContext request
                        ? request.request().headers().get("traceparent")
                        : null);
        StatusRuntimeException told =
                ProblemStatus.toStatus(meaning(status, cause, traceId).problem(), traceId);
        context.setAttr(TOLD, told);
        metadata.merge(ProblemStatus.trailersOf(told));
        return told.getStatus();
    }

    private static Refused meaning(Status status, Throwable cause, String traceId) {
        if (has(cause, InvalidProtocolBufferException.class)) {
            return Refused.of(
                    ErrorCode.MALFORMED_REQUEST, "expected a protobuf message of this call, but it cannot be read");
        }
        return switch (status.getCode()) {
            case RESOURCE_EXHAUSTED -> tooLarge(String.valueOf(status.getDescription()));
            case UNIMPLEMENTED -> Refused.of(ErrorCode.ROUTE_NOT_FOUND, ErrorCode.ROUTE_NOT_FOUND.title());
            case DEADLINE_EXCEEDED -> Refused.of(ErrorCode.DEADLINE_EXCEEDED, ErrorCode.DEADLINE_EXCEEDED.title());
            default -> Faults.of(contentTooLarge(cause), traceId);
        };
    }

    /** The framework knows the size of the message, and says so in words only. */
    private static Refused tooLarge(String description) {
        Matcher sizes = FRAME_SIZE.matcher(description);
        return sizes.find()
                ? Refused.callTooLarge(Long.parseLong(sizes.group(2)), Long.parseLong(sizes.group(1)))
                : Refused.callTooLarge(Limits.CALL_BYTES, 0);
    }

    private static Throwable contentTooLarge(Throwable failure) {
        return Throwables.getCausalChain(failure).stream()
                .filter(ContentTooLargeException.class::isInstance)
                .findFirst()
                .orElse(failure);
    }

    private static boolean has(Throwable failure, Class<? extends Throwable> kind) {
        return Throwables.getCausalChain(failure).stream().anyMatch(kind::isInstance);
    }
}
