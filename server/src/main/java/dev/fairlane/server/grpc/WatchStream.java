package dev.fairlane.server.grpc;

import dev.fairlane.protocol.v1.Job;
import dev.fairlane.protocol.v1.WatchJobRequest;
import dev.fairlane.server.api.Call;
import dev.fairlane.server.api.JobCalls;
import dev.fairlane.server.api.JobWatch;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import org.jspecify.annotations.Nullable;

/** A watch as a gRPC stream. */
final class WatchStream implements JobWatch.Sink {
    private final Call call;
    private final ServerCallStreamObserver<Job> out;
    private @Nullable JobWatch watch;

    private WatchStream(Call call, ServerCallStreamObserver<Job> out) {
        this.call = call;
        this.out = out;
    }

    static void open(JobCalls jobs, WatchJobRequest request, StreamObserver<Job> observer) {
        var out = (ServerCallStreamObserver<Job>) observer;
        WatchStream stream = new WatchStream(GrpcGate.current(), out);
        out.setOnReadyHandler(stream::resume);
        out.setOnCancelHandler(stream::cancel);
        try {
            stream.watch = jobs.watch(stream.call, request, stream);
        } catch (RuntimeException e) {
            out.onError(Replies.status(stream.call, e));
        }
    }

    @Override
    public boolean ready() {
        return out.isReady();
    }

    @Override
    public void job(Job job) {
        out.onNext(job);
    }

    @Override
    public void end(@Nullable Throwable failure) {
        if (failure == null) {
            out.onCompleted();
        } else {
            out.onError(Replies.status(call, failure));
        }
    }

    private void resume() {
        if (watch != null) {
            watch.resume();
        }
    }

    private void cancel() {
        if (watch != null) {
            watch.close();
        }
    }
}
