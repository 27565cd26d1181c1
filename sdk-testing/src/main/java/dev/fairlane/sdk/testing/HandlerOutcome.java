package dev.fairlane.sdk.testing;

import dev.fairlane.sdk.DependencyFailedException;
import dev.fairlane.sdk.HandOverException;
import dev.fairlane.sdk.NonRetryableException;
import dev.fairlane.sdk.Payload;
import dev.fairlane.sdk.RetryAfterException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** How a handler ended in a test: with a result, or by throwing. */
public final class HandlerOutcome {
    private static final JsonMapper JSON = new JsonMapper();

    private final @Nullable Object result;
    private final @Nullable Throwable thrown;

    HandlerOutcome(@Nullable Object result, @Nullable Throwable thrown) {
        this.result = result;
        this.thrown = thrown;
    }

    public boolean succeeded() {
        return thrown == null;
    }

    /** What it returned; null for nothing. */
    public @Nullable Object result() {
        return result;
    }

    /** What it returned, as whoever awaits the job would read it: written as JSON and read as the class. */
    public <T> @Nullable T result(Class<T> as) {
        return switch (result) {
            case null -> null;
            case Object same
            when as.isInstance(same) && (same instanceof byte[] || same instanceof Payload) -> as.cast(same);
            case Payload payload -> JSON.readValue(payload.bytes(), as);
            default -> JSON.readValue(JSON.writeValueAsBytes(result), as);
        };
    }

    public Optional<Throwable> thrown() {
        return Optional.ofNullable(thrown);
    }

    /** Whether it {@linkplain dev.fairlane.sdk.JobContext#handOver handed its job over}, to be gone on with by another worker. */
    public boolean handedOver() {
        return thrown instanceof HandOverException;
    }

    /**
     * The class of failure that the server would be told: {@code APP_ERROR}, {@code NON_RETRYABLE}, …; empty for none, and for a job that
     * was handed over.
     */
    public Optional<String> failureClass() {
        return switch (thrown) {
            case null -> Optional.empty();
            case HandOverException _ -> Optional.empty();
            case NonRetryableException _ -> Optional.of("NON_RETRYABLE");
            case RetryAfterException _ -> Optional.of("RATE_LIMITED");
            case DependencyFailedException _ -> Optional.of("DEPENDENCY");
            default -> Optional.of("APP_ERROR");
        };
    }

    /** What it returned, which may be null. @throws AssertionError if it threw */
    public @Nullable Object orThrow() {
        if (thrown != null) {
            throw new AssertionError("expected the handler to succeed, but it threw " + thrown, thrown);
        }
        return result;
    }

    @Override
    public String toString() {
        return thrown == null ? "returned " + result : "threw " + thrown;
    }
}
