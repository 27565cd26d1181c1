package dev.fairlane.sdk;

/**
 * Thrown by a handler that stops half-way for another worker to go on: the job goes back to the head of its queue, and it costs no
 * attempt. Get one from {@link JobContext#handOver}.
 */
public final class HandOverException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public HandOverException(String message) {
        super(message, null, false, false);
    }
}
