package dev.fairlane.server.rest;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.sse.ServerSentEvent;
import com.linecorp.armeria.common.stream.StreamMessage;
import com.linecorp.armeria.common.stream.StreamWriter;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.streaming.ServerSentEvents;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.v1.Job;
import dev.fairlane.protocol.v1.WatchJobRequest;
import dev.fairlane.server.api.Call;
import dev.fairlane.server.api.JobCalls;
import dev.fairlane.server.api.JobWatch;
import dev.fairlane.server.fault.Faults;
import dev.fairlane.server.fault.Refused;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A watch as server-sent events. The id of an event is when its image became true; a reader that comes back with {@code Last-Event-ID}
 * does not hear that image again. The answer begins with the first image, so that a job that is not there is a plain 404.
 */
final class SseWatch implements JobWatch.Sink {
    private static final long KEEP_ALIVE_SECONDS = 15;
    private static final ResponseHeaders HEADERS = ResponseHeaders.builder(HttpStatus.OK)
            .contentType(MediaType.EVENT_STREAM)
            .set("cache-control", "no-store")
            .set("x-accel-buffering", "no")
            .build();

    private final ServiceRequestContext context;
    private final Call call;
    private final long lastSeen;
    private final CompletableFuture<HttpResponse> response = new CompletableFuture<>();
    private final StreamWriter<ServerSentEvent> events = StreamMessage.streaming();
    private @Nullable JobWatch watch;
    private @Nullable ScheduledFuture<?> keepAlive;
    private boolean begun;
    private boolean busy;

    private SseWatch(ServiceRequestContext context, Call call, long lastSeen) {
        this.context = context;
        this.call = call;
        this.lastSeen = lastSeen;
    }

    static HttpResponse open(
            ServiceRequestContext context,
            HttpRequest request,
            Call call,
            JobCalls jobs,
            Map<String, String> variables) {
        if (!QueryParams.fromQueryString(context.query()).isEmpty()) {
            throw Refused.of(ErrorCode.UNKNOWN_FIELD, "this call has no query parameters");
        }
        context.clearRequestTimeout();
        SseWatch stream = new SseWatch(context, call, lastSeen(request));
        WatchJobRequest watched = WatchJobRequest.newBuilder()
                .setId(variables.getOrDefault("id", ""))
                .build();
        JobWatch begun = jobs.watch(call, watched, stream);
        stream.watch = begun;
        HttpResponse answer = HttpResponse.of(stream.response);
        answer.whenComplete()
                .handleAsync(
                        (_, _) -> {
                            stream.stop(begun);
                            return null;
                        },
                        context.eventLoop());
        return answer;
    }

    private static long lastSeen(HttpRequest request) {
        String id = request.headers().get("last-event-id");
        if (id == null) {
            return 0;
        }
        try {
            return Long.parseUnsignedLong(id);
        } catch (NumberFormatException e) {
            throw Refused.invalid("Last-Event-ID", "expected the id of an event of this stream");
        }
    }

    @Override
    public boolean ready() {
        return !busy;
    }

    @Override
    public void job(Job job) {
        begin();
        if (job.getChangedAtMicros() <= lastSeen) {
            return;
        }
        send(ServerSentEvent.builder()
                .id(Long.toString(job.getChangedAtMicros()))
                .event("job")
                .data(new String(JsonWriter.write(job), StandardCharsets.UTF_8))
                .build());
    }

    @Override
    public void end(@Nullable Throwable failure) {
        if (failure != null && !begun) {
            response.complete(ProblemResponse.of(Faults.of(failure, call.traceId()), call.traceId()));
            return;
        }
        begin();
        if (failure != null) {
            Refused told = Faults.of(failure, call.traceId());
            send(ServerSentEvent.builder()
                    .event("problem")
                    .data(new String(ProblemResponse.body(told, call.traceId()), StandardCharsets.UTF_8))
                    .build());
        }
        events.close();
    }

    private void begin() {
        if (!begun) {
            begun = true;
            response.complete(ServerSentEvents.fromPublisher(HEADERS, events));
            // An event stream without any event is reset, not ended; so there is one.
            if (!events.tryWrite(ServerSentEvent.ofComment("watching"))) {
                return;
            }
            keepAlive = context.eventLoop()
                    .withoutContext()
                    .scheduleAtFixedRate(
                            () -> {
                                if (!busy) {
                                    send(ServerSentEvent.ofComment("still there"));
                                }
                            },
                            KEEP_ALIVE_SECONDS,
                            KEEP_ALIVE_SECONDS,
                            TimeUnit.SECONDS);
        }
    }

    private void send(ServerSentEvent event) {
        if (!events.tryWrite(event)) {
            return; // the reader is gone; whoever watches the response stops the watch
        }
        busy = true;
        events.whenConsumed()
                .thenRunAsync(
                        () -> {
                            busy = false;
                            if (watch != null) {
                                watch.resume();
                            }
                        },
                        context.eventLoop());
    }

    private void stop(JobWatch begun) {
        begun.close();
        if (keepAlive != null) {
            keepAlive.cancel(false);
        }
    }
}
