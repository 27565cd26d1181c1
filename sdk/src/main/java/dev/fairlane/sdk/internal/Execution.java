package dev.fairlane.sdk.internal;

import com.google.protobuf.ByteString;
import dev.fairlane.protocol.v1.Lease;
import dev.fairlane.protocol.v1.LeaseProgress;
import dev.fairlane.protocol.v1.Success;
import dev.fairlane.protocol.v1.WorkerFailure;
import dev.fairlane.sdk.FairlaneException;
import dev.fairlane.sdk.HandOverException;
import dev.fairlane.sdk.LeaseLostException;
import dev.fairlane.sdk.NonRetryableException;
import dev.fairlane.sdk.Payload;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * One leased job in this process, from its lease to the ack of its result.
 *
 * <pre>
 *   RUNNING ──handler ended, or its time is over──► ENDING ──outcome is set──► ENDED (kept until acked)
 *      └──────lease revoked or run out────────────► DROPPED (interrupted; whatever it returns is thrown away)
 * </pre>
 *
 * Fields under "loop" belong to the worker's loop thread alone; the change of state is one compare-and-set, so whoever ends the
 * execution does it once.
 */
final class Execution extends LeasedJob implements Runnable {
    private static final int PROGRESS_CHARS_MAX = 200;

    static final int RUNNING = 0;
    static final int ENDING = 1;
    static final int ENDED = 2;
    static final int DROPPED = 3;

    private static final VarHandle STATE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(Execution.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final @Nullable BoundHandler<?> handler;

    @SuppressWarnings("UnusedVariable") // through STATE
    private volatile int state = RUNNING;

    /** Link in the outbox. */
    @Nullable Execution next;

    private @Nullable Thread thread;
    private @Nullable Success success;
    private @Nullable WorkerFailure failure;
    private volatile boolean cancelled;
    private volatile boolean timedOut;
    private volatile boolean stopping;
    volatile long leaseEndNanos;
    private @Nullable List<Runnable> cancelActions;

    private volatile @Nullable LeaseProgress progress;
    private volatile boolean handOverAsked;
    private volatile boolean handedOver;
    private volatile boolean checkpointed;

    // loop
    private @Nullable LeaseProgress progressSent;
    long firstBeat;
    boolean startedSent;
    boolean interruptedForCancel;
    long cancelSeenNanos;

    Execution(Lease lease, @Nullable BoundHandler<?> handler, Executions owner) {
        super(lease, owner);
        this.handler = handler;
        this.leaseEndNanos = receivedNanos + leaseNanos;
    }

    /** Before anybody else sees this execution. */
    void runsOn(Thread virtual) {
        this.thread = virtual;
    }

    @Override
    public void run() {
        try {
            if (handler == null) {
                throw new IllegalStateException("this worker has no handler for type '" + lease.getType() + "'");
            }
            Object result = handler.run(this, owner.codec(), payload(), lease.getContentType());
            succeed(owner.codec().encode(result));
        } catch (Throwable thrown) {
            fail(thrown);
        }
    }

    private void succeed(Codec.Encoded result) {
        if (timedOut) {
            end(null, Outcomes.timedOut(ref(), lease.getTimeLimitMs(), ""));
        } else {
            Success.Builder done = Success.newBuilder().setLease(ref());
            if (result.bytes().size() > Outcomes.RESULT_BYTES_MAX) {
                done.setResultRef(saved(result.bytes().toByteArray()))
                        .setResultBytes(result.bytes().size());
            } else if (!result.bytes().isEmpty()) {
                done.setResult(result.bytes());
            }
            if (!result.contentType().isEmpty()) {
                done.setContentType(result.contentType());
            }
            end(done.build(), null);
        }
    }

    /** One that is too large for the server is too large on every attempt. */
    private String saved(byte[] result) {
        try {
            return owner.bytes().saveResult(id(), key.token(), result);
        } catch (FairlaneException.Conflict refused) {
            owner.lost(this);
            throw refused;
        } catch (FairlaneException.Invalid tooLarge) {
            throw new NonRetryableException(
                    "the result of " + result.length + " bytes is not taken: " + tooLarge.getMessage());
        }
    }

    private void fail(Throwable thrown) {
        if (thrown instanceof HandOverException && !timedOut) {
            handOverNow();
        } else if (timedOut) {
            end(null, Outcomes.timedOut(ref(), lease.getTimeLimitMs(), ""));
        } else if (stopping && !cancelled) {
            end(null, Outcomes.givenBack(ref()));
        } else {
            end(null, Outcomes.thrown(ref(), thrown));
        }
    }

    private void handOverNow() {
        if (STATE.compareAndSet(this, RUNNING, ENDING)) {
            handedOver = true;
            STATE.setRelease(this, ENDED);
            owner.ended(this);
        }
    }

    /** It shall make room for others when it can. */
    void askHandOver() {
        handOverAsked = true;
    }

    /** Whether its outcome is that another goes on with it. */
    boolean handedOver() {
        return handedOver;
    }

    /** Sets the outcome unless somebody was faster. */
    private void end(@Nullable Success success, @Nullable WorkerFailure failure) {
        if (STATE.compareAndSet(this, RUNNING, ENDING)) {
            this.success = success;
            this.failure = failure;
            STATE.setRelease(this, ENDED);
            owner.ended(this);
        }
    }

    boolean running() {
        return (int) STATE.getOpaque(this) == RUNNING;
    }

    /** Whether there is an outcome to be told. */
    boolean ended() {
        return (int) STATE.getAcquire(this) == ENDED;
    }

    /** The lease is lost: stop, and forget what comes out. */
    boolean drop() {
        boolean dropped = STATE.compareAndSet(this, RUNNING, DROPPED);
        if (dropped) {
            interrupt();
        }
        return dropped;
    }

    /** First step at the time limit: tell the handler. */
    void timeOut() {
        timedOut = true;
        interrupt();
    }

    boolean timedOut() {
        return timedOut;
    }

    /** Second step: the handler did not listen, so the server is told without it. */
    void endWithoutHandler() {
        end(null, Outcomes.timedOut(ref(), lease.getTimeLimitMs(), ", and the handler did not stop when interrupted"));
    }

    /** The worker must go. */
    void stop() {
        stopping = true;
        interrupt();
    }

    void interrupt() {
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }

    /** @return the actions to run; null when the cancel was known already */
    @Nullable List<Runnable> cancel() {
        synchronized (this) {
            if (cancelled) {
                return null;
            }
            cancelled = true;
            List<Runnable> actions = cancelActions;
            cancelActions = null;
            return actions == null ? List.of() : actions;
        }
    }

    @Nullable Success success() {
        return success;
    }

    @Nullable WorkerFailure failed() {
        return failure;
    }

    /** Bytes this outcome adds to a report, roughly. */
    int outcomeBytes() {
        Success done = success;
        ByteString body = done == null ? ByteString.EMPTY : done.getResult();
        WorkerFailure bad = failure;
        return 64
                + body.size()
                + (bad == null
                        ? 0
                        : bad.getMessage().length() + 2 * bad.getDetail().length());
    }

    void linkTo(@Nullable Execution following) {
        next = following;
    }

    // What the handler sees.

    @Override
    public boolean isCancelled() {
        return cancelled;
    }

    @Override
    public void throwIfCancelled() {
        if (cancelled) {
            throw new CancellationException("job " + id() + " was cancelled");
        }
    }

    @Override
    public void onCancel(Runnable action) {
        synchronized (this) {
            if (!cancelled) {
                if (cancelActions == null) {
                    cancelActions = new ArrayList<>(1);
                }
                cancelActions.add(action);
                return;
            }
        }
        Thread.startVirtualThread(action);
    }

    @Override
    public void heartbeat(double fraction, String message) {
        if (fraction < 0 || fraction > 1) {
            throw new IllegalArgumentException("expected a fraction from 0 to 1, or NaN, but got " + fraction);
        }
        LeaseProgress.Builder told =
                LeaseProgress.newBuilder().setLease(ref()).setMessage(Outcomes.bounded(message, PROGRESS_CHARS_MAX));
        if (!Double.isNaN(fraction)) {
            told.setFraction(fraction);
        }
        progress = told.build();
    }

    /** What it told since {@link #progressUnsent} or the last call of this, or null. Loop. */
    @Nullable LeaseProgress nextProgress() {
        LeaseProgress told = progress;
        if (told == null || told == progressSent || !running()) {
            return null;
        }
        progressSent = told;
        return told;
    }

    /** The server may have forgotten it. Loop. */
    void progressUnsent() {
        progressSent = null;
    }

    @Override
    public void checkpoint(Object state) {
        checkLease();
        try {
            owner.bytes().saveCheckpoint(id(), key.token(), bytes(state));
            checkpointed = true;
        } catch (FairlaneException.Conflict refused) {
            if (refused.code().equals("LEASE_REVOKED")) {
                owner.lost(this);
                throw lost();
            }
            throw refused;
        }
    }

    private byte[] bytes(Object state) {
        if (state instanceof InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException("the checkpoint could not be read", e);
            }
        }
        return owner.codec().encode(state).bytes().toByteArray();
    }

    @Override
    public Optional<byte[]> loadCheckpoint() {
        if (!lease.hasCheckpointBytes() && !checkpointed) {
            return Optional.empty();
        }
        try {
            return Optional.of(owner.bytes().loadCheckpoint(id()));
        } catch (FairlaneException.NotFound none) {
            return Optional.empty();
        }
    }

    @Override
    public <T> Optional<T> loadCheckpoint(Class<T> as) {
        return loadCheckpoint()
                .map(bytes -> owner.codec()
                        .decode(
                                ByteString.copyFrom(bytes),
                                as == Payload.class || as == byte[].class ? Payload.BYTES : Payload.JSON,
                                as));
    }

    @Override
    public boolean handOverRequested() {
        return handOverAsked || owner.handOverRequested();
    }

    private LeaseLostException lost() {
        return new LeaseLostException(
                "job " + id() + ": the lease of execution " + execution() + " is lost; another worker may run it");
    }

    @Override
    public void checkLease() {
        if ((int) STATE.getVolatile(this) == DROPPED || owner.nanos() - leaseEndNanos >= 0) {
            throw lost();
        }
    }
}
