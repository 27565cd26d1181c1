package dev.fairlane.server;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.HttpResponseException;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.server.api.TraceId;
import dev.fairlane.server.fault.Faults;
import dev.fairlane.server.fault.Refused;
import dev.fairlane.server.rest.ProblemResponse;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the HTTP server itself refuses, as a problem of the catalogue like everything else. */
final class ServerFaults implements ServerErrorHandler {
    @Override
    public HttpResponse onServiceException(ServiceRequestContext context, Throwable cause) {
        String traceId = TraceId.of(context.request().headers().get("traceparent"));
        return switch (Faults.unwrap(cause)) {
            case HttpResponseException given -> given.httpResponse();
            case HttpStatusException status -> ProblemResponse.of(ofStatus(status.httpStatus()), traceId);
            case RequestTimeoutException _ ->
                ProblemResponse.of(
                        Refused.of(ErrorCode.DEADLINE_EXCEEDED, ErrorCode.DEADLINE_EXCEEDED.title()), traceId);
            case Throwable other -> ProblemResponse.of(Faults.of(other, traceId), traceId);
        };
    }

    @Override
    public AggregatedHttpResponse renderStatus(
            @Nullable ServiceRequestContext context,
            ServiceConfig config,
            @Nullable RequestHeaders headers,
            HttpStatus status,
            @Nullable String description,
            @Nullable Throwable cause) {
        Refused refused = ofStatus(status);
        String traceId = TraceId.of(headers == null ? null : headers.get("traceparent"));
        return AggregatedHttpResponse.of(
                ProblemResponse.headers(refused, Set.of()), HttpData.wrap(ProblemResponse.body(refused, traceId)));
    }

    private static Refused ofStatus(HttpStatus status) {
        ErrorCode code = switch (status.code()) {
            case 404 -> ErrorCode.ROUTE_NOT_FOUND;
            case 405 -> ErrorCode.METHOD_NOT_ALLOWED;
            case 413 -> ErrorCode.CALL_TOO_LARGE;
            case 415 -> ErrorCode.UNSUPPORTED_MEDIA_TYPE;
            case 503 -> ErrorCode.NOT_SERVING;
            default -> status.isServerError() ? ErrorCode.INTERNAL : ErrorCode.MALFORMED_REQUEST;
        };
        return Refused.of(code, code.title());
    }
}
