package dev.fairlane.core.outcome;

/** What moves a job. */
public enum Deed {
    SUBMIT,
    DUE,
    PICK,
    START,
    COMPLETE,
    FAIL,
    HAND_OVER,
    LEASE_LOST,
    TIME_LIMIT,
    CHANGE,
    PAUSE,
    RESUME,
    CANCEL,
    CANCEL_GRACE,
    NOT_AFTER,
    /** Too old, or its retry postponed for too long. */
    GIVE_UP,
    REPLAY
}
