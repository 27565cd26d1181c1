package dev.fairlane.core.model;

/**
 * What an account used in a span of time.
 *
 * @param fromAt begin of the span, microseconds since the epoch; 0 where it is summed over
 */
public record UsageRow(long fromAt, UsageAccount account, Usage used) {
    public static final long HOUR_MICROS = 3_600_000_000L;
}
