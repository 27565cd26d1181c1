package dev.fairlane.server.objects;

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
import com.linecorp.armeria.common.stream.StreamMessage;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.objects.ObjectBody;
import dev.fairlane.objects.ObjectFault;
import dev.fairlane.objects.ObjectStore;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.v1.GetPayloadRequest;
import dev.fairlane.protocol.v1.GetResultRequest;
import dev.fairlane.protocol.v1.LoadCheckpointRequest;
import dev.fairlane.protocol.v1.PutPayloadRequest;
import dev.fairlane.protocol.v1.SaveCheckpointRequest;
import dev.fairlane.protocol.v1.SaveResultRequest;
import dev.fairlane.runtime.Node;
import dev.fairlane.server.api.Call;
import dev.fairlane.server.api.Tenants;
import dev.fairlane.server.fault.Faults;
import dev.fairlane.server.fault.Refused;
import dev.fairlane.server.rest.JsonWriter;
import dev.fairlane.server.rest.ProblemResponse;
import dev.fairlane.server.rest.RequestMessage;
import dev.fairlane.server.routes.HttpBinding;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The calls whose bodies are bytes. Each runs on a virtual thread of its own, at most so many at once. */
public final class ObjectCalls implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ObjectCalls.class);
    private static final Duration TRANSFER_WITHIN = Duration.ofMinutes(30);
    private static final long STOP_SECONDS = 5;
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

    private final ObjectRules rules;
    private final Checkpoints checkpoints;
    private final Results results;
    private final StoredPayloads payloads;
    private final Tenants tenants;
    private final Sweep sweep;
    private final TransferRoom room;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("fairlane-objects-", 0).factory());

    public ObjectCalls(Node node, ObjectStore store, ObjectRules rules, InstantSource clock) {
        this.rules = rules;
        this.checkpoints = new Checkpoints(node, store, clock);
        this.results = new Results(node, store);
        this.payloads = new StoredPayloads(node, store, clock, rules.uploadKept(), threads);
        this.tenants = new Tenants(node);
        this.sweep = new Sweep(node, store, clock, rules.uploadKept());
        this.room = new TransferRoom(rules.concurrentMax());
        node.onCheckpointedEnd(ended -> threads.execute(() -> checkpoints.ended(ended)));
    }

    /** Payloads that callers stored, for those who take jobs. */
    public StoredPayloads payloads() {
        return payloads;
    }

    public Duration sweepEvery() {
        return rules.sweepEvery();
    }

    /** Looks for rubbish; what goes wrong is tried again the next time. */
    public void sweep() {
        threads.execute(() -> {
            try {
                sweep.run();
            } catch (RuntimeException e) {
                log.warn(
                        "the sweep of the object store broke off: {}",
                        Faults.unwrap(e).toString());
            }
        });
    }

    /** @param rpc name of a call of the service Objects */
    public HttpResponse serve(
            String rpc,
            ServiceRequestContext context,
            HttpRequest request,
            Call call,
            HttpBinding binding,
            Map<String, String> variables) {
        context.setMaxRequestLength(0);
        context.setRequestTimeout(TRANSFER_WITHIN);
        QueryParams query = QueryParams.fromQueryString(context.query());
        TenantId scope = call.caller().scope();
        return switch (rpc) {
            case "fairlane.v1.Objects/SaveCheckpoint" -> {
                SaveCheckpointRequest save =
                        read(SaveCheckpointRequest.getDefaultInstance(), binding, variables, query);
                JobId id = id(save.getId());
                yield run(request, call, () -> {
                    JobView job = checkpoints.admit(scope, id, save.getToken());
                    long size = size(request, rules.checkpointBytesMax());
                    return json(checkpoints.save(
                            scope, job, save.getToken(), body(request, rules.checkpointBytesMax()), size));
                });
            }
            case "fairlane.v1.Objects/LoadCheckpoint" -> {
                LoadCheckpointRequest load =
                        read(LoadCheckpointRequest.getDefaultInstance(), binding, variables, query);
                JobId id = id(load.getId());
                yield run(request, call, () -> bytes(checkpoints.load(scope, id), MediaType.OCTET_STREAM, false));
            }
            case "fairlane.v1.Objects/SaveResult" -> {
                SaveResultRequest save = read(SaveResultRequest.getDefaultInstance(), binding, variables, query);
                JobId id = id(save.getId());
                yield run(request, call, () -> {
                    JobView job = checkpoints.admit(scope, id, save.getToken());
                    long size = size(request, rules.resultBytesMax());
                    return json(results.save(job, save.getToken(), body(request, rules.resultBytesMax()), size));
                });
            }
            case "fairlane.v1.Objects/GetResult" -> {
                GetResultRequest get = read(GetResultRequest.getDefaultInstance(), binding, variables, query);
                JobId id = id(get.getId());
                ByteRange range = ByteRange.of(request.headers().get(HttpHeaderNames.RANGE));
                yield run(request, call, () -> {
                    Results.Found found = results.get(scope, id, range.from(), range.length());
                    return bytes(found.body(), MediaType.parse(found.contentType()), range.asked());
                });
            }
            case "fairlane.v1.Objects/PutPayload" -> {
                PutPayloadRequest put = read(PutPayloadRequest.getDefaultInstance(), binding, variables, query);
                Tenant tenant = tenants.ofSubmit(call.caller());
                yield run(request, call, () -> {
                    long size = size(request, rules.payloadBytesMax());
                    return json(payloads.save(tenant, body(request, rules.payloadBytesMax()), size, sha256(put)));
                });
            }
            case "fairlane.v1.Objects/GetPayload" -> {
                GetPayloadRequest get = read(GetPayloadRequest.getDefaultInstance(), binding, variables, query);
                JobId id = id(get.getId());
                ByteRange range = ByteRange.of(request.headers().get(HttpHeaderNames.RANGE));
                yield run(request, call, () -> {
                    Results.Found found = payloads.get(scope, id, range.from(), range.length());
                    return bytes(found.body(), MediaType.parse(found.contentType()), range.asked());
                });
            }
            default -> throw new IllegalStateException("nobody performs " + rpc);
        };
    }

    private static String sha256(PutPayloadRequest put) {
        if (!put.getSha256().isEmpty() && !SHA256.matcher(put.getSha256()).matches()) {
            throw Refused.invalid("sha256", "expected 64 hexadecimal digits in lower case");
        }
        return put.getSha256();
    }

    private static <Q extends Message> Q read(
            Q prototype, HttpBinding binding, Map<String, String> variables, QueryParams query) {
        @SuppressWarnings("unchecked") // made by the prototype's own builder
        Q message = (Q) RequestMessage.readWithoutBody(prototype, binding, variables, query);
        return message;
    }

    private static JobId id(String text) {
        return JobId.find(text).orElseThrow(() -> Refused.invalid("id", "expected the id of a job, a UUID"));
    }

    private HttpResponse run(HttpRequest request, Call call, Supplier<HttpResponse> deed) {
        TenantId tenant = call.caller().scope();
        try {
            room.enter(tenant);
        } catch (Refused full) {
            request.abort();
            throw full;
        }
        return HttpResponse.of(CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return deed.get();
                    } catch (RuntimeException e) {
                        return ProblemResponse.of(Faults.of(understood(e), call.traceId()), call.traceId());
                    } finally {
                        room.leave(tenant);
                    }
                },
                threads));
    }

    /** What the object store says, in codes of the catalogue. */
    static Throwable understood(RuntimeException failure) {
        if (!(Faults.unwrap(failure) instanceof ObjectFault fault)) {
            return failure;
        }
        if (fault.getCause() instanceof BoundedBody.TooLarge tooLarge) {
            return Refused.over(
                    ErrorCode.OBJECT_TOO_LARGE,
                    "",
                    String.valueOf(tooLarge.getMessage()),
                    tooLarge.max(),
                    tooLarge.came());
        }
        return switch (fault.kind()) {
            case WRONG_SIZE, BROKEN_SOURCE ->
                Refused.of(ErrorCode.MALFORMED_REQUEST, "the body ended before all its bytes had come");
            case INVALID_RANGE -> Refused.invalid("Range", String.valueOf(fault.getMessage()));
            case NOT_FOUND -> Refused.of(ErrorCode.CHECKPOINT_NOT_FOUND, "the bytes are no longer in the object store");
            case INVALID_NAME, ALREADY_THERE -> failure;
            case DENIED, UNAVAILABLE -> {
                log.warn("the object store cannot be used: {}", fault.getMessage());
                yield Refused.later(ErrorCode.OBJECTS_UNAVAILABLE, ErrorCode.OBJECTS_UNAVAILABLE.title(), 1_000);
            }
        };
    }

    private static long size(HttpRequest request, long max) {
        long length = request.headers().contentLength();
        if (length > max) {
            throw Refused.over(
                    ErrorCode.OBJECT_TOO_LARGE,
                    "",
                    "expected at most " + max + " bytes, but " + length + " are announced",
                    max,
                    length);
        }
        return length < 0 ? ObjectStore.UNKNOWN : length;
    }

    private static InputStream body(HttpRequest request, long max) {
        return new BoundedBody(request.split().body().toInputStream(data -> data), max);
    }

    private static HttpResponse json(Message answer) {
        return HttpResponse.of(HttpStatus.OK, MediaType.JSON, HttpData.wrap(JsonWriter.write(answer)));
    }

    private HttpResponse bytes(ObjectBody body, MediaType type, boolean part) {
        ResponseHeadersBuilder headers = ResponseHeaders.builder(part ? HttpStatus.PARTIAL_CONTENT : HttpStatus.OK)
                .contentType(type)
                .contentLength(body.length())
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store");
        if (part) {
            headers.set(
                    HttpHeaderNames.CONTENT_RANGE,
                    "bytes " + body.from() + "-" + (body.from() + body.length() - 1) + "/"
                            + body.info().size());
        }
        return HttpResponse.of(
                headers.build(),
                StreamMessage.fromOutputStream(
                        out -> {
                            try (body;
                                    out) {
                                body.bytes().transferTo(out);
                            } catch (IOException e) {
                                throw new java.io.UncheckedIOException(e);
                            }
                        },
                        threads));
    }

    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
