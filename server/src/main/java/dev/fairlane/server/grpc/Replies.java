package dev.fairlane.server.grpc;

import dev.fairlane.protocol.ProblemStatus;
import dev.fairlane.server.api.Call;
import dev.fairlane.server.fault.Faults;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The way back to a gRPC caller. */
final class Replies {
    private Replies() {}

    /** Answers a call with the outcome of a deed, on the call's executor. */
    static <R> void answer(StreamObserver<R> observer, Function<Call, CompletableFuture<R>> deed) {
        Call call = GrpcGate.current();
        ((ServerCallStreamObserver<R>) observer)
                .setOnCancelHandler(() -> {}); // late answers are then dropped, not thrown
        CompletableFuture<R> outcome;
        try {
            outcome = deed.apply(call);
        } catch (RuntimeException e) {
            observer.onError(status(call, e));
            return;
        }
        outcome.whenComplete((value, failure) -> {
            if (failure == null) {
                observer.onNext(value);
                observer.onCompleted();
            } else {
                call.executor().execute(() -> observer.onError(status(call, failure)));
            }
        });
    }

    static StatusRuntimeException status(Call call, Throwable failure) {
        return ProblemStatus.toStatus(Faults.of(failure, call.traceId()).problem(), call.traceId());
    }
}
