package dev.fairlane.sdk;

/**
 * Thrown by {@link JobContext#checkLease()}: this attempt is over, somebody else may run the job. Let it pass; whatever the
 * handler returns now is dropped.
 */
public class LeaseLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public LeaseLostException(String message) {
        super(message);
    }
}
