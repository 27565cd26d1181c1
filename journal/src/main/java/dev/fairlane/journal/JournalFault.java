package dev.fairlane.journal;

import org.jspecify.annotations.Nullable;

/** How a journal operation fails. Futures of the port fail with nothing else (bugs aside). */
public abstract sealed class JournalFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private JournalFault(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** The log is closed: another start took over. Nothing of this call happened or ever will. */
    public static final class Fenced extends JournalFault {
        private static final long serialVersionUID = 1L;

        public Fenced(String message) {
            super(message, null);
        }
    }

    /** The store could not do it now. Nothing of this call happened or ever will; the same call may be sent again. */
    public static final class Unavailable extends JournalFault {
        private static final long serialVersionUID = 1L;

        public Unavailable(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** The call may have happened, or may yet happen. */
    public static final class UnknownOutcome extends JournalFault {
        private static final long serialVersionUID = 1L;

        public UnknownOutcome(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** What is stored cannot be read: a broken chain, a newer format. Needs a person. */
    public static final class Corrupt extends JournalFault {
        private static final long serialVersionUID = 1L;

        public Corrupt(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
