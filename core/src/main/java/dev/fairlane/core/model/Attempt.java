package dev.fairlane.core.model;

/** One ended execution that did not end the job well: kept with the job so that its story can be told. */
public record Attempt(
        int execution,
        String worker,
        long leasedAt,
        long endedAt,
        FailureClass failureClass,
        String message,
        String detail) {

    /** An ended execution that left no detail. */
    public Attempt(
            int execution, String worker, long leasedAt, long endedAt, FailureClass failureClass, String message) {
        this(execution, worker, leasedAt, endedAt, failureClass, message, "");
    }
}
