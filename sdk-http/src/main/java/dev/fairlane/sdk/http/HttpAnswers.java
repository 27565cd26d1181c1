package dev.fairlane.sdk.http;

import dev.fairlane.sdk.DependencyFailedException;
import dev.fairlane.sdk.NonRetryableException;
import dev.fairlane.sdk.RetryAfterException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;

/** From the status of an answer to what should become of the job. */
public final class HttpAnswers {
    private static final Duration DEFAULT_WAIT = Duration.ofSeconds(5);

    private HttpAnswers() {}

    /**
     * Passes a good answer through, and throws what fits a bad one: come back as told for 429 and for 503 with {@code Retry-After}; a
     * failed dependency for other 5xx, 408 and 425; never again for other 4xx, but 409, with which systems say that the same key
     * is at work right now.
     *
     * @param dependency the name of the system, as breakers and statistics know it
     */
    public static <T> HttpResponse<T> wellOrThrow(String dependency, HttpResponse<T> answer) {
        int status = answer.statusCode();
        if (status < 400) {
            return answer;
        }
        String what = dependency + " answered " + status + " to "
                + answer.request().method() + " " + answer.request().uri().getPath();
        boolean told = answer.headers().firstValue("Retry-After").isPresent();
        if (status == 429 || status == 409 || (status == 503 && told)) {
            throw new RetryAfterException(wait(answer), what);
        }
        if (status >= 500 || status == 408 || status == 425) {
            throw new DependencyFailedException(dependency, what);
        }
        throw new NonRetryableException(what);
    }

    private static Duration wait(HttpResponse<?> answer) {
        return answer.headers()
                .firstValue("Retry-After")
                .map(HttpAnswers::parsed)
                .orElse(DEFAULT_WAIT);
    }

    /** Seconds or a date; whatever else somebody sends is worth a short wait. */
    private static Duration parsed(String text) {
        try {
            if (text.chars().allMatch(c -> c >= '0' && c <= '9')) {
                return Duration.ofSeconds(Math.max(1, Integer.parseInt(text)));
            }
            Duration left = Duration.between(
                    Instant.now(),
                    ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant());
            return left.isPositive() ? left : Duration.ofSeconds(1);
        } catch (NumberFormatException | DateTimeParseException e) {
            return DEFAULT_WAIT;
        }
    }
}
