package dev.fairlane.sdk;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the answer of an HTTP service means for the job that asked:
 *
 * <ul>
 *   <li>below 400: no failure;
 *   <li>429: come back after what {@code Retry-After} says, or {@link #COME_BACK_AFTER}; costs no attempt;
 *   <li>408, 425 and 5xx: the dependency failed; retried, and its breaker counts it;
 *   <li>any other 4xx: asking again cannot help.
 * </ul>
 *
 * <pre>{@code
 * HttpFailures.of("stripe", response.statusCode(),
 *         response.headers().firstValue("Retry-After").orElse(null), Instant.now())
 *     .ifPresent(failure -> { throw failure; });
 * }</pre>
 */
public final class HttpFailures {
    /** When a service says 429 and not when to come back. */
    public static final Duration COME_BACK_AFTER = Duration.ofSeconds(10);

    private HttpFailures() {}

    /**
     * The exception for a handler to throw; empty when the call went well.
     *
     * @param dependency name of the service, as the type declares it
     * @param retryAfter value of the {@code Retry-After} header: seconds or a date; null without one
     * @param now to measure a date against
     */
    public static Optional<RuntimeException> of(
            String dependency, int status, @Nullable String retryAfter, Instant now) {
        if (status >= 100 && status < 400) {
            return Optional.empty();
        }
        String message = dependency + " answered " + status;
        if (status == 429) {
            Duration wait = parse(retryAfter, now).orElse(COME_BACK_AFTER);
            return Optional.of(new RetryAfterException(wait, message));
        }
        boolean theirs = status == 408 || status == 425 || status >= 500 || status < 100;
        return Optional.of(
                theirs ? new DependencyFailedException(dependency, message) : new NonRetryableException(message));
    }

    private static Optional<Duration> parse(@Nullable String retryAfter, Instant now) {
        if (retryAfter == null) {
            return Optional.empty();
        }
        String text = retryAfter.strip();
        try {
            if (!text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
                return Optional.of(Duration.ofSeconds(Math.min(Long.parseLong(text), 366L * 86_400)));
            }
            Instant at = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            return Optional.of(at.isAfter(now) ? Duration.between(now, at) : Duration.ofSeconds(1));
        } catch (DateTimeException | NumberFormatException notATime) {
            return Optional.empty();
        }
    }
}
