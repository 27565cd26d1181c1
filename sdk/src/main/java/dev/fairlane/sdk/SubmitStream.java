package dev.fairlane.sdk;

import dev.fairlane.protocol.v1.JobsGrpc;
import dev.fairlane.protocol.v1.NewJob;
import dev.fairlane.protocol.v1.SubmitBatchRequest;
import dev.fairlane.protocol.v1.SubmitBatchResponse;
import dev.fairlane.sdk.internal.Backoff;
import dev.fairlane.sdk.internal.Connections;
import dev.fairlane.sdk.internal.Errors;
import dev.fairlane.sdk.internal.OneByOne;
import dev.fairlane.sdk.internal.Rpc;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
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
    /** Under the server's 8 MiB a call. */
    static final int BATCH_BYTES_MAX = 6 << 20;

    private static final Consumer<Batch> NOBODY = batch -> {};

    private final Fairlane fairlane;
    private final int batchSize;
    private final int window;
    private final Consumer<Batch> onBatch;
    private final Rpc rpc;
    private final long answerWithinNanos;
    private final Backoff backoff = new Backoff(20, 1_000);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();

    private final ArrayDeque<Batch> underWay = new ArrayDeque<>();
    private long bytesUnderWay;
    /** Answers come in on the network thread, which all streams of the connection share: it does not wait for callbacks. */
    private final OneByOne<Batch> telling = new OneByOne<>("fairlane-submit-stream", this::callBack);

    private List<Job> gathered;
    private SubmitBatchRequest.Builder gathering = SubmitBatchRequest.newBuilder();
    private long gatheredBytes;
    private long lastTag;
    /** Batches whose callback has not returned yet. */
    private int unanswered;

    private boolean halfClosed;
    private @Nullable FairlaneException broken;

    private Answers answers = new Answers();
    private ClientCallStreamObserver<SubmitBatchRequest> requests;
    /** Between two connections: what is to be sent waits in {@link #underWay}. */
    private boolean resuming;
    /** No answer came in time: no further connection is tried. */
    private boolean givenUp;
    /** When the first of the failures since the last answer was; null after an answer. */
    private @Nullable Long failingSinceNanos;

    private SubmitStream(Builder builder) {
        this.fairlane = builder.fairlane;
        this.batchSize = builder.batchSize;
        this.window = Math.min(builder.window, Connections.STREAM_BATCHES_MAX);
        this.onBatch = builder.onBatch;
        this.gathered = new ArrayList<>(batchSize);
        this.rpc = fairlane.openStream();
        this.answerWithinNanos = builder.answerWithin.toNanos();
        lock.lock();
        try {
            this.requests = open(rpc, answers);
        } finally {
            lock.unlock();
        }
        fairlane.belongings().add(this);
    }

    private static ClientCallStreamObserver<SubmitBatchRequest> open(Rpc rpc, Answers answers) {
        ClientCall<SubmitBatchRequest, SubmitBatchResponse> call =
                rpc.channel().newCall(JobsGrpc.getSubmitStreamMethod(), CallOptions.DEFAULT);
        return (ClientCallStreamObserver<SubmitBatchRequest>) ClientCalls.asyncBidiStreamingCall(call, answers);
    }

    /**
     * Adds a job; blocks while the window is full. May be called from several threads.
     *
     * @throws FairlaneException if the stream is broken
     */
    public void submit(Job job) {
        NewJob encoded = fairlane.encode(job);
        lock.lock();
        try {
            add(job, encoded);
            transmitIfDue();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Adds jobs that are at hand together. One by one the first would go out alone where nothing is under way, and the others would wait
     * for its answer; together they fill their batches. Blocks while the window is full. May be called from several threads.
     *
     * @throws FairlaneException if the stream is broken; some of the jobs may then have been sent, which the callback is told of
     */
    public void submit(List<Job> jobs) {
        List<Job> given = List.copyOf(jobs);
        List<NewJob> encoded = given.stream().map(fairlane::encode).toList();
        lock.lock();
        try {
            for (int i = 0; i < given.size(); i++) {
                add(given.get(i), encoded.get(i));
                if (gathered.size() >= batchSize) {
                    transmitIfDue();
                }
            }
            transmitIfDue();
        } finally {
            lock.unlock();
        }
    }

    /** With the lock. Waits for room where what has gathered has to go out first. */
    private void add(Job job, NewJob encoded) {
        int bytes = encoded.getSerializedSize();
        while (broken == null && !gathered.isEmpty() && !fits(bytes)) {
            if (room()) {
                transmit();
            } else {
                awaitMove();
            }
        }
        failIfOver();
        gathering.addJobs(encoded);
        gathered.add(job);
        gatheredBytes += bytes;
    }

    /**
     * Sends what has gathered and waits until everything was answered.
     *
     * @throws FairlaneException if the stream broke
     */
    public void flush() {
        lock.lock();
        try {
            while ((unanswered > 0 || !gathered.isEmpty()) && broken == null) {
                if (!gathered.isEmpty() && room()) {
                    transmit();
                } else {
                    awaitMove();
                }
            }
            if (broken != null) {
                throw broken;
            }
        } finally {
            lock.unlock();
        }
    }

    /** {@linkplain #flush Flushes} and ends the stream. */
    @Override
    public void close() {
        try {
            if (!over()) {
                flush();
                halfClose();
            }
        } finally {
            fairlane.belongings().remove(this);
            rpc.close();
        }
    }

    /** Breaks it without waiting for anything, because its client is closed. */
    void abandon() {
        lock.lock();
        try {
            givenUp = true;
            if (broken == null && !(halfClosed && underWay.isEmpty())) {
                breakOff(new FairlaneException.Unavailable("CLIENT_CLOSED", "the client was closed", null, null));
            }
            requests.cancel("the client was closed", null);
        } finally {
            lock.unlock();
        }
        fairlane.belongings().remove(this);
        rpc.close();
    }

    /** With the lock. An answer that does not come for too long breaks the stream; an interrupt is kept for the caller. */
    @SuppressWarnings("WaitNotInLoop") // the callers loop, each with its own condition
    private void awaitMove() {
        Batch oldest = underWay.peek();
        long left = answerWithinNanos - (oldest == null ? 0 : System.nanoTime() - oldest.sentNanos);
        if (left <= 0 && !givenUp) {
            givenUp = true;
            requests.cancel("no answer for " + TimeUnit.NANOSECONDS.toSeconds(answerWithinNanos) + " s", null);
            Thread.ofVirtual().start(rpc::renew); // it may end others' calls, which take their own locks
            if (broken != null) {
                return; // a call that never had a connection ends within the cancel
            }
        }
        boolean interrupted = Thread.interrupted();
        try {
            moved.awaitNanos(left > 0 ? left : answerWithinNanos);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean over() {
        lock.lock();
        try {
            return halfClosed || broken != null;
        } finally {
            lock.unlock();
        }
    }

    private void halfClose() {
        lock.lock();
        try {
            halfClosed = true;
            if (!resuming) {
                requests.onCompleted();
            }
        } finally {
            lock.unlock();
        }
    }

    private void failIfOver() {
        if (broken != null) {
            throw broken;
        }
        if (halfClosed) {
            throw new IllegalStateException("this stream is closed");
        }
    }

    private boolean fits(int bytes) {
        return gathered.size() < batchSize && gatheredBytes + bytes <= BATCH_BYTES_MAX;
    }

    /** With the lock. Callbacks that do not keep up hold back everybody but themselves. */
    private boolean room() {
        return underWay.size() < window
                && bytesUnderWay < Connections.STREAM_BYTES_MAX
                && (telling.waiting() <= window || telling.within());
    }

    /** With the lock: a batch that is full, or at once when nothing is under way. */
    private void transmitIfDue() {
        if (broken == null && !gathered.isEmpty() && (underWay.isEmpty() || gathered.size() >= batchSize) && room()) {
            transmit();
        }
    }

    /** With the lock, and room in the window. */
    private void transmit() {
        SubmitBatchRequest request = gathering
                .setTag(++lastTag)
                .setRequestId(fairlane.nextRequestId())
                .build();
        underWay.add(new Batch(fairlane, lastTag, gathered, gatheredBytes, request, System.nanoTime()));
        bytesUnderWay += gatheredBytes;
        unanswered++;
        gathering = SubmitBatchRequest.newBuilder();
        gathered = new ArrayList<>(batchSize);
        gatheredBytes = 0;
        if (!resuming) {
            requests.onNext(request);
        }
    }

    /** On the network thread, like everything that comes from the server: it must not block. */
    private void answered(SubmitBatchResponse response, Answers from) {
        lock.lock();
        try {
            if (from != answers || broken != null) {
                return; // of a connection that was given up
            }
            failingSinceNanos = null;
            backoff.reset();
            Batch batch = underWay.poll();
            if (batch == null || batch.tag != response.getTag() || response.getItemsCount() != batch.size()) {
                throw new IllegalStateException("expected the answer to batch "
                        + (batch == null ? "none" : batch.tag + " of " + batch.size()) + ", but got "
                        + response.getTag() + " of " + response.getItemsCount());
            }
            bytesUnderWay -= batch.bytes;
            batch.answer = response;
            transmitIfDue();
            tell(batch);
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void broke(FairlaneException failure, Answers from) {
        lock.lock();
        try {
            if (from != answers || broken != null || (halfClosed && underWay.isEmpty())) {
                return;
            }
            if (worthAnotherTry(failure)) {
                resuming = true;
                Thread.ofVirtual().name("fairlane-submit-stream").start(() -> resume(failure, from));
                return;
            }
            breakOff(failure);
        } finally {
            lock.unlock();
        }
    }

    /** With the lock. */
    private void breakOff(FairlaneException failure) {
        broken = failure;
        List<Batch> lost = new ArrayList<>(underWay);
        underWay.clear();
        bytesUnderWay = 0;
        if (!gathered.isEmpty()) {
            lost.add(new Batch(fairlane, ++lastTag, gathered, gatheredBytes, null, System.nanoTime()));
            gathered = new ArrayList<>();
            unanswered++;
        }
        for (Batch batch : lost) {
            batch.error = failure;
            tell(batch);
        }
        moved.signalAll();
    }

    /** With the lock. */
    private boolean worthAnotherTry(FairlaneException failure) {
        if (failingSinceNanos == null) {
            failingSinceNanos = System.nanoTime();
        }
        long within = Math.min(answerWithinNanos, Rpc.REPEATED_FOR.toNanos());
        return !givenUp
                && !rpc.closed()
                && (failure instanceof FairlaneException.Unavailable
                        || failure instanceof FairlaneException.LimitReached)
                && System.nanoTime() - failingSinceNanos < within;
    }

    /** Connects again and sends what has no answer, in its order. */
    private void resume(FairlaneException why, Answers from) {
        try {
            TimeUnit.NANOSECONDS.sleep(backoff.nextNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        rpc.hurry();
        lock.lock();
        try {
            if (givenUp || from != answers) {
                resuming = false;
            } else {
                answers = new Answers();
                resuming = false;
                requests = open(rpc, answers); // fails before it returns when the client was closed
                for (Batch batch : List.copyOf(underWay)) {
                    if (!resuming && batch.request != null) {
                        requests.onNext(batch.request);
                    }
                }
                if (halfClosed && !resuming) {
                    requests.onCompleted();
                }
                return;
            }
        } finally {
            lock.unlock();
        }
        broke(why, from);
    }

    /** With the lock. */
    private void tell(Batch batch) {
        batch.request = null;
        batch.elapsedNanos = System.nanoTime() - batch.sentNanos;
        if (onBatch == NOBODY) {
            unanswered--;
        } else {
            telling.add(batch);
        }
    }

    private void callBack(Batch batch) {
        try {
            onBatch.accept(batch);
        } catch (RuntimeException | Error e) {
            threw(e);
        }
        lock.lock();
        try {
            unanswered--;
            transmitIfDue();
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Nobody knows what a callback that throws has missed: the stream breaks. */
    private void threw(Throwable failure) {
        lock.lock();
        try {
            if (broken == null) {
                breakOff(new FairlaneException(
                        "CALLBACK_FAILED", "the callback of a batch threw " + failure, false, null, failure));
            }
            givenUp = true;
            requests.cancel("the callback of a batch failed", failure);
        } finally {
            lock.unlock();
        }
    }

    private final class Answers implements StreamObserver<SubmitBatchResponse> {
        @Override
        public void onNext(SubmitBatchResponse response) {
            answered(response, this);
        }

        @Override
        public void onError(Throwable failure) {
            broke(Errors.of(failure), this);
        }

        @Override
        public void onCompleted() {
            broke(new FairlaneException.Unavailable("UNAVAILABLE", "the server ended the stream", null, null), this);
        }
    }

    /** Some jobs that went out together, and what became of them. */
    public static final class Batch {
        private final Fairlane fairlane;
        private final long tag;
        private final List<Job> jobs;
        private final long bytes;
        private final long sentNanos;
        /** To be sent again; null when that is over. */
        private @Nullable SubmitBatchRequest request;

        private long elapsedNanos;
        private @Nullable SubmitBatchResponse answer;
        private @Nullable FairlaneException error;

        private Batch(
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
            if (answer == null) {
                return jobs.stream().map(job -> new SubmitResult(null, error)).toList();
            }
            String position = answer.getPosition();
            return answer.getItemsList().stream()
                    .map(item -> fairlane.result(item, position))
                    .toList();
        }
    }

    /** Options of a stream. */
    public static final class Builder {
        private final Fairlane fairlane;
        private int batchSize = 500;
        private int window = 16;
        private Duration answerWithin = Duration.ofSeconds(60);
        private Consumer<Batch> onBatch = NOBODY;

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
