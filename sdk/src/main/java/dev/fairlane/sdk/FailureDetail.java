package dev.fairlane.sdk;

/** For exceptions of handlers that have something better to show than their stack trace, e.g. the output of a command. */
public interface FailureDetail {

    /** Kept with the failure instead of the stack trace, up to 8 KiB of it. */
    String failureDetail();
}
