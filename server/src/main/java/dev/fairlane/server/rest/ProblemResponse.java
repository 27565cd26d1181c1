package dev.fairlane.server.rest;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import dev.fairlane.core.model.Refusal;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.server.admit.Json;
import dev.fairlane.server.fault.Refused;
import java.io.ByteArrayOutputStream;
import java.util.Set;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;

/** A refusal as RFC 9457 has it. */
public final class ProblemResponse {
    static final MediaType PROBLEM_JSON = MediaType.create("application", "problem+json");

    private ProblemResponse() {}

    public static HttpResponse of(Refused refused, String traceId) {
        return HttpResponse.of(headers(refused, Set.of()), HttpData.wrap(body(refused, traceId)));
    }

    /** For a path that is there, but not for this method. */
    static HttpResponse notAllowed(Set<String> allowed, String traceId) {
        Refused refused = Refused.of(
                ErrorCode.METHOD_NOT_ALLOWED, "expected " + String.join(" or ", allowed) + " at this address");
        return HttpResponse.of(headers(refused, allowed), HttpData.wrap(body(refused, traceId)));
    }

    public static ResponseHeaders headers(Refused refused, Set<String> allowed) {
        ErrorCode code = refused.code();
        ResponseHeadersBuilder headers =
                ResponseHeaders.builder(HttpStatus.valueOf(code.httpStatus())).contentType(PROBLEM_JSON);
        if (!allowed.isEmpty()) {
            headers.set(HttpHeaderNames.ALLOW, String.join(", ", allowed));
        }
        if (code == ErrorCode.UNAUTHENTICATED) {
            headers.set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
        }
        if (refused.retryAfterMs() > 0) {
            headers.set(HttpHeaderNames.RETRY_AFTER, Long.toString(seconds(refused)));
        }
        return headers.build();
    }

    public static byte[] body(Refused refused, String traceId) {
        ErrorCode code = refused.code();
        ByteArrayOutputStream out = new ByteArrayOutputStream(256);
        try (JsonGenerator json = Json.FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartObject();
            json.writeStringProperty("type", code.type());
            json.writeStringProperty("title", code.title());
            json.writeNumberProperty("status", code.httpStatus());
            json.writeStringProperty("detail", refused.detail());
            json.writeStringProperty("code", code.name());
            if (!refused.field().isEmpty()) {
                json.writeStringProperty("field", refused.field());
            }
            json.writeStringProperty("trace_id", traceId);
            if (refused.retryAfterMs() > 0) {
                json.writeNumberProperty("retry_after", seconds(refused));
            }
            if (refused.limit() != Refusal.NO_NUMBER) {
                json.writeNumberProperty("limit", refused.limit());
            }
            if (refused.present() != Refusal.NO_NUMBER) {
                json.writeNumberProperty("present", refused.present());
            }
            json.writeEndObject();
        }
        return out.toByteArray();
    }

    private static long seconds(Refused refused) {
        return Math.ceilDiv(refused.retryAfterMs(), 1_000L);
    }
}
