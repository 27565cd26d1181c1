package dev.fairlane.journal;

import java.time.Duration;

/**
 * How long finished things are kept; the limit in bytes is for all history together, 0 for none.
 *
 * @param usage hours of the ledger
 * @param audit entries of the audit; what is older leaves its chain from the begin
 * @param deadPerTenant dead letters a tenant may have; beyond, its oldest go
 */
public record Retention(
        Duration done,
        Duration dead,
        Duration keys,
        long historyBytes,
        int deadPerTenant,
        Duration usage,
        Duration audit) {
    public static final int DEAD_PER_TENANT = 100_000;
    public static final Duration USAGE = Duration.ofDays(400);
    /** Seven years. */
    public static final Duration AUDIT = Duration.ofDays(2557);

    public static final Retention DEFAULT =
            new Retention(Duration.ofDays(90), Duration.ofDays(7), Duration.ofHours(25), 0);

    public Retention(Duration done, Duration dead, Duration keys, long historyBytes) {
        this(done, dead, keys, historyBytes, DEAD_PER_TENANT);
    }

    public Retention(Duration done, Duration dead, Duration keys, long historyBytes, int deadPerTenant) {
        this(done, dead, keys, historyBytes, deadPerTenant, USAGE, AUDIT);
    }
}
