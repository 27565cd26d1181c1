package dev.fairlane.journal;

import java.time.Duration;

/** How long finished things are kept; the limit in bytes is for all history together, 0 for none. */
public record Retention(Duration done, Duration dead, Duration keys, long historyBytes) {
    public static final Retention DEFAULT =
            new Retention(Duration.ofDays(90), Duration.ofDays(7), Duration.ofHours(25), 0);
}
