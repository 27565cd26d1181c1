package dev.fairlane.sdk;

import org.jspecify.annotations.Nullable;

/** Thrown by a handler: what it ran was killed for memory or CPU. Retried once, then the job is DEAD. */
public class ResourceViolationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ResourceViolationException(String message) {
        super(message);
    }

    public ResourceViolationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
