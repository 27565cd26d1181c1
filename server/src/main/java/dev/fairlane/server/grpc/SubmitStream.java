package dev.fairlane.server.grpc;

import dev.fairlane.protocol.v1.Problem;
import dev.fairlane.protocol.v1.SubmitBatchRequest;
import dev.fairlane.protocol.v1.SubmitBatchResponse;
import dev.fairlane.protocol.v1.SubmitItem;
import dev.fairlane.server.admit.Limits;
import dev.fairlane.server.api.Call;
import dev.fairlane.server.api.JobCalls;
import dev.fairlane.server.auth.Gate;
import dev.fairlane.server.fault.Faults;
import dev.fairlane.server.fault.Refused;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Bulk load: several batches under way at once, answered in their order. A batch the node cannot take is answered with a problem for
 * each of its jobs; the stream goes on.
 */
final class SubmitStream implements StreamObserver<SubmitBatchRequest> {
    private static final int BATCHES_MAX = 16;
    private static final long BYTES_MAX = 2L * Limits.CALL_BYTES;

    private final Gate gate;
    private final Call call;
    private final JobCalls jobs;
    private final ServerCallStreamObserver<SubmitBatchResponse> out;
    private final ArrayDeque<Batch> underWay = new ArrayDeque<>();
    private long bytesUnderWay;
    private boolean asked;
    private boolean complete;
    /** Why no further batch is taken; those taken before are answered first. */
    private @Nullable Refused over;

    private boolean closed;

    private record Batch(int bytes, CompletableFuture<SubmitBatchResponse> answer) {}

    private SubmitStream(Gate gate, Call call, JobCalls jobs, ServerCallStreamObserver<SubmitBatchResponse> out) {
        this.gate = gate;
        this.call = call;
        this.jobs = jobs;
        this.out = out;
    }

    static SubmitStream open(Gate gate, JobCalls jobs, StreamObserver<SubmitBatchResponse> observer) {
        var out = (ServerCallStreamObserver<SubmitBatchResponse>) observer;
        SubmitStream stream = new SubmitStream(gate, GrpcGate.current(), jobs, out);
        out.disableAutoRequest();
        out.setOnReadyHandler(stream::pump);
        out.setOnCancelHandler(() -> stream.closed = true);
        stream.asked = true;
        out.request(1);
        return stream;
    }

    @Override
    public void onNext(SubmitBatchRequest request) {
        asked = false;
        try {
            gate.admitAgain(call.caller());
        } catch (Refused revoked) {
            over = revoked;
            pump();
            return;
        }
        int bytes = request.getSerializedSize();
        CompletableFuture<SubmitBatchResponse> answer;
        try {
            answer = jobs.submitBatch(call, request);
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        bytesUnderWay += bytes;
        CompletableFuture<SubmitBatchResponse> told = answer.exceptionally(failure -> refuseAll(request, failure));
        underWay.add(new Batch(bytes, told));
        told.thenRunAsync(this::pump, call.executor());
        pump();
    }

    private SubmitBatchResponse refuseAll(SubmitBatchRequest request, Throwable failure) {
        Refused refused = Faults.of(failure, call.traceId());
        jobs.refusedAll(call, refused, request.getJobsCount());
        Problem problem = refused.problem();
        SubmitBatchResponse.Builder response = SubmitBatchResponse.newBuilder().setTag(request.getTag());
        SubmitItem item = SubmitItem.newBuilder().setProblem(problem).build();
        for (int i = 0; i < Math.max(1, request.getJobsCount()); i++) {
            response.addItems(item);
        }
        return response.build();
    }

    /** Sends what is answered, in order, as far as the caller reads; asks for the next batch when there is room. */
    private void pump() {
        while (!closed
                && out.isReady()
                && !underWay.isEmpty()
                && underWay.peek().answer().isDone()) {
            Batch batch = underWay.remove();
            bytesUnderWay -= batch.bytes();
            out.onNext(batch.answer().join());
        }
        if (closed) {
            return;
        }
        if (over != null) {
            if (underWay.isEmpty()) {
                closed = true;
                out.onError(Replies.status(call, over));
            }
        } else if (complete && underWay.isEmpty()) {
            closed = true;
            out.onCompleted();
        } else if (!complete && !asked && underWay.size() < BATCHES_MAX && bytesUnderWay < BYTES_MAX) {
            asked = true;
            out.request(1);
        }
    }

    @Override
    public void onError(Throwable failure) {
        closed = true;
    }

    @Override
    public void onCompleted() {
        complete = true;
        pump();
    }
}
