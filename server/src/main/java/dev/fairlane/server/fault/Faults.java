package dev.fairlane.server.fault;

import com.google.protobuf.InvalidProtocolBufferException;
import com.linecorp.armeria.common.ClosedSessionException;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.TimeoutException;
import com.linecorp.armeria.common.stream.ClosedStreamException;
import dev.fairlane.journal.JournalFault;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.runtime.NodeFault;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a failed call is told. Nothing of an unexpected failure leaves but its trace id. */
public final class Faults {
    /** What a caller is told to wait when nobody knows better. */
    static final long RETRY_AFTER_MS = 1_000;

    private static final Logger log = LoggerFactory.getLogger(Faults.class);

    private Faults() {}

    public static Refused of(Throwable failure, String traceId) {
        Throwable cause = unwrap(failure);
        return switch (cause) {
            case Refused refused -> refused;
            case NodeFault fault -> ofNode(fault, traceId);
            case JournalFault fault -> {
                log.warn("store failed during call {}: {}", traceId, fault.toString());
                yield Refused.later(ErrorCode.STORE_UNAVAILABLE, ErrorCode.STORE_UNAVAILABLE.title(), RETRY_AFTER_MS);
            }
            case InvalidProtocolBufferException _ ->
                Refused.of(
                        ErrorCode.MALFORMED_REQUEST, "expected a protobuf message of this call, but it cannot be read");
            case ContentTooLargeException large ->
                Refused.callTooLarge(large.maxContentLength(), Math.max(large.contentLength(), large.transferred()));
            case ClosedSessionException _, ClosedStreamException _ -> {
                // the caller is gone, or we are going: nobody hears the answer
                log.debug("call {} lost its connection: {}", traceId, cause.toString());
                yield Refused.later(ErrorCode.NOT_SERVING, ErrorCode.NOT_SERVING.title(), RETRY_AFTER_MS);
            }
            case TimeoutException _ -> Refused.of(ErrorCode.DEADLINE_EXCEEDED, ErrorCode.DEADLINE_EXCEEDED.title());
            default -> bug(cause, traceId);
        };
    }

    public static Throwable unwrap(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static Refused ofNode(NodeFault fault, String traceId) {
        return switch (fault.kind()) {
            case OVERLOADED ->
                Refused.later(
                        ErrorCode.OVERLOADED,
                        String.valueOf(fault.getMessage()),
                        RETRY_AFTER_MS,
                        fault.limit(),
                        fault.present());
            case NOT_SERVING -> Refused.later(ErrorCode.NOT_SERVING, ErrorCode.NOT_SERVING.title(), RETRY_AFTER_MS);
            case OUTCOME_UNKNOWN ->
                Refused.later(ErrorCode.OUTCOME_UNKNOWN, ErrorCode.OUTCOME_UNKNOWN.title(), RETRY_AFTER_MS);
            case UNKNOWN_POSITION ->
                Refused.invalid(
                        "min_position", "expected the position of an answer to a submit, but it was never given out");
            case STORE_UNAVAILABLE ->
                Refused.later(ErrorCode.STORE_UNAVAILABLE, ErrorCode.STORE_UNAVAILABLE.title(), RETRY_AFTER_MS);
            case INTERNAL -> bug(fault, traceId);
        };
    }

    private static Refused bug(Throwable failure, String traceId) {
        log.error("call {} failed unexpectedly", traceId, failure);
        return Refused.of(ErrorCode.INTERNAL, ErrorCode.INTERNAL.title());
    }
}
