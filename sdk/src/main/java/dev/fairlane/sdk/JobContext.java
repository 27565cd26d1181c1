package dev.fairlane.sdk;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

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

    /**
     * Says how far the job is, for people to see; also keeps a job of a type with a progress window from being stopped as stuck. Cheap:
     * it travels with the next heartbeat, and only the latest is sent.
     *
     * @param fraction 0 to 1, or NaN when it is not known
     */
    default void heartbeat(double fraction, String message) {}

    /** The same without words. */
    default void heartbeat(double fraction) {
        heartbeat(fraction, "");
    }

    /**
     * Saves how far the job has come, durable when this returns: the next attempt, on whatever worker, begins with
     * {@link #loadCheckpoint}. The newest replaces the older ones. Suggested: once a minute for jobs of up to an hour, every five
     * minutes or at a natural boundary for longer ones.
     *
     * @param state {@code byte[]}, {@link java.io.InputStream} (read to its end, not closed) and {@link Payload} as they are, anything
     *     else as JSON; at most 64 MiB unless the server says otherwise
     * @throws LeaseLostException if this attempt no longer holds its lease; nothing was saved
     * @throws FairlaneException if it could not be saved; the older checkpoint holds
     */
    default void checkpoint(Object state) {
        throw new UnsupportedOperationException("this context keeps no checkpoints");
    }

    /** What an earlier attempt, or this one, saved last; empty when there is none. */
    default Optional<byte[]> loadCheckpoint() {
        return Optional.empty();
    }

    /** The same, read from JSON (or as it is for {@code byte[]}, {@code String} and {@link Payload}). */
    default <T> Optional<T> loadCheckpoint(Class<T> as) {
        return Optional.empty();
    }

    /**
     * Whether this job is asked to be handed over: its worker wants to go, or its type is
     * {@linkplain TypeRules.Builder#preemptible preemptible} and another tenant waits below its share. A handler that can, saves a
     * checkpoint and throws {@link #handOver}; one that cannot just goes on.
     */
    default boolean handOverRequested() {
        return false;
    }

    /** To be thrown, after a checkpoint: {@code throw context.handOver();} */
    default HandOverException handOver() {
        return new HandOverException("job " + id() + " is handed over");
    }
}
