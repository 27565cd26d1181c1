package dev.fairlane.journal.postgres.embedded;

import org.jspecify.annotations.Nullable;

/** The embedded PostgreSQL cannot be used; the message says what was found and what to do. */
public final class EmbeddedPostgresException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Whose move it is. */
    public enum Reason {
        /** No binaries for this operating system or processor. */
        PLATFORM,
        /** Another server holds the home folder. */
        IN_USE,
        /** The data were written by another major version of PostgreSQL. */
        OTHER_VERSION,
        /** The folder belongs to another user, or is not a PostgreSQL folder at all. */
        FOLDER,
        /** Root, and no way to leave root. */
        ROOT,
        /** PostgreSQL was started and did not become ready. */
        START
    }

    private final Reason reason;

    EmbeddedPostgresException(Reason reason, String message) {
        this(reason, message, null);
    }

    EmbeddedPostgresException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
