package dev.fairlane.core.model;

/** Where a job is in its life (semantics §2). The order is part of the stored format: append only. */
public enum JobState {
    SCHEDULED,
    QUEUED,
    LEASED,
    RUNNING,
    RETRY_WAIT,
    SUCCEEDED,
    DEAD,
    CANCELLED,
    EXPIRED;

    private static final JobState[] ALL = values();

    public static JobState of(int ordinal) {
        return ALL[ordinal];
    }

    public boolean terminal() {
        return ordinal() >= SUCCEEDED.ordinal();
    }

    /** Not terminal and in nobody's hands. */
    public boolean waiting() {
        return this == SCHEDULED || this == QUEUED || this == RETRY_WAIT;
    }

    /** Held by a worker under a token. */
    public boolean leased() {
        return this == LEASED || this == RUNNING;
    }
}
