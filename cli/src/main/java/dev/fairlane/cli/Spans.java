package dev.fairlane.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Spans and points of time as people type and read them. */
final class Spans {
    private static final Pattern SPAN = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

    private Spans() {}

    /** {@code 500ms}, {@code 10s}, {@code 5m}, {@code 2h}, {@code 1d}, or ISO 8601 like {@code PT10S}. */
    static Duration span(String option, String text) {
        Matcher matcher = SPAN.matcher(text);
        if (matcher.matches()) {
            long count = Long.parseLong(matcher.group(1));
            return switch (matcher.group(2)) {
                case "ms" -> Duration.ofMillis(count);
                case "s" -> Duration.ofSeconds(count);
                case "m" -> Duration.ofMinutes(count);
                case "h" -> Duration.ofHours(count);
                default -> Duration.ofDays(count);
            };
        }
        try {
            Duration span = Duration.parse(text);
            if (!span.isNegative()) {
                return span;
            }
        } catch (DateTimeException notIso) {
            // told below, with what would have been right
        }
        throw Failed.usage(option + ": expected a time span like 500ms, 10s, 5m, 2h or 1d, but got '" + text + "'");
    }

    static String time(String option, String text) {
        try {
            return OffsetDateTime.parse(text).toInstant().toString();
        } catch (DateTimeException e) {
            throw Failed.usage(option + ": expected a time like 2026-11-15T08:30:00Z, but got '" + text + "'");
        }
    }

    /** How long ago, in one figure; empty for no time. */
    static String ago(String time, Instant now) {
        return time.isEmpty() ? "" : brief(Duration.between(Instant.parse(time), now));
    }

    static String brief(Duration span) {
        long millis = Math.max(0, span.toMillis());
        if (millis < 1_000) {
            return millis + "ms";
        }
        long seconds = millis / 1_000;
        if (seconds < 120) {
            return seconds + "s";
        }
        if (seconds < 2 * 3_600) {
            return seconds / 60 + "m";
        }
        return seconds < 2 * 86_400 ? seconds / 3_600 + "h" : seconds / 86_400 + "d";
    }
}
