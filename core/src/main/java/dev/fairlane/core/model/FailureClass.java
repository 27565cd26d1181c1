package dev.fairlane.core.model;

/** Why an attempt ended badly (semantics §5). The order is part of the stored format: append only. */
public enum FailureClass {
    APP_ERROR,
    NON_RETRYABLE,
    RATE_LIMITED,
    DEPENDENCY,
    TIMEOUT,
    WORKER_CRASH,
    RESOURCE_VIOLATION,
    POISON;

    private static final FailureClass[] ALL = values();

    public static FailureClass of(int ordinal) {
        return ALL[ordinal];
    }
}
