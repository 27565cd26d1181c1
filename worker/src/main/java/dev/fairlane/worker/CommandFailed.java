package dev.fairlane.worker;

import dev.fairlane.sdk.FailureDetail;
import dev.fairlane.sdk.FailureName;

/** A command that did not exit with 0 and may be tried again. What it wrote to stderr says more than a stack trace of ours. */
final class CommandFailed extends RuntimeException implements FailureDetail, FailureName {
    private static final long serialVersionUID = 1L;

    private final String stderr;
    private final String name;

    CommandFailed(String message, String stderr, String name) {
        super(message, null, false, false);
        this.stderr = stderr;
        this.name = name;
    }

    @Override
    public String failureDetail() {
        return stderr;
    }

    @Override
    public String failureName() {
        return name;
    }
}
