package dev.fairlane.server;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpResponseException;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.ProblemStatus;
import dev.fairlane.server.admit.Limits;
import dev.fairlane.server.api.TraceId;
import dev.fairlane.server.fault.Faults;
import dev.fairlane.server.fault.Refused;
import dev.fairlane.server.grpc.GrpcFaults;
import dev.fairlane.server.rest.ProblemResponse;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import java.util.Base64;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the HTTP server itself refuses, before any of our code: a problem of the catalogue like everything else, also in gRPC. */
final class ServerFaults implements ServerErrorHandler {
    private static final String DETAILS = "grpc-status-details-bin";
    private static final Metadata.Key<byte[]> DETAILS_KEY = Metadata.Key.of(DETAILS, Metadata.BINARY_BYTE_MARSHALLER);

    @Override
    public HttpResponse onServiceException(ServiceRequestContext context, Throwable cause) {
        RequestHeaders headers = context.request().headers();
        String traceId = TraceId.of(headers.get("traceparent"));
        StatusRuntimeException told = GrpcFaults.told(context);
        if (told != null) {
            return grpc(told).toHttpResponse();
        }
        return switch (Faults.unwrap(cause)) {
            case HttpResponseException given -> given.httpResponse();
            case HttpStatusException status ->
                response(headers, ofStatus(status.httpStatus(), headers), traceId)
                        .toHttpResponse();
            case RequestTimeoutException _ ->
                response(headers, refused(ErrorCode.DEADLINE_EXCEEDED), traceId).toHttpResponse();
            case Throwable other ->
                response(headers, Faults.of(other, traceId), traceId).toHttpResponse();
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
        return response(
                headers, ofStatus(status, headers), TraceId.of(headers == null ? null : headers.get("traceparent")));
    }

    private static AggregatedHttpResponse response(@Nullable RequestHeaders headers, Refused refused, String traceId) {
        MediaType type = headers == null ? null : headers.contentType();
        if (type != null && type.type().equals("application") && type.subtype().startsWith("grpc")) {
            return grpc(ProblemStatus.toStatus(refused.problem(), traceId));
        }
        return AggregatedHttpResponse.of(
                ProblemResponse.headers(refused, Set.of()), HttpData.wrap(ProblemResponse.body(refused, traceId)));
    }

    /** A gRPC answer that consists of its status only. */
    private static AggregatedHttpResponse grpc(StatusRuntimeException status) {
        byte[] details = ProblemStatus.trailersOf(status).get(DETAILS_KEY);
        return AggregatedHttpResponse.of(ResponseHeaders.builder(HttpStatus.OK)
                .set("content-type", "application/grpc")
                .set(
                        "grpc-status",
                        Integer.toString(status.getStatus().getCode().value()))
                .set("grpc-message", ascii(String.valueOf(status.getStatus().getDescription())))
                .set(
                        DETAILS,
                        Base64.getEncoder().withoutPadding().encodeToString(details == null ? new byte[0] : details))
                .build());
    }

    private static String ascii(String text) {
        return text.replaceAll("[^ -~]", "?");
    }

    private static Refused ofStatus(HttpStatus status, @Nullable RequestHeaders headers) {
        if (status.code() == 413) {
            return Refused.callTooLarge(Limits.CALL_BYTES, headers == null ? 0 : headers.contentLength());
        }
        return refused(
                switch (status.code()) {
                    case 404 -> ErrorCode.ROUTE_NOT_FOUND;
                    case 405 -> ErrorCode.METHOD_NOT_ALLOWED;
                    case 415 -> ErrorCode.UNSUPPORTED_MEDIA_TYPE;
                    case 503 -> ErrorCode.NOT_SERVING;
                    default -> status.isServerError() ? ErrorCode.INTERNAL : ErrorCode.MALFORMED_REQUEST;
                });
    }

    private static Refused refused(ErrorCode code) {
        return Refused.of(code, code.title());
    }
}
