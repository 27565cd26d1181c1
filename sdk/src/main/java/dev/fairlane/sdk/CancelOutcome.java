package dev.fairlane.sdk;

/** What a cancel did. */
public enum CancelOutcome {
    /** The job was waiting; it will not run. */
    CANCELLED,
    /** The job runs; its worker is being told. It ends CANCELLED, or SUCCEEDED when it was faster. */
    CANCEL_REQUESTED,
    /** The job was at its end before; nothing changed. */
    ALREADY_DONE
}
