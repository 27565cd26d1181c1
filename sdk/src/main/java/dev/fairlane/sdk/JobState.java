package dev.fairlane.sdk;

/** Where a job is in its life. */
public enum JobState {
    /** Waits for its time. */
    SCHEDULED,
    /** Waits for a worker. */
    QUEUED,
    /** Given to a worker that has not said yet that it started. Short jobs often go from here to their end. */
    LEASED,
    /** Its handler runs. */
    RUNNING,
    /** Failed, and waits for its next attempt. */
    RETRY_WAIT,
    /** Ended well. */
    SUCCEEDED,
    /** Failed for good. */
    DEAD,
    /** Ended by a cancel. */
    CANCELLED,
    /** No worker had it by its {@code notAfter}. */
    EXPIRED;

    /** Whether this is an end: a job in it does not change any more by itself. */
    public boolean terminal() {
        return switch (this) {
            case SUCCEEDED, DEAD, CANCELLED, EXPIRED -> true;
            case SCHEDULED, QUEUED, LEASED, RUNNING, RETRY_WAIT -> false;
        };
    }
}
