package dev.fairlane.server.grpc;

import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The receiving end of a stream in a test: keeps what comes and tells how it ended. */
final class Ending<T> implements StreamObserver<T> {
    private final List<T> seen;
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    /** @param seen a list that may be written and read at once */
    Ending(List<T> seen) {
        this.seen = seen;
    }

    @Override
    public void onNext(T value) {
        seen.add(value);
    }

    @Override
    public void onError(Throwable thrown) {
        failure.complete(thrown);
        end.completeExceptionally(thrown);
    }

    @Override
    public void onCompleted() {
        end.complete(null);
    }

    /** Until the stream has ended well. */
    void await() {
        take(end);
    }

    /** Until the stream has failed. */
    Throwable failure() {
        return take(failure);
    }

    boolean ended() {
        return end.isDone();
    }

    private static <V> V take(CompletableFuture<V> future) {
        try {
            return future.get(60, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("the stream did not end as expected", e);
        }
    }
}
