package dev.fairlane.core.model;

/** One ended execution that did not end the job well: kept with the job so that its story can be told. */
public record Attempt(
        int execution, String worker, long leasedAt, long endedAt, FailureClass failureClass, String message) {}
