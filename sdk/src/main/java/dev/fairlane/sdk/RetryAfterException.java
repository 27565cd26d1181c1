package dev.fairlane.sdk;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Thrown by a handler: not now, come back after this time (rate limited outside, not ready yet). Costs the job no attempt. */
public class RetryAfterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    public RetryAfterException(Duration retryAfter, String message) {
        this(retryAfter, message, null);
    }

    public RetryAfterException(Duration retryAfter, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.retryAfter = retryAfter;
    }

    public Duration retryAfter() {
        return retryAfter;
    }
}
