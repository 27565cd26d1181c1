package dev.fairlane.sdk;

import dev.fairlane.protocol.v1.JobsGrpc;
import dev.fairlane.protocol.v1.SubmitBatchRequest;
import dev.fairlane.protocol.v1.SubmitBatchResponse;
import dev.fairlane.sdk.internal.Rpc;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Bulk load: jobs go out in batches over one stream, and one callback per batch says what became of them. Nothing is allocated per
 * job but its message.
 *
 * <p>A batch is sent when it is full, or at once when nothing is under way, so a slow trickle does not wait and a flood fills its
 * batches by itself; jobs that are at hand together are best {@linkplain #submit(List) submitted together}. At most
 * {@link Builder#window} batches are under way: beyond that {@link #submit(Job)} blocks, which is the backpressure.
 *
 * <p>A lost connection is made again, and every batch without an answer is sent again under the id it had: jobs that were accepted
 * before are found, not made twice. When that does not succeed within {@link Builder#answerWithin}, the stream breaks and stays broken: every
 * batch without an answer is handed to the callback with its {@link Batch#error}, and {@link #submit} throws. Such jobs may or may
 * not have been accepted; those with an idempotency key can simply be submitted again on a new stream.
 *
 * <p>The streams of a client and of its {@linkplain Fairlane#as views} share a connection, apart from the one for calls. They do not wait
 * for each other: none has more under way than the server is sure to read, so one whose batches are not answered, or whose callback does not
 * return, leaves nothing unread in the connection. When the connection is lost every stream goes on over the next one by itself.
 */
public final class SubmitStream implements AutoCloseable {
    private final BatchStream stream;

    private SubmitStream(Builder builder) {
        this.stream = new BatchStream(
                builder.fairlane,
                new BatchOptions(builder.batchSize, builder.window, builder.answerWithin, builder.onBatch, false));
    }

    /**
     * Adds a job; blocks while the window is full. May be called from several threads.
     *
     * @throws FairlaneException if the stream is broken
     */
    public void submit(Job job) {
        stream.submit(job);
    }

    /**
     * Adds jobs that are at hand together. One by one the first would go out alone where nothing is under way, and the others would wait
     * for its answer; together they fill their batches. Blocks while the window is full. May be called from several threads.
     *
     * @throws FairlaneException if the stream is broken; some of the jobs may then have been sent, which the callback is told of
     */
    public void submit(List<Job> jobs) {
        stream.submit(jobs);
    }

    /**
     * Sends what has gathered and waits until everything was answered.
     *
     * @throws FairlaneException if the stream broke
     */
    public void flush() {
        stream.flush();
    }

    /** {@linkplain #flush Flushes} and ends the stream. */
    @Override
    public void close() {
        stream.close();
    }

    /** Some jobs that went out together, and what became of them. */
    public static final class Batch {
        private final Fairlane fairlane;
        final long tag;
        private final List<Job> jobs;
        final long bytes;
        final long sentNanos;
        /** To be sent again; null when that is over, or it was never sent. */
        @Nullable SubmitBatchRequest request;

        long elapsedNanos;

        @Nullable SubmitBatchResponse answer;

        @Nullable FairlaneException error;
        /** The answer to the same batch sent once more in a call, when the stream had none. */
        private @Nullable SubmitBatchResponse found;

        private final ReentrantLock finding = new ReentrantLock();

        Batch(
                Fairlane fairlane,
                long tag,
                List<Job> jobs,
                long bytes,
                @Nullable SubmitBatchRequest request,
                long sentNanos) {
            this.fairlane = fairlane;
            this.tag = tag;
            this.jobs = jobs;
            this.bytes = bytes;
            this.request = request;
            this.sentNanos = sentNanos;
        }

        public int size() {
            return jobs.size();
        }

        /** The jobs as they were given. */
        public List<Job> jobs() {
            return List.copyOf(jobs);
        }

        /** From when the batch was sent until its answer came. */
        public Duration elapsed() {
            return Duration.ofNanos(elapsedNanos);
        }

        /** Why the batch as a whole has no answer; null when it has one. */
        public @Nullable FairlaneException error() {
            return error;
        }

        /** The id of an accepted job; empty when it was refused or there is no answer. */
        public String id(int index) {
            return answer == null ? "" : answer.getItems(index).getId();
        }

        /** Whether it is not known what became of the batch; it is if it was never sent. */
        boolean unknown() {
            return error != null && request != null;
        }

        /**
         * For who waited for one of them: sends the batch again under the id it had. The first who asks does so for all.
         *
         * @return null when there was no answer by then
         */
        @Nullable SubmitResult find(int index, Rpc calls, long endNanos) throws InterruptedException {
            if (!finding.tryLock(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                return null;
            }
            try {
                long left = endNanos - System.nanoTime();
                if (found == null && left > 0) {
                    found = calls.call(
                            JobsGrpc.getSubmitBatchMethod(),
                            Objects.requireNonNull(request),
                            Rpc.Repeat.SAFE,
                            Duration.ofNanos(left));
                }
                return found == null ? null : fairlane.result(found.getItems(index), found.getPosition());
            } finally {
                finding.unlock();
            }
        }

        /** What became of one of them. */
        SubmitResult result(int index) {
            return answer == null
                    ? new SubmitResult(null, error)
                    : fairlane.result(answer.getItems(index), answer.getPosition());
        }

        /** How many were accepted. */
        public int accepted() {
            if (answer == null) {
                return 0;
            }
            int accepted = 0;
            for (int i = 0; i < answer.getItemsCount(); i++) {
                if (!answer.getItems(i).hasProblem()) {
                    accepted++;
                }
            }
            return accepted;
        }

        /** One result per job, in order. */
        public List<SubmitResult> results() {
            return IntStream.range(0, size()).mapToObj(this::result).toList();
        }
    }

    /** Options of a stream. */
    public static final class Builder {
        private final Fairlane fairlane;
        private int batchSize = 500;
        private int window = 16;
        private Duration answerWithin = Duration.ofSeconds(60);
        private Consumer<Batch> onBatch = BatchStream.NOBODY;

        Builder(Fairlane fairlane) {
            this.fairlane = fairlane;
        }

        /** Most jobs of one batch, 1 to 1,000. Default 500. */
        public Builder batchSize(int batchSize) {
            if (batchSize < 1 || batchSize > Fairlane.BATCH_JOBS_MAX) {
                throw new IllegalArgumentException("expected a batch size of 1 to 1,000, but got " + batchSize);
            }
            this.batchSize = batchSize;
            return this;
        }

        /** Most batches under way. Default 16, which is as many as the server takes: more count as 16. */
        public Builder window(int window) {
            if (window < 1) {
                throw new IllegalArgumentException("expected a window of at least 1, but got " + window);
            }
            this.window = window;
            return this;
        }

        /** How long the answer to a batch may take before the stream counts as broken. Default 60 s. */
        public Builder answerWithin(Duration answerWithin) {
            this.answerWithin = answerWithin;
            return this;
        }

        /**
         * Called once per batch, one at a time, in order, on a virtual thread of the SDK. It may submit more jobs to this stream; what
         * it does slowly holds back this stream alone. One that throws breaks the stream.
         */
        public Builder onBatch(Consumer<Batch> onBatch) {
            this.onBatch = onBatch;
            return this;
        }

        /** Opens the stream. Like connecting, this does not wait for the server. */
        public SubmitStream open() {
            return new SubmitStream(this);
        }
    }
}
