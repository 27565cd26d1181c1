package dev.fairlane.sdk;

import dev.fairlane.protocol.v1.GetUsageRequest;
import dev.fairlane.protocol.v1.UsageEntry;
import dev.fairlane.protocol.v1.UsageReport;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What tenants used, up to the moment it was asked for, and what it costs by the prices of the server.
 *
 * @param entries one for each combination of what is told apart
 * @param currency of the amounts
 */
public record Usage(Instant from, Instant to, List<Entry> entries, Entry total, String currency) {

    /** What a report tells apart; everything else is summed. At most one of the last three. */
    public enum By {
        TENANT,
        LANE,
        TYPE,
        POOL,
        HOUR,
        DAY,
        MONTH
    }

    /**
     * Which use. Immutable; start from {@link #THIS_MONTH}.
     *
     * @param from a whole hour, UTC; null: the begin of the present month
     * @param to a whole hour, not included; null: the end of the present hour
     * @param tenant for keys that see all tenants: only its; empty for all
     */
    public record Query(@Nullable Instant from, @Nullable Instant to, String tenant, Set<By> by) {
        /** All the key sees of the present month, as one sum. */
        public static final Query THIS_MONTH = new Query(null, null, "", Set.of());

        public Query {
            by = Set.copyOf(by);
        }

        public Query between(@Nullable Instant start, @Nullable Instant end) {
            return new Query(start, end, tenant, by);
        }

        public Query tenant(String name) {
            return new Query(from, to, name, by);
        }

        public Query by(By... apart) {
            return new Query(from, to, tenant, Set.of(apart));
        }

        GetUsageRequest message() {
            GetUsageRequest.Builder request = GetUsageRequest.newBuilder()
                    .setFromMicros(micros(from))
                    .setToMicros(micros(to))
                    .setTenant(tenant);
            by.stream().sorted().forEach(one -> request.addGroupBy(one.name().toLowerCase(Locale.ROOT)));
            return request.build();
        }

        private static long micros(@Nullable Instant time) {
            return time == null ? 0 : ChronoUnit.MICROS.between(Instant.EPOCH, time);
        }
    }

    /**
     * A row, or the sum. What is not told apart is empty.
     *
     * @param from begin of the hour, day or month
     * @param executions that ended, retries and crashes included
     * @param jobs that ran and came to their end: the sum of the next four
     * @param slotSeconds from lease to end of all executions, each times the slots it counts as
     */
    public record Entry(
            Optional<Instant> from,
            String tenant,
            String lane,
            String type,
            String pool,
            long executions,
            long jobs,
            long succeeded,
            long dead,
            long cancelled,
            long expired,
            double slotSeconds,
            BigDecimal amount) {}

    static Usage of(UsageReport report) {
        return new Usage(
                time(report.getFromMicros()),
                time(report.getToMicros()),
                report.getEntriesList().stream().map(Usage::entry).toList(),
                entry(report.getTotal()),
                report.getCurrency());
    }

    private static Entry entry(UsageEntry entry) {
        return new Entry(
                entry.getFromMicros() == 0 ? Optional.empty() : Optional.of(time(entry.getFromMicros())),
                entry.getTenant(),
                entry.getLane(),
                entry.getType(),
                entry.getPool(),
                entry.getExecutions(),
                entry.getJobs(),
                entry.getSucceeded(),
                entry.getDead(),
                entry.getCancelled(),
                entry.getExpired(),
                entry.getSlotSeconds(),
                entry.getAmount().isEmpty() ? BigDecimal.ZERO : new BigDecimal(entry.getAmount()));
    }

    private static Instant time(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
