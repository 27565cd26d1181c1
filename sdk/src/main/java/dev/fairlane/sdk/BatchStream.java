package dev.fairlane.sdk;

import dev.fairlane.protocol.v1.JobsGrpc;
import dev.fairlane.protocol.v1.NewJob;
import dev.fairlane.protocol.v1.SubmitBatchRequest;
import dev.fairlane.protocol.v1.SubmitBatchResponse;
import dev.fairlane.sdk.SubmitStream.Batch;
import dev.fairlane.sdk.internal.Backoff;
import dev.fairlane.sdk.internal.Connections;
import dev.fairlane.sdk.internal.Errors;
import dev.fairlane.sdk.internal.OneByOne;
import dev.fairlane.sdk.internal.Returning;
import dev.fairlane.sdk.internal.Rpc;
import dev.fairlane.sdk.internal.WakingLock;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The machine behind {@link SubmitStream} and {@link SingleSubmits}: batches on their way to the server, their answers, and what to do when those do not come.
 */
final class BatchStream {
    /** Under the server's 8 MiB a call. */
    static final int BATCH_BYTES_MAX = 6 << 20;

    static final Consumer<Batch> NOBODY = batch -> {};

    /** Code of what was cut off because the client was closed. */
    static final String CLIENT_CLOSED = "CLIENT_CLOSED";

    /** What {@link #offer} says of a job it did not take. */
    private static final long NOT_TAKEN = -1;

    private static final CallOptions ON_NETWORK_THREAD = CallOptions.DEFAULT.withExecutor(Runnable::run);

    private final Fairlane fairlane;
    private final int batchSize;
    private final int window;
    private final Consumer<Batch> onBatch;
    /** See {@link BatchOptions}. */
    private final boolean eager;

    private final Rpc rpc;
    private final long answerWithinNanos;
    private final Backoff backoff = new Backoff(20, 1_000);

    private final WakingLock lock = new WakingLock();
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

    private boolean closing;
    private boolean halfClosed;
    private @Nullable FairlaneException broken;

    private Answers answers = new Answers();
    private ClientCallStreamObserver<SubmitBatchRequest> requests;
    /** Between two connections: what is to be sent waits in {@link #underWay}. */
    private boolean resuming;
    /** No answer came in time: no further connection is tried. */
    private boolean givenUp;
    /** For whoever waits for each job. */
    private final Returning returning = new Returning(System.nanoTime());
    /** Answers that came. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // written with the lock
    private volatile long heard;
    /** When the first of the failures since the last answer was; null after an answer. */
    private @Nullable Long failingSinceNanos;

    BatchStream(Fairlane fairlane, BatchOptions options) {
        this.fairlane = fairlane;
        this.batchSize = options.batchSize();
        this.window = Math.min(options.window(), Connections.STREAM_BATCHES_MAX);
        this.onBatch = options.onBatch();
        this.eager = options.eager();
        this.gathered = another();
        this.rpc = eager ? fairlane.openCalls() : fairlane.openStream();
        this.answerWithinNanos = options.answerWithin().toNanos();
        lock.lock();
        try {
            this.requests = open(rpc, eager, answers);
        } finally {
            lock.unlock();
        }
        fairlane.belongings().add(this);
    }

    private static ClientCallStreamObserver<SubmitBatchRequest> open(Rpc rpc, boolean eager, Answers answers) {
        ClientCall<SubmitBatchRequest, SubmitBatchResponse> call = rpc.channel()
                .newCall(JobsGrpc.getSubmitStreamMethod(), eager ? ON_NETWORK_THREAD : CallOptions.DEFAULT);
        return (ClientCallStreamObserver<SubmitBatchRequest>) ClientCalls.asyncBidiStreamingCall(call, answers);
    }

    /** Wakes who waits for an answer, once the lock is free. With the lock. */
    void wake(Thread waiter) {
        lock.wake(waiter);
    }

    /** See {@link SubmitStream#submit(Job)}. */
    void submit(Job job) {
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
     * Adds a job where there is room for it, without waiting. It may be kept back for a moment when others are about to come: whoever is told
     * for how many nanoseconds has to {@linkplain #hurry hurry} the stream then.
     *
     * @param added runs when the job has its place among those to be sent, with the lock: before the callback can hear of its batch
     * @return negative when there is no room, or the stream is broken
     */
    long offer(Job job, NewJob encoded, Runnable added) {
        lock.lock();
        try {
            boolean full = !gathered.isEmpty() && !fits(encoded.getSerializedSize());
            if (over() || givenUp || closing || (full && !room())) {
                return NOT_TAKEN;
            }
            add(job, encoded);
            added.run();
            long now = System.nanoTime();
            long moment = returning.came(!underWay.isEmpty(), now);
            if (moment == 0 || gathered.size() >= batchSize) {
                sendNow();
                return 0;
            }
            return returning.keepBack(moment, now) ? moment : 0;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends what was kept back for long enough.
     *
     * @param now however long that was
     */
    void hurry(boolean now) {
        lock.lock();
        try {
            if (now || returning.keptLongEnough(System.nanoTime())) {
                sendNow();
            }
        } finally {
            lock.unlock();
        }
    }

    /** With the lock. What finds no room goes with the next answer, without being kept back for anybody. */
    private void sendNow() {
        returning.letGo();
        transmitIfDue();
    }

    /** See {@link SubmitStream#submit(List)}. */
    void submit(List<Job> jobs) {
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

    /** See {@link SubmitStream#flush}. */
    void flush() {
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

    /** See {@link SubmitStream#close}. */
    void close() {
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

    /** Its client is about to be closed: callers who wait for each job bring no more. */
    void closing() {
        lock.lock();
        try {
            closing = true;
            sendNow();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Breaks it, because its client is closed.
     *
     * @param endNanos until when one on which callers wait has time for its last answers, as calls have
     */
    void abandon(long endNanos) {
        lock.lock();
        try {
            if (eager) {
                awaitLastAnswers(endNanos);
            }
            givenUp = true;
            if (broken == null && !(halfClosed && underWay.isEmpty())) {
                breakOff(new FairlaneException.Unavailable(CLIENT_CLOSED, "the client was closed", null, null));
            }
            requests.cancel("the client was closed", null);
        } finally {
            lock.unlock();
        }
        fairlane.belongings().remove(this);
        rpc.close();
    }

    /** With the lock. */
    private void awaitLastAnswers(long endNanos) {
        long left = endNanos - System.nanoTime();
        try {
            while ((unanswered > 0 || !gathered.isEmpty()) && broken == null && left > 0) {
                left = moved.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** With the lock. An answer that does not come for too long breaks the stream; an interrupt is kept for the caller. */
    @SuppressWarnings("WaitNotInLoop") // the callers loop, each with its own condition
    private void awaitMove() {
        long left = giveUpIfSilent();
        if (broken != null) {
            return; // a call that never had a connection ends within the cancel
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

    /** With the lock. How long the oldest answer may still take; when that is over, so is the stream. */
    private long giveUpIfSilent() {
        Batch oldest = underWay.peek();
        long left = answerWithinNanos - (oldest == null ? 0 : System.nanoTime() - oldest.sentNanos);
        if (left <= 0) {
            giveUp("no answer for " + TimeUnit.NANOSECONDS.toSeconds(answerWithinNanos) + " s");
        }
        return left;
    }

    /** How many answers came. */
    long heard() {
        return heard;
    }

    /** For whoever has waited too long: the stream is over if not even an answer to others came since that many. */
    void doubt(long heardBefore) {
        lock.lock();
        try {
            if (!underWay.isEmpty() && heard == heardBefore) {
                giveUp("no answer");
            }
        } finally {
            lock.unlock();
        }
    }

    /** With the lock. */
    private void giveUp(String why) {
        if (!givenUp) {
            givenUp = true;
            requests.cancel(why, null);
            Thread.ofVirtual().start(rpc::renew); // it may end others' calls, which take their own locks
        }
    }

    /** Broken or closed. */
    boolean over() {
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
        boolean due = eager || underWay.isEmpty() || gathered.size() >= batchSize;
        if (broken == null && !gathered.isEmpty() && due && room()) {
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
        gathered = another();
        gatheredBytes = 0;
        returning.letGo();
        if (!resuming && !givenUp) {
            requests.onNext(request);
        }
    }

    private List<Job> another() {
        return eager ? new ArrayList<>() : new ArrayList<>(batchSize);
    }

    /** On the network thread, like everything that comes from the server: it must not block. */
    private void answered(SubmitBatchResponse response, Answers from) {
        lock.lock();
        try {
            if (from != answers || broken != null) {
                return; // of a connection that was given up
            }
            Batch batch = underWay.peek();
            if (batch == null || batch.tag != response.getTag() || response.getItemsCount() != batch.size()) {
                givenUp = true;
                breakOff(new FairlaneException(
                        "PROTOCOL_VIOLATION",
                        "expected the answer to batch " + (batch == null ? "none" : batch.tag + " of " + batch.size())
                                + ", but got " + response.getTag() + " of " + response.getItemsCount(),
                        false,
                        null,
                        null));
                requests.cancel("an answer to something else", null);
                return;
            }
            failingSinceNanos = null;
            backoff.reset();
            heard++;
            if (eager) {
                returning.answered(batch.size(), System.nanoTime());
            }
            underWay.remove();
            bytesUnderWay -= batch.bytes;
            batch.answer = response;
            if (!returning.keepsBack()) {
                transmitIfDue();
            }
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
                && Rpc.worthAnotherTry(failure)
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
                requests = open(rpc, eager, answers); // fails before it returns when the client was closed
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
        batch.elapsedNanos = System.nanoTime() - batch.sentNanos;
        if (eager) {
            unanswered--;
            onBatch.accept(batch);
            return;
        }
        batch.request = null;
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
}
