package dev.fairlane.protocol;

import static dev.fairlane.protocol.ErrorCode.Fault.CALLER;
import static dev.fairlane.protocol.ErrorCode.Fault.LIMIT;
import static dev.fairlane.protocol.ErrorCode.Fault.SERVER;
import static dev.fairlane.protocol.ErrorCode.Retry.LATER;
import static dev.fairlane.protocol.ErrorCode.Retry.NO;
import static dev.fairlane.protocol.ErrorCode.Retry.SAME_KEY;

import io.grpc.Status;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The catalogue of errors. A name is a promise: it never changes its meaning and is never reused. REST shows it as {@code code} of an
 * RFC 9457 problem, gRPC as the reason of a {@code google.rpc.ErrorInfo}; {@code docs/reference/errors.md} lists what stands here.
 */
public enum ErrorCode {
    UNAUTHENTICATED(401, Status.Code.UNAUTHENTICATED, CALLER, NO, "The API key is missing, unknown or revoked"),
    PERMISSION_DENIED(403, Status.Code.PERMISSION_DENIED, CALLER, NO, "The API key may not do this"),

    ROUTE_NOT_FOUND(404, Status.Code.UNIMPLEMENTED, CALLER, NO, "There is nothing at this address"),
    METHOD_NOT_ALLOWED(405, Status.Code.UNIMPLEMENTED, CALLER, NO, "This address does not take this method"),
    UNSUPPORTED_MEDIA_TYPE(415, Status.Code.INVALID_ARGUMENT, CALLER, NO, "The body is not of a type this call takes"),

    CALL_TOO_LARGE(413, Status.Code.INVALID_ARGUMENT, CALLER, NO, "The call is larger than 8 MiB"),
    TOO_MANY_JOBS(
            413,
            Status.Code.INVALID_ARGUMENT,
            CALLER,
            NO,
            "The call has more than 1,000 jobs, schedules or other items"),
    OBJECT_TOO_LARGE(413, Status.Code.INVALID_ARGUMENT, CALLER, NO, "The body is larger than this call takes"),
    PAYLOAD_TOO_LARGE(413, Status.Code.INVALID_ARGUMENT, CALLER, NO, "The payload is larger than 256 KiB"),

    MALFORMED_REQUEST(400, Status.Code.INVALID_ARGUMENT, CALLER, NO, "The request cannot be read"),
    NESTED_TOO_DEEP(400, Status.Code.INVALID_ARGUMENT, CALLER, NO, "The JSON is nested deeper than 64 levels"),
    UNKNOWN_FIELD(400, Status.Code.INVALID_ARGUMENT, CALLER, NO, "The request has a field this call does not know"),
    DUPLICATE_FIELD(400, Status.Code.INVALID_ARGUMENT, CALLER, NO, "A field is there more than once"),
    WRONG_TYPE(400, Status.Code.INVALID_ARGUMENT, CALLER, NO, "A field has a value of another type"),
    INVALID_ARGUMENT(400, Status.Code.INVALID_ARGUMENT, CALLER, NO, "A field has a value that is not allowed"),
    INVALID_PAYLOAD(400, Status.Code.INVALID_ARGUMENT, CALLER, NO, "The payload is not well-formed JSON"),
    SCHEMA_MISMATCH(400, Status.Code.INVALID_ARGUMENT, CALLER, NO, "The payload does not obey the schema of its type"),
    INVALID_CURSOR(400, Status.Code.INVALID_ARGUMENT, CALLER, NO, "The cursor does not belong to this list"),
    CHECKPOINTS_REQUIRED(
            400,
            Status.Code.INVALID_ARGUMENT,
            CALLER,
            NO,
            "A type that runs longer than 5 minutes must declare checkpoints or restartable"),
    UNKNOWN_POOL(400, Status.Code.INVALID_ARGUMENT, CALLER, NO, "There is no such pool"),
    RESERVED_TYPE(
            400, Status.Code.INVALID_ARGUMENT, CALLER, NO, "Types that begin with fairlane. are the server's own"),
    PROTOCOL_VIOLATION(400, Status.Code.INVALID_ARGUMENT, CALLER, NO, "The worker broke the protocol of its stream"),

    TYPE_NOT_FOUND(404, Status.Code.NOT_FOUND, CALLER, NO, "There is no such job type"),
    JOB_NOT_FOUND(404, Status.Code.NOT_FOUND, CALLER, NO, "There is no such job"),
    WORKER_NOT_FOUND(404, Status.Code.NOT_FOUND, CALLER, NO, "No worker of that name is connected"),
    RESULT_NOT_FOUND(404, Status.Code.NOT_FOUND, CALLER, NO, "The job has no result, or not yet"),
    CHECKPOINT_NOT_FOUND(404, Status.Code.NOT_FOUND, CALLER, NO, "The job has no checkpoint"),
    OBJECT_NOT_FOUND(404, Status.Code.NOT_FOUND, CALLER, NO, "There is no such stored payload, or no longer"),
    GROUP_NOT_FOUND(404, Status.Code.NOT_FOUND, CALLER, NO, "There is no such group of jobs"),
    SCHEDULE_NOT_FOUND(404, Status.Code.NOT_FOUND, CALLER, NO, "There is no such schedule"),
    TENANT_NOT_FOUND(404, Status.Code.NOT_FOUND, CALLER, NO, "There is no such tenant"),
    KEY_NOT_FOUND(404, Status.Code.NOT_FOUND, CALLER, NO, "There is no such API key"),
    AUDIT_ENTRY_NOT_FOUND(404, Status.Code.NOT_FOUND, CALLER, NO, "There is no such entry in the audit"),
    OPERATION_NOT_FOUND(404, Status.Code.NOT_FOUND, CALLER, NO, "There is no such operation"),

    IDEMPOTENCY_KEY_REUSED(
            409, Status.Code.ALREADY_EXISTS, CALLER, NO, "The idempotency key belongs to a job with another body"),
    UNIQUE_CONFLICT(409, Status.Code.ALREADY_EXISTS, CALLER, NO, "The type allows one job of a kind, and there is one"),
    GROUP_SEALED(409, Status.Code.FAILED_PRECONDITION, CALLER, NO, "The group is sealed and takes no more jobs"),
    TYPES_CLOSED(
            409,
            Status.Code.FAILED_PRECONDITION,
            CALLER,
            NO,
            "The tenant takes jobs of registered types only, and this one is not"),
    LEASE_REVOKED(409, Status.Code.ABORTED, CALLER, NO, "The token is not the job's current one; nothing was changed"),

    REVISION_CONFLICT(
            412,
            Status.Code.ABORTED,
            CALLER,
            NO,
            "The job was changed since it was read; read it again and repeat the change"),

    LANE_LIMIT(429, Status.Code.RESOURCE_EXHAUSTED, LIMIT, NO, "The tenant has as many lanes as it may have"),
    TYPE_LIMIT(429, Status.Code.RESOURCE_EXHAUSTED, LIMIT, NO, "The tenant has as many job types as it may have"),
    SCHEDULE_LIMIT(
            429,
            Status.Code.RESOURCE_EXHAUSTED,
            LIMIT,
            NO,
            "The tenant has as many schedules, or bytes in them, as it may have"),
    WORKER_KINDS(
            429, Status.Code.RESOURCE_EXHAUSTED, LIMIT, NO, "There are as many kinds of workers as the node serves"),
    RATE_LIMIT(429, Status.Code.RESOURCE_EXHAUSTED, LIMIT, LATER, "The tenant submits faster than it may"),
    QUOTA_EXCEEDED(429, Status.Code.RESOURCE_EXHAUSTED, LIMIT, LATER, "The tenant used up what it may use this month"),
    DEPTH_LIMIT(429, Status.Code.RESOURCE_EXHAUSTED, LIMIT, LATER, "The tenant has as many open jobs as it may have"),
    NODE_FULL(503, Status.Code.UNAVAILABLE, LIMIT, LATER, "The node is at its bounds and takes no more jobs now"),
    OVERLOADED(503, Status.Code.UNAVAILABLE, LIMIT, LATER, "The node has more to do than it takes; nothing was done"),
    NOT_SERVING(503, Status.Code.UNAVAILABLE, SERVER, LATER, "The node is starting or stopping; nothing was done"),
    SESSION_ENDED(503, Status.Code.UNAVAILABLE, SERVER, LATER, "The node ended the worker's session; connect again"),
    STORE_UNAVAILABLE(503, Status.Code.UNAVAILABLE, SERVER, LATER, "The database cannot be reached"),
    OBJECTS_UNAVAILABLE(503, Status.Code.UNAVAILABLE, SERVER, LATER, "The object store cannot be used"),
    OUTCOME_UNKNOWN(
            503,
            Status.Code.UNKNOWN,
            SERVER,
            SAME_KEY,
            "The node lost its log during the call; it may or may not have happened"),
    DEADLINE_EXCEEDED(
            504,
            Status.Code.DEADLINE_EXCEEDED,
            SERVER,
            SAME_KEY,
            "The call took too long; it may or may not have happened"),
    INTERNAL(500, Status.Code.INTERNAL, SERVER, SAME_KEY, "A bug in the server; it was logged under the trace id");

    /** The domain of every {@code google.rpc.ErrorInfo} of Fairlane. */
    public static final String DOMAIN = "fairlane";

    private static final Map<String, ErrorCode> BY_NAME =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(ErrorCode::name, Function.identity()));

    /** Whose fault it is. */
    public enum Fault {
        /** The call itself: change it. */
        CALLER,
        /** Nobody's: a limit was reached. */
        LIMIT,
        /** Ours. */
        SERVER
    }

    /** Whether the same call may be sent again. */
    public enum Retry {
        /** It will be refused again. */
        NO,
        /** Nothing was done: send it again after a while. */
        LATER,
        /** It may have been done: safe only for calls that carry an idempotency key or are idempotent by nature. */
        SAME_KEY
    }

    private final int httpStatus;
    private final Status.Code grpcCode;
    private final Fault fault;
    private final Retry retry;
    private final String title;

    ErrorCode(int httpStatus, Status.Code grpcCode, Fault fault, Retry retry, String title) {
        this.httpStatus = httpStatus;
        this.grpcCode = grpcCode;
        this.fault = fault;
        this.retry = retry;
        this.title = title;
    }

    /** The code of that name, or empty for one of a newer server. */
    public static Optional<ErrorCode> find(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    public int httpStatus() {
        return httpStatus;
    }

    public Status.Code grpcCode() {
        return grpcCode;
    }

    public Fault fault() {
        return fault;
    }

    public Retry retry() {
        return retry;
    }

    public String title() {
        return title;
    }

    /** Whether it is about more than there may be: refusals with it name the limit and the present value. */
    public boolean counted() {
        return fault == Fault.LIMIT || httpStatus == 413 || this == NESTED_TOO_DEEP;
    }

    /** The problem type of RFC 9457, relative to the server. */
    public String type() {
        return "/problems/" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
