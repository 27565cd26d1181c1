package dev.fairlane.server.api;

import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.Usage;
import dev.fairlane.core.model.UsageAccount;
import dev.fairlane.core.model.UsageRow;
import dev.fairlane.journal.UsageQuery;
import dev.fairlane.journal.UsageQuery.By;
import dev.fairlane.journal.UsageQuery.Span;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.v1.GetUsageRequest;
import dev.fairlane.protocol.v1.UsageEntry;
import dev.fairlane.protocol.v1.UsageReport;
import dev.fairlane.runtime.Node;
import dev.fairlane.server.admit.Text;
import dev.fairlane.server.config.ServerConfig;
import dev.fairlane.server.fault.Refused;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.InstantSource;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Reports of the ledger, with prices. */
public final class UsageCalls {
    static final int MAX_ROWS = 100_000;
    private static final BigDecimal MICROS = BigDecimal.valueOf(1_000_000);
    private static final String GROUPS = "expected tenant, lane, type, pool, hour, day or month, but got ";

    private final Node node;
    private final ServerConfig.Billing billing;
    private final InstantSource clock;
    private final Tenants tenants;

    public UsageCalls(Node node, ServerConfig.Billing billing, InstantSource clock) {
        this.node = node;
        this.billing = billing;
        this.clock = clock;
        this.tenants = new Tenants(node);
    }

    public CompletableFuture<UsageReport> get(Call call, GetUsageRequest request) {
        TenantId scope = tenants.scope(call.caller(), request.getTenant());
        Groups groups = groups(request.getGroupByList());
        boolean csv = csv(request.getFormat());
        long now = clock.millis() * 1_000;
        long from = request.getFromMicros() == 0 ? monthAt(now) : hour("from", request.getFromMicros());
        long to = request.getToMicros() == 0
                ? now - now % UsageRow.HOUR_MICROS + UsageRow.HOUR_MICROS
                : hour("to", request.getToMicros());
        if (to <= from) {
            throw Refused.invalid("to", "expected a time after from");
        }
        Set<By> by = EnumSet.of(By.POOL); // prices differ by pool
        by.addAll(groups.by);
        return node.usage(new UsageQuery(scope, from, to, groups.span, by, MAX_ROWS))
                .thenApplyAsync(rows -> report(rows, from, to, groups, csv), call.executor());
    }

    private record Groups(Span span, Set<By> by) {}

    private static Groups groups(List<String> asked) {
        Span span = Span.ALL;
        Set<By> by = EnumSet.noneOf(By.class);
        for (String each : asked) {
            for (String word : each.split(",", -1)) {
                switch (word) {
                    case "tenant" -> by.add(By.TENANT);
                    case "lane" -> by.add(By.LANE);
                    case "type" -> by.add(By.TYPE);
                    case "pool" -> by.add(By.POOL);
                    case "hour", "day", "month" -> {
                        if (span != Span.ALL) {
                            throw Refused.invalid("group_by", "expected one of hour, day and month");
                        }
                        span = word.equals("hour") ? Span.HOUR : word.equals("day") ? Span.DAY : Span.MONTH;
                    }
                    default ->
                        throw Refused.invalid("group_by", GROUPS + "\"" + Text.line("group_by", word, 100) + "\"");
                }
            }
        }
        return new Groups(span, by);
    }

    private static boolean csv(String format) {
        return switch (format) {
            case "", "json" -> false;
            case "csv" -> true;
            default ->
                throw Refused.invalid(
                        "format", "expected json or csv, but got " + "\"" + Text.line("format", format, 100) + "\"");
        };
    }

    private static long hour(String field, long at) {
        if (at < 0 || at % UsageRow.HOUR_MICROS != 0) {
            throw Refused.invalid(field, "expected a whole hour in UTC, like 2026-11-01T00:00:00Z");
        }
        return at;
    }

    private static long monthAt(long now) {
        YearMonth month = YearMonth.from(Instant.ofEpochSecond(now / 1_000_000).atOffset(ZoneOffset.UTC));
        return month.atDay(1).atStartOfDay(ZoneOffset.UTC).toEpochSecond() * 1_000_000;
    }

    private UsageReport report(List<UsageRow> rows, long from, long to, Groups groups, boolean csv) {
        if (rows.size() > MAX_ROWS) {
            // counting them all would read them all: so many there are at least
            throw Refused.over(
                    ErrorCode.INVALID_ARGUMENT,
                    "group_by",
                    "expected at most " + MAX_ROWS + " rows, but there are more; ask for less time or fewer groups",
                    MAX_ROWS,
                    rows.size());
        }
        Map<Key, Priced> sums = new LinkedHashMap<>();
        Priced total = Priced.NONE;
        for (UsageRow row : rows) {
            Priced priced = new Priced(row.used(), billing.amount(row.account().pool(), row.used()));
            sums.merge(key(row, groups), priced, Priced::plus);
            total = total.plus(priced);
        }
        UsageReport.Builder report = UsageReport.newBuilder()
                .setFromMicros(from)
                .setToMicros(to)
                .setCurrency(billing.currency())
                .setTotal(entry(total));
        sums.forEach((key, priced) -> report.addEntries(named(entry(priced), key)));
        if (csv) {
            report.setCsv(UsageCsv.of(report, groups.span != Span.ALL, groups.by));
            report.clearEntries();
        }
        return report.build();
    }

    private record Key(long fromAt, UsageAccount account) {}

    private static Key key(UsageRow row, Groups groups) {
        UsageAccount account = row.account();
        return new Key(
                row.fromAt(),
                new UsageAccount(
                        account.tenant(),
                        groups.by.contains(By.POOL) ? account.pool() : "",
                        account.lane(),
                        account.type()));
    }

    private record Priced(Usage used, BigDecimal amount) {
        static final Priced NONE = new Priced(Usage.NONE, BigDecimal.ZERO);

        Priced plus(Priced more) {
            return new Priced(used.plus(more.used), amount.add(more.amount));
        }
    }

    private static UsageEntry.Builder entry(Priced priced) {
        Usage used = priced.used;
        return UsageEntry.newBuilder()
                .setExecutions(used.executions())
                .setJobs(used.jobs())
                .setSucceeded(used.succeeded())
                .setDead(used.dead())
                .setCancelled(used.cancelled())
                .setExpired(used.expired())
                .setSlotSeconds(
                        BigDecimal.valueOf(used.slotMicros()).divide(MICROS).doubleValue())
                .setAmount(priced.amount.stripTrailingZeros().toPlainString());
    }

    private UsageEntry.Builder named(UsageEntry.Builder entry, Key key) {
        Tenant tenant = node.tenant(key.account.tenant());
        return entry.setFromMicros(key.fromAt)
                .setTenant(tenant == null ? "" : tenant.name())
                .setLane(key.account.lane())
                .setType(key.account.type())
                .setPool(key.account.pool());
    }
}
