package dev.fairlane.runtime;

import dev.fairlane.core.model.Refusal;

/** The node could not take or finish a call. */
public final class NodeFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public enum Kind {
        /** Its queues are full: nothing was done, come back. */
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

    /** One that is about a number. */
    public NodeFault(Kind kind, String message, long limit, long present) {
        super(message);
        this.kind = kind;
        this.limit = limit;
        this.present = present;
    }

    public NodeFault(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.limit = Refusal.NO_NUMBER;
        this.present = Refusal.NO_NUMBER;
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
