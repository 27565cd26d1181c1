package dev.fairlane.server.webhook;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.TimeUnit;

/** The header of that name: seconds, or a date of HTTP. */
final class RetryAfter {
    private static final long MAX_SECONDS = 7L * 24 * 3_600;

    private RetryAfter() {}

    /** How long to wait; 0 when it does not say so in words we know. */
    static long micros(String header, long nowMillis) {
        String text = header.strip();
        if (text.isEmpty()) {
            return 0;
        }
        long seconds;
        try {
            seconds = text.length() <= 9 && text.chars().allMatch(c -> c >= '0' && c <= '9')
                    ? Long.parseLong(text)
                    : (Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text))
                                            .toEpochMilli()
                                    - nowMillis)
                            / 1_000;
        } catch (DateTimeException e) {
            return 0;
        }
        return TimeUnit.SECONDS.toMicros(Math.clamp(seconds, 0, MAX_SECONDS));
    }
}
