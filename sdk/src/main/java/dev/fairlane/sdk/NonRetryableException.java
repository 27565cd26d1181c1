package dev.fairlane.sdk;

import org.jspecify.annotations.Nullable;

/** Thrown by a handler: trying again cannot help. The job is DEAD at once, with this message. */
public class NonRetryableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public NonRetryableException(String message) {
        super(message);
    }

    public NonRetryableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
