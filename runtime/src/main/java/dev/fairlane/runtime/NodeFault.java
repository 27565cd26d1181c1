package dev.fairlane.runtime;

import dev.fairlane.core.model.Refusal;
import org.jspecify.annotations.Nullable;

/** The node could not take or finish a call. */
public final class NodeFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final long TAKEN_WHEN_STALLED_MICROS = 2_000_000;

    public enum Kind {
        /** There is as much of something as may be: nothing was done, come back. Made by {@link #overloaded}. */
        OVERLOADED,
        /** It is starting or stopping: nothing was done, come back. */
        NOT_SERVING,
        /** It lost its log while the call was under way: the outcome is known to the next owner only. */
        OUTCOME_UNKNOWN,
        /** The caller named a position that this node never gave out. */
        UNKNOWN_POSITION,
        /** The store could not be read. */
        STORE_UNAVAILABLE,
        /** A bug; logged with its stack. */
        INTERNAL
    }

    private final Kind kind;
    private final long limit;
    private final long present;

    public NodeFault(Kind kind, String message) {
        this(kind, message, Refusal.NO_NUMBER, Refusal.NO_NUMBER);
    }

    private NodeFault(Kind kind, String message, long limit, long present) {
        super(message);
        this.kind = kind;
        this.limit = limit;
        this.present = present;
    }

    /**
     * Nothing was done, because there is as much of something as may be.
     *
     * @param message what there may be and what there is; callers read it
     */
    public static NodeFault overloaded(String message, long limit, long present) {
        return new NodeFault(Kind.OVERLOADED, message, limit, present);
    }

    public NodeFault(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.limit = Refusal.NO_NUMBER;
        this.present = Refusal.NO_NUMBER;
    }

    /** Why nothing is taken when commits have not gone through for so long, or null. */
    static @Nullable NodeFault stalled(long micros) {
        return micros <= TAKEN_WHEN_STALLED_MICROS
                ? null
                : overloaded(
                        "the store has not answered for " + micros / 1_000 + " ms, and calls are taken up to "
                                + TAKEN_WHEN_STALLED_MICROS / 1_000 + " ms; nothing was done",
                        TAKEN_WHEN_STALLED_MICROS / 1_000,
                        micros / 1_000);
    }

    public Kind kind() {
        return kind;
    }

    /** What was reached, or {@link Refusal#NO_NUMBER}. */
    public long limit() {
        return limit;
    }

    /** What there was of it, or {@link Refusal#NO_NUMBER}. */
    public long present() {
        return present;
    }
}
