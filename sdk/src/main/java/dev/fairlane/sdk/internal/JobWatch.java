package dev.fairlane.sdk.internal;

import dev.fairlane.protocol.v1.Job;
import dev.fairlane.protocol.v1.JobState;
import dev.fairlane.protocol.v1.JobsGrpc;
import dev.fairlane.protocol.v1.WatchJobRequest;
import dev.fairlane.sdk.FairlaneException;
import io.grpc.CallOptions;
import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The changes of one job as they come, over lost connections, until its end. */
public final class JobWatch extends Spliterators.AbstractSpliterator<Job> {
    private static final int TRIES_IN_A_ROW = 10;

    private final Rpc rpc;
    private final WatchJobRequest request;
    private final Context.CancellableContext context = Context.ROOT.withCancellation();
    private final Backoff backoff = new Backoff(50, 2_000);
    private @Nullable Iterator<Job> changes;
    private @Nullable Job last;
    private int failures;

    private JobWatch(Rpc rpc, String id) {
        super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
        this.rpc = rpc;
        this.request = WatchJobRequest.newBuilder().setId(id).build();
    }

    public static Stream<Job> open(Rpc rpc, String id) {
        JobWatch watch = new JobWatch(rpc, id);
        return StreamSupport.stream(watch, false).onClose(() -> watch.context.cancel(null));
    }

    @Override
    public boolean tryAdvance(Consumer<? super Job> action) {
        while (!ended() && !context.isCancelled()) {
            Job next = next();
            // After a reconnect the first answer is often the job as it was.
            if (next != null && !next.equals(last)) {
                last = next;
                action.accept(next);
                return true;
            }
        }
        return false;
    }

    private @Nullable Job next() {
        try {
            Iterator<Job> from = changes;
            if (from == null) {
                from = connect();
                changes = from;
            }
            if (from.hasNext()) {
                failures = 0;
                backoff.reset();
                return from.next();
            }
            changes = null; // the server ended the stream before the job's end: look again
            lost(new FairlaneException.Unavailable("UNAVAILABLE", "the server ended the watch", null, null));
        } catch (StatusRuntimeException e) {
            changes = null;
            if (!context.isCancelled()) {
                lost(Errors.of(e));
            }
        }
        return null;
    }

    private Iterator<Job> connect() {
        Context before = context.attach();
        try {
            return ClientCalls.blockingServerStreamingCall(
                    rpc.channel(), JobsGrpc.getWatchMethod(), CallOptions.DEFAULT, request);
        } finally {
            context.detach(before);
        }
    }

    private void lost(FairlaneException failure) {
        if (!(failure instanceof FairlaneException.Unavailable) || rpc.closed() || ++failures >= TRIES_IN_A_ROW) {
            throw failure;
        }
        try {
            TimeUnit.NANOSECONDS.sleep(backoff.nextNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure;
        }
        rpc.hurry();
    }

    private boolean ended() {
        if (last == null) {
            return false;
        }
        JobState state = last.getState();
        return state == JobState.SUCCEEDED
                || state == JobState.DEAD
                || state == JobState.CANCELLED
                || state == JobState.EXPIRED;
    }
}
