package dev.fairlane.sdk;

import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.v1.JobsGrpc;
import dev.fairlane.protocol.v1.NewJob;
import dev.fairlane.protocol.v1.SubmitRequest;
import dev.fairlane.protocol.v1.SubmitResponse;
import dev.fairlane.sdk.internal.Backoff;
import dev.fairlane.sdk.internal.Rpc;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Submits of one job each, by any number of threads.
 *
 * <p>A few at once are calls. While {@link #CALLS_MAX} are under way others share a stream, on which a job costs a message instead of a call: each still goes
 * out at once and its caller still waits for its own answer. When {@link #UNDER_WAY_MAX} messages are under way, the jobs that come gather and
 * go together in the next. So one thread has the shortest way there is, and many cost little more than a bulk load.
 *
 * <p>What fails and may pass is tried again until the deadline, as a call is: where it may have been done, by its message under the id that had.
 */
final class SingleSubmits {
    /** So many at once are calls: on a stream with few others a job takes half a millisecond longer. */
    static final int CALLS_MAX = 3;

    /** Messages under way before jobs gather. */
    static final int UNDER_WAY_MAX = 4;

    /** Jobs of one message. */
    private static final int JOBS_MAX = 500;

    private final Fairlane fairlane;
    private final Rpc rpc;
    private final Duration deadline;
    private final Duration kept;
    private final AtomicInteger underWay = new AtomicInteger();
    private @Nullable Line line;

    /** @param kept for how long a stream stays open that nobody uses */
    SingleSubmits(Fairlane fairlane, Rpc rpc, Duration deadline, Duration kept) {
        this.fairlane = fairlane;
        this.rpc = rpc;
        this.deadline = deadline;
        this.kept = kept;
    }

    JobHandle submit(Job job) {
        boolean few = underWay.getAndIncrement() < CALLS_MAX;
        try {
            NewJob encoded = fairlane.encode(job);
            // Answers of a stream come in order, and one to a stored payload waits until that was found.
            return few || !encoded.getPayloadRef().isEmpty() ? call(encoded, deadline) : share(job, encoded);
        } finally {
            underWay.decrementAndGet();
        }
    }

    private JobHandle call(NewJob job, Duration within) {
        SubmitRequest request = SubmitRequest.newBuilder()
                .setJob(job)
                .setRequestId(fairlane.nextRequestId())
                .build();
        SubmitResponse answer = rpc.call(JobsGrpc.getSubmitMethod(), request, Rpc.Repeat.SAFE, within);
        return new JobHandle(
                fairlane,
                answer.getId(),
                JobInfo.state(answer.getState()),
                answer.getExisting(),
                answer.getDegraded(),
                answer.getPosition());
    }

    /** Over the stream, if it has room. */
    JobHandle share(Job job, NewJob encoded) {
        long end = System.nanoTime() + answerWithin().toNanos();
        Answer answer = new Answer(Thread.currentThread());
        Line shared = enter();
        long heard = shared.stream.heard();
        try {
            long moment = shared.take(job, encoded, answer);
            if (moment < 0) {
                dropIfBroken(shared);
                return call(encoded, deadline);
            }
            if (moment > 0) {
                boolean waited = false;
                try {
                    answer.cameBefore(System.nanoTime() + moment);
                    waited = true;
                } finally {
                    shared.stream.hurry(!waited);
                }
            }
            if (!answer.cameBefore(end)) {
                shared.stream.doubt(heard);
                throw new FairlaneException.TimedOut(
                        "DEADLINE_EXCEEDED", "no answer within " + deadline + "; the job may have been accepted", null);
            }
        } finally {
            leave(shared);
        }
        return settle(encoded, answer, end);
    }

    /** What a call would do about an answer that may not be the last word: repeats what may pass, under the same id where it may be done already. */
    private JobHandle settle(NewJob job, Answer answer, long end) {
        SubmitStream.Batch batch = Objects.requireNonNull(answer.batch);
        SubmitResult result = batch.result(answer.place);
        FairlaneException refusal = result.refusal();
        if (refusal != null && mayPass(refusal) && unknown(batch, refusal)) {
            pause(refusal, end);
            result = find(batch, answer.place, refusal, end);
            refusal = result.refusal();
        }
        if (refusal == null || !mayPass(refusal)) {
            return result.orThrow();
        }
        return call(job, pause(refusal, end));
    }

    private boolean mayPass(FairlaneException refusal) {
        return Rpc.worthAnotherTry(refusal) && !refusal.code().equals(BatchStream.CLIENT_CLOSED) && !rpc.closed();
    }

    private static boolean unknown(SubmitStream.Batch batch, FairlaneException refusal) {
        return batch.unknown() || refusal.code().equals(ErrorCode.OUTCOME_UNKNOWN.name());
    }

    private SubmitResult find(SubmitStream.Batch batch, int place, FairlaneException refusal, long end) {
        try {
            SubmitResult found = batch.find(place, rpc, end);
            if (found == null) {
                throw refusal;
            }
            return found;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw refusal;
        }
    }

    /**
     * @return what is left of the time
     * @throws FairlaneException the refusal, when nothing is, or the client was closed meanwhile
     */
    private Duration pause(FairlaneException refusal, long end) {
        long pause = Math.max(
                new Backoff(20, 20).nextNanos(),
                refusal.retryAfter().map(Duration::toNanos).orElse(0L));
        Duration left = Duration.ofNanos(end - System.nanoTime() - pause);
        if (!left.isPositive() || !Rpc.paused(pause) || rpc.closed()) {
            throw refusal;
        }
        return left;
    }

    /** No longer than the server is sure to know the id of a message. */
    private Duration answerWithin() {
        return deadline.compareTo(Rpc.REPEATED_FOR) < 0 ? deadline : Rpc.REPEATED_FOR;
    }

    private synchronized Line enter() {
        if (line == null) {
            Line opened = new Line(fairlane, answerWithin());
            line = opened;
            Thread.ofVirtual().name("fairlane-single-submits").start(() -> closeWhenIdle(opened));
        }
        line.users++;
        return line;
    }

    private synchronized void leave(Line left) {
        left.users--;
        left.usedNanos = System.nanoTime();
    }

    /** Whoever comes next opens another. */
    private void dropIfBroken(Line full) {
        if (!full.stream.over()) {
            return;
        }
        synchronized (this) {
            if (line == full) {
                line = null;
            }
        }
        full.stream.close();
    }

    private void closeWhenIdle(Line watched) {
        while (Rpc.paused(kept.toNanos())) {
            synchronized (this) {
                if (line != watched) {
                    return;
                }
                if (watched.users == 0 && System.nanoTime() - watched.usedNanos >= kept.toNanos()) {
                    line = null;
                    break;
                }
            }
        }
        try {
            watched.stream.close();
        } catch (FairlaneException broken) {
            // Who waited on it was told, or had stopped waiting.
        }
    }

    /** A stream, and who waits for what went over it, in the order in which it went. */
    private static final class Line {
        final BatchStream stream;
        /** With the stream's lock. */
        final ArrayDeque<Answer> waiting = new ArrayDeque<>();

        int users;
        long usedNanos;

        Line(Fairlane fairlane, Duration answerWithin) {
            stream = new BatchStream(
                    fairlane, new BatchOptions(JOBS_MAX, UNDER_WAY_MAX, answerWithin, this::answered, true));
        }

        /** @return as {@link BatchStream#offer} */
        long take(Job job, NewJob encoded, Answer answer) {
            return stream.offer(job, encoded, () -> waiting.add(answer));
        }

        private void answered(SubmitStream.Batch batch) {
            for (int i = 0; i < batch.size(); i++) {
                Answer answer = waiting.remove();
                answer.tell(batch, i);
                stream.wake(answer.waiter);
            }
        }
    }

    /** Handed from the network thread to the one that waits for it. */
    private static final class Answer {
        private final Thread waiter;
        private int place;
        private volatile SubmitStream.@Nullable Batch batch;

        Answer(Thread waiter) {
            this.waiter = waiter;
        }

        void tell(SubmitStream.Batch answered, int at) {
            place = at;
            batch = answered;
        }

        boolean cameBefore(long end) {
            for (long left = end - System.nanoTime(); batch == null && left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(this, left);
                if (Thread.currentThread().isInterrupted() && batch == null) {
                    throw new FairlaneException.Unavailable(
                            "CANCELLED", "interrupted before the answer; the job may have been accepted", null, null);
                }
            }
            return batch != null;
        }
    }
}
