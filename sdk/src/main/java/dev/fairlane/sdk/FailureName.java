package dev.fairlane.sdk;

/** For exceptions of handlers that are known by another name than their class, e.g. the exit code of a command. */
public interface FailureName {

    /** The name a type's {@code retryOn} may list; others are known by the full name of their class. */
    String failureName();
}
