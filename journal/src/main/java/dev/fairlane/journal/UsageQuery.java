package dev.fairlane.journal;

import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.UsageAccount;
import dev.fairlane.core.model.UsageRow;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which use is asked for, and what is told apart; everything else is summed.
 *
 * @param scope null: of all tenants
 * @param fromAt begin of the first hour, inclusive
 * @param toAt exclusive
 * @param limit rows; one more than it means that there are more
 */
public record UsageQuery(@Nullable TenantId scope, long fromAt, long toAt, Span span, Set<By> by, int limit) {
    /** Lengths of time that are told apart, by UTC. */
    public enum Span {
        ALL,
        MONTH,
        DAY,
        HOUR
    }

    public enum By {
        TENANT,
        POOL,
        LANE,
        TYPE
    }

    private static final TenantId NOBODY = new TenantId(0);

    public boolean covers(long hourAt, TenantId tenant) {
        return hourAt >= fromAt && hourAt < toAt && (scope == null || scope.equals(tenant));
    }

    /** Where the use of this hour and account belongs in the answer. */
    public UsageRow place(UsageRow row) {
        UsageAccount account = row.account();
        return new UsageRow(
                spanOf(row.fromAt()),
                new UsageAccount(
                        by.contains(By.TENANT) ? account.tenant() : NOBODY,
                        by.contains(By.POOL) ? account.pool() : "",
                        by.contains(By.LANE) ? account.lane() : "",
                        by.contains(By.TYPE) ? account.type() : ""),
                row.used());
    }

    private long spanOf(long hourAt) {
        return switch (span) {
            case ALL -> 0;
            case MONTH ->
                Instant.ofEpochSecond(hourAt / 1_000_000)
                                .atOffset(ZoneOffset.UTC)
                                .truncatedTo(ChronoUnit.DAYS)
                                .withDayOfMonth(1)
                                .toEpochSecond()
                        * 1_000_000;
            case DAY -> hourAt - hourAt % (24 * UsageRow.HOUR_MICROS);
            case HOUR -> hourAt;
        };
    }
}
