package dev.fairlane.runtime;

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

    public NodeFault(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public NodeFault(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
