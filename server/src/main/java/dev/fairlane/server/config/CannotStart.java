package dev.fairlane.server.config;

/** The server cannot start, for a reason its operator can mend. The message is one line that says what to do. */
public final class CannotStart extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CannotStart(String message) {
        super(message);
    }

    public CannotStart(String message, Throwable cause) {
        super(message, cause);
    }
}
