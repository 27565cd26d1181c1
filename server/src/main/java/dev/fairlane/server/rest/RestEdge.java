package dev.fairlane.server.rest;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.v1.ChangeJobResponse;
import dev.fairlane.protocol.v1.CreateKeyResponse;
import dev.fairlane.protocol.v1.Job;
import dev.fairlane.protocol.v1.SubmitResponse;
import dev.fairlane.protocol.v1.UpdateJobRequest;
import dev.fairlane.protocol.v1.UsageReport;
import dev.fairlane.server.api.Call;
import dev.fairlane.server.api.JobCalls;
import dev.fairlane.server.api.TraceId;
import dev.fairlane.server.api.UnaryCalls;
import dev.fairlane.server.api.UnaryCalls.Unary;
import dev.fairlane.server.auth.Caller;
import dev.fairlane.server.auth.Gate;
import dev.fairlane.server.auth.Role;
import dev.fairlane.server.fault.Faults;
import dev.fairlane.server.fault.Refused;
import dev.fairlane.server.objects.ObjectCalls;
import dev.fairlane.server.routes.HttpBinding;
import dev.fairlane.server.routes.PathTemplate;
import dev.fairlane.server.routes.RouteTable;
import dev.fairlane.server.routes.RouteTable.Match;
import dev.fairlane.server.routes.RouteTable.Route;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Every REST call: who, what, then the same deed that gRPC would do. */
public final class RestEdge implements HttpService {
    private static final String WATCH = "fairlane.v1.Jobs/Watch";
    private static final String SUBMIT_STREAM = "fairlane.v1.Jobs/SubmitStream";

    private final Gate gate;
    private final RouteTable table;
    private final UnaryCalls calls;
    private final JobCalls jobs;
    private final ObjectCalls objects;

    public RestEdge(Gate gate, RouteTable table, UnaryCalls calls, JobCalls jobs, ObjectCalls objects) {
        this.gate = gate;
        this.table = table;
        this.calls = calls;
        this.jobs = jobs;
        this.objects = objects;
    }

    /**
     * Takes all calls under {@code /v1}. The server compares an announced length with the bound of its route before anybody is asked, so the
     * routes whose bodies may be larger than a call have none there: those who read them count the bytes.
     */
    public void mount(ServerBuilder builder) {
        table.rpcs().stream()
                .filter(rpc -> rpc.raw() || rpc.name().equals(SUBMIT_STREAM))
                .flatMap(rpc -> rpc.bindings().stream())
                .filter(HttpBinding::hasBody)
                .map(HttpBinding::path)
                .forEach(path ->
                        builder.route().path(pattern(path)).maxRequestLength(0).build(this));
        builder.serviceUnder("/v1", this);
    }

    private static String pattern(PathTemplate path) {
        return path.variables().isEmpty() ? "exact:" + path : path.toString();
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
        String traceId = TraceId.of(request.headers().get("traceparent"));
        try {
            Match match = table.match(request.method().name(), PathSegments.of(context.path()));
            Route route = match.route();
            Caller caller = gate.admit(
                    request.headers().get(HttpHeaderNames.AUTHORIZATION),
                    request.headers().get(Gate.TENANT_HEADER),
                    route == null ? Set.of(Role.values()) : route.rpc().roles());
            if (route == null) {
                return match.allowed().isEmpty()
                        ? ProblemResponse.of(
                                Refused.of(ErrorCode.ROUTE_NOT_FOUND, ErrorCode.ROUTE_NOT_FOUND.title()), traceId)
                        : ProblemResponse.notAllowed(match.allowed(), traceId);
            }
            Call call = Call.of(
                    caller,
                    context.eventLoop().withoutContext(),
                    traceId,
                    request.headers().get(Call.IDEMPOTENCY_KEY));
            route.rpc().requireNoKeyOnStream(call.idempotencyKey());
            return switch (route.rpc().name()) {
                case SUBMIT_STREAM -> NdjsonSubmit.open(context, request, call, jobs);
                case WATCH -> SseWatch.open(context, request, call, jobs, match.variables());
                default ->
                    route.rpc().raw()
                            ? objects.serve(
                                    route.rpc().name(), context, request, call, route.binding(), match.variables())
                            : unary(context, request, call, match, route);
            };
        } catch (RuntimeException e) {
            return ProblemResponse.of(Faults.of(e, traceId), traceId);
        }
    }

    private HttpResponse unary(
            ServiceRequestContext context, HttpRequest request, Call call, Match match, Route route) {
        Unary<?, ?> unary = calls.find(route.rpc().name());
        if (unary == null) {
            throw new IllegalStateException("nobody performs " + route.rpc().name());
        }
        return HttpResponse.of(request.aggregate(context.eventLoop())
                .thenCompose(whole -> {
                    byte[] body = whole.content().array();
                    if (body.length > 0) {
                        requireJson(request);
                    }
                    Message message = RequestMessage.read(
                            unary.prototype(),
                            route.binding(),
                            match.variables(),
                            QueryParams.fromQueryString(context.query()),
                            body);
                    return perform(unary, call, withRevision(request, message));
                })
                .handle((answer, failure) -> failure == null
                        ? success(answer)
                        : ProblemResponse.of(Faults.of(failure, call.traceId()), call.traceId())));
    }

    private static CompletableFuture<Message> perform(Unary<?, ?> unary, Call call, Message request) {
        return unary.perform(call, request).thenApply(answer -> answer);
    }

    private static void requireJson(HttpRequest request) {
        MediaType type = request.contentType();
        if (type != null && !type.is(MediaType.JSON)) {
            throw Refused.of(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                    "expected Content-Type: application/json, but got " + type.nameWithoutParameters());
        }
    }

    /** If-Match names the revision a job must be at; {@code *} any there is. */
    private static Message withRevision(HttpRequest request, Message message) {
        String match = request.headers().get(HttpHeaderNames.IF_MATCH);
        if (match == null || match.equals("*") || !(message instanceof UpdateJobRequest update)) {
            return message;
        }
        String digits = match.startsWith("\"") && match.endsWith("\"") && match.length() > 2
                ? match.substring(1, match.length() - 1)
                : match;
        try {
            int revision = Integer.parseInt(digits);
            if (revision < 0 || update.hasIfRevision() && update.getIfRevision() != revision) {
                throw new NumberFormatException(match);
            }
            return update.toBuilder().setIfRevision(revision).build();
        } catch (NumberFormatException e) {
            throw Refused.invalid("If-Match", "expected the ETag of the job, like \"3\"");
        }
    }

    private static HttpResponse success(Message answer) {
        if (answer instanceof UsageReport report && !report.getCsv().isEmpty()) {
            return HttpResponse.of(HttpStatus.OK, MediaType.CSV_UTF_8, report.getCsv());
        }
        ResponseHeadersBuilder headers = ResponseHeaders.builder(HttpStatus.OK).contentType(MediaType.JSON);
        switch (answer) {
            case SubmitResponse submitted ->
                headers.status(submitted.getExisting() ? HttpStatus.OK : HttpStatus.CREATED)
                        .set(HttpHeaderNames.LOCATION, "/v1/jobs/" + submitted.getId());
            case CreateKeyResponse created ->
                headers.status(HttpStatus.CREATED)
                        .set(
                                HttpHeaderNames.LOCATION,
                                "/v1/keys/" + created.getKey().getId());
            case Job job -> headers.set(HttpHeaderNames.ETAG, "\"" + job.getRevision() + "\"");
            case ChangeJobResponse changed
            when changed.hasRevision() -> headers.set(HttpHeaderNames.ETAG, "\"" + changed.getRevision() + "\"");
            default -> {}
        }
        return HttpResponse.of(headers.build(), HttpData.wrap(JsonWriter.write(answer)));
    }
}
