package dev.fairlane.server.api;

import dev.fairlane.core.model.JobView;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.v1.Job;
import dev.fairlane.runtime.Node;
import dev.fairlane.server.fault.Refused;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A watch on its way to one reader. What the reader has not taken yet waits here; for one that is slow the oldest images go first, so it
 * always ends with the newest. Everything happens on the call's executor.
 */
public final class JobWatch implements AutoCloseable {
    private static final int PENDING_MAX = 64;

    /** The reader's end. */
    public interface Sink {
        /** Whether it takes another one now; {@link JobWatch#resume} when it does again. */
        boolean ready();

        void job(Job job);

        /** @param failure null when the job is at its end */
        void end(@Nullable Throwable failure);
    }

    private final Executor executor;
    private final Function<JobView, Job> form;
    private final Sink sink;
    private final Runnable onClose;
    private final ArrayDeque<JobView> pending = new ArrayDeque<>();
    private Node.@Nullable Watch watch;
    private boolean over;
    private boolean closed;
    private @Nullable Throwable failure;

    JobWatch(Executor executor, Function<JobView, Job> form, Sink sink, Runnable onClose) {
        this.executor = executor;
        this.form = form;
        this.sink = sink;
        this.onClose = onClose;
    }

    /** @param begin begins the watch at the node */
    void start(Function<Consumer<JobView>, Node.Watch> begin) {
        Node.Watch begun = begin.apply(view -> executor.execute(() -> take(view)));
        watch = begun;
        begun.done()
                .whenCompleteAsync(
                        (found, thrown) -> {
                            over = true;
                            failure = thrown != null
                                    ? thrown
                                    : found
                                            ? null
                                            : Refused.of(ErrorCode.JOB_NOT_FOUND, ErrorCode.JOB_NOT_FOUND.title());
                            resume();
                        },
                        executor);
    }

    /** Gives the reader what it takes. */
    public void resume() {
        while (!closed && !pending.isEmpty() && sink.ready()) {
            sink.job(form.apply(pending.remove()));
        }
        if (!closed && over && pending.isEmpty()) {
            close();
            sink.end(failure);
        }
    }

    /** The reader is gone, or served. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            pending.clear();
            onClose.run();
            if (watch != null) {
                watch.close();
            }
        }
    }

    private void take(JobView view) {
        if (closed) {
            return;
        }
        if (pending.size() == PENDING_MAX) {
            pending.remove();
        }
        pending.add(view);
        resume();
    }
}
