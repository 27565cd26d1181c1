package dev.fairlane.bench.rig;

/** Something in a rig did not come up, did not answer or did not go. The message ends with what its log said last. */
public final class RigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RigException(String message) {
        super(message);
    }

    public RigException(String message, Throwable cause) {
        super(message, cause);
    }
}
