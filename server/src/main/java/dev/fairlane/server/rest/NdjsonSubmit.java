package dev.fairlane.server.rest;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.v1.NewJob;
import dev.fairlane.protocol.v1.SubmitBatchRequest;
import dev.fairlane.protocol.v1.SubmitBatchResponse;
import dev.fairlane.protocol.v1.SubmitItem;
import dev.fairlane.server.admit.Limits;
import dev.fairlane.server.api.Call;
import dev.fairlane.server.api.JobCalls;
import dev.fairlane.server.fault.Faults;
import dev.fairlane.server.fault.Refused;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Bulk load in REST: one job a line in, one answer a line out, in the same order. Lines are gathered into batches of at most 1,000 jobs
 * or 1 MiB; one batch is under way while the next is read, and no more is read than that. A line that is no job is answered with its
 * problem, alone.
 */
final class NdjsonSubmit implements Subscriber<HttpData> {
    static final MediaType NDJSON = MediaType.create("application", "x-ndjson");
    private static final int BATCH_BYTES = 1 << 20;
    private static final int LINE_BYTES = 2 * Limits.PAYLOAD_BYTES;

    private final Call call;
    private final JobCalls jobs;
    private final HttpResponseWriter out;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final List<Line> gathered = new ArrayList<>();
    private long gatheredBytes;
    private boolean underWay;
    private boolean asked;
    private boolean complete;
    private boolean closed;
    /** Of the line that is being read, those that were not kept included. */
    private long lineBytes;

    private @Nullable Subscription subscription;

    /** @param refused set for a line that is no job */
    private record Line(@Nullable NewJob job, @Nullable Refused refused, int bytes) {}

    private NdjsonSubmit(Call call, JobCalls jobs, HttpResponseWriter out) {
        this.call = call;
        this.jobs = jobs;
        this.out = out;
    }

    static HttpResponse open(ServiceRequestContext context, HttpRequest request, Call call, JobCalls jobs) {
        MediaType type = request.contentType();
        if (type == null || !(type.is(NDJSON) || type.is(MediaType.create("application", "ndjson")))) {
            throw Refused.of(ErrorCode.UNSUPPORTED_MEDIA_TYPE, "expected Content-Type: application/x-ndjson");
        }
        context.setMaxRequestLength(0);
        context.clearRequestTimeout();
        HttpResponseWriter out = HttpResponse.streaming();
        out.write(ResponseHeaders.builder(HttpStatus.OK).contentType(NDJSON).build());
        request.split().body().subscribe(new NdjsonSubmit(call, jobs, out), context.eventLoop());
        return out;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        this.subscription = subscription;
        asked = true;
        subscription.request(1);
    }

    @Override
    public void onNext(HttpData data) {
        asked = false;
        byte[] bytes = data.array();
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                take(bytes, start, i);
                endLine();
                start = i + 1;
            }
        }
        take(bytes, start, bytes.length);
        pump();
    }

    private void take(byte[] bytes, int start, int end) {
        lineBytes += end - start;
        if (lineBytes > LINE_BYTES) {
            line.reset();
        } else {
            line.write(bytes, start, end - start);
        }
    }

    private void endLine() {
        byte[] text = line.toByteArray();
        line.reset();
        long length = lineBytes;
        lineBytes = 0;
        if (length > LINE_BYTES) {
            gathered.add(new Line(
                    null,
                    Refused.over(
                            ErrorCode.PAYLOAD_TOO_LARGE,
                            "",
                            "expected a line of at most " + LINE_BYTES + " bytes, but got " + length,
                            LINE_BYTES,
                            length),
                    0));
            return;
        }
        if (isBlank(text)) {
            return;
        }
        gatheredBytes += text.length;
        NewJob.Builder job = NewJob.newBuilder();
        try {
            JsonReader.read(text, job, Set.of());
            gathered.add(new Line(job.build(), null, text.length));
        } catch (Refused refused) {
            gathered.add(new Line(null, refused, text.length));
        }
    }

    private static boolean isBlank(byte[] text) {
        for (byte b : text) {
            if (b != ' ' && b != '\t' && b != '\r') {
                return false;
            }
        }
        return true;
    }

    /** Sends the next batch when none is under way; reads on while there is less than a batch waiting. */
    private void pump() {
        if (closed) {
            return;
        }
        if (!underWay && !gathered.isEmpty()) {
            submit();
        }
        if (!complete) {
            boolean room = gathered.size() < Limits.JOBS_PER_CALL && gatheredBytes < BATCH_BYTES;
            if (room && !asked && subscription != null) {
                asked = true;
                subscription.request(1);
            }
        } else if (!underWay && gathered.isEmpty()) {
            closed = true;
            out.close();
        }
    }

    private void submit() {
        List<Line> batch = new ArrayList<>(gathered.subList(0, Math.min(gathered.size(), Limits.JOBS_PER_CALL)));
        gathered.subList(0, batch.size()).clear();
        SubmitBatchRequest.Builder request = SubmitBatchRequest.newBuilder();
        for (Line one : batch) {
            gatheredBytes -= one.bytes();
            if (one.job() != null) {
                request.addJobs(one.job());
            }
        }
        underWay = true;
        CompletableFuture<SubmitBatchResponse> answer;
        try {
            answer = request.getJobsCount() == 0
                    ? CompletableFuture.completedFuture(SubmitBatchResponse.getDefaultInstance())
                    : jobs.submitBatch(call, request.build());
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        answer.handleAsync(
                (response, failure) -> {
                    write(batch, response, failure);
                    return null;
                },
                call.executor());
    }

    private void write(List<Line> batch, @Nullable SubmitBatchResponse response, @Nullable Throwable failure) {
        Refused why = failure == null ? null : Faults.of(failure, call.traceId());
        SubmitItem failed = why == null ? null : problem(why);
        ByteArrayOutputStream lines = new ByteArrayOutputStream(128 * batch.size());
        int next = 0;
        for (Line one : batch) {
            SubmitItem item;
            if (one.refused() != null) {
                item = problem(one.refused());
                jobs.refusedAll(call, one.refused(), 1);
            } else if (failed != null || response == null) {
                item = failed == null ? SubmitItem.getDefaultInstance() : failed;
                if (why != null) {
                    jobs.refusedAll(call, why, 1);
                }
            } else {
                item = response.getItems(next++);
            }
            lines.writeBytes(JsonWriter.write(item));
            lines.write('\n');
        }
        if (!out.tryWrite(HttpData.wrap(lines.toByteArray()))) {
            cancel();
            return;
        }
        out.whenConsumed()
                .thenRunAsync(
                        () -> {
                            underWay = false;
                            pump();
                        },
                        call.executor());
    }

    private static SubmitItem problem(Refused refused) {
        return SubmitItem.newBuilder().setProblem(refused.problem()).build();
    }

    private void cancel() {
        closed = true;
        if (subscription != null) {
            subscription.cancel();
        }
    }

    @Override
    public void onError(Throwable failure) {
        closed = true;
        out.close(failure);
    }

    @Override
    public void onComplete() {
        if (lineBytes > 0) {
            endLine();
        }
        complete = true;
        pump();
    }
}
