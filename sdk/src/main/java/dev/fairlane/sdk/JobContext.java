package dev.fairlane.sdk;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** What a handler knows of the attempt it is running, and what it can ask. */
public interface JobContext {

    /** The job's id, the same on every attempt. */
    String id();

    String tenant();

    String type();

    /** Counts the attempts that count against the limit; the first is 1. */
    int attempt();

    int maxAttempts();

    /** Counts every lease, those lost to crashes included; the first is 1. */
    int execution();

    /**
     * True when the job was never given to a worker before. False means that an earlier attempt may have done its work, or a
     * part of it.
     */
    boolean firstAttempt();

    /**
     * A key for the effects of this job in other systems: the same on every attempt, different for every job. Pass it as
     * idempotency key to whatever is called, and a repeated attempt does not repeat the effect.
     */
    EffectKey effectKey();

    /**
     * Grows with every lease of this job. Store it with what is written and refuse writes with a smaller one, and a worker that
     * was believed dead cannot overwrite its successor. Never use it as an idempotency key: it differs between attempts.
     */
    FencingToken fencingToken();

    /** Whether somebody asked for this job to be cancelled. The handler should stop soon; after a grace it is interrupted. */
    boolean isCancelled();

    /**
     * Ends the handler when the job was cancelled.
     *
     * @throws java.util.concurrent.CancellationException if it was
     */
    void throwIfCancelled();

    /**
     * Runs the action once, on another virtual thread, when a cancel arrives; at once if it already has. For closing what the
     * handler waits on.
     */
    void onCancel(Runnable action);

    /**
     * Says whether this attempt still holds its lease, as far as this process can know. Call it just before an effect outside.
     *
     * @throws LeaseLostException if the lease was revoked or ran out
     */
    void checkLease();

    /** The same as a question: false when the lease was revoked or ran out. */
    default boolean leaseValid() {
        try {
            checkLease();
            return true;
        } catch (LeaseLostException lost) {
            return false;
        }
    }

    /** Until the job's time limit; zero when it is over. At the limit the handler is interrupted and the attempt fails. */
    Duration timeLeft();

    /** What travelled with the job, e.g. W3C trace context. */
    Map<String, String> headers();

    /** The version given by the submitter, 0 if none. */
    int payloadVersion();

    Instant submittedAt();
}
