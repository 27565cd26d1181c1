package dev.fairlane.journal.memory;

import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.UsageAccount;
import dev.fairlane.core.model.UsageRow;
import dev.fairlane.journal.RecoverySink;
import dev.fairlane.journal.UsageQuery;
import dev.fairlane.journal.UsageSums;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;

/** What was used, by hour and account. */
final class StoredUsage {
    private UsageSums sums = new UsageSums();

    void add(List<UsageRow> rows) {
        rows.forEach(sums::add);
    }

    List<UsageRow> find(UsageQuery query) {
        UsageSums found = new UsageSums();
        for (UsageRow row : sums.rows()) {
            if (query.covers(row.fromAt(), row.account().tenant())) {
                found.add(query.place(row));
            }
        }
        return found.rows(query.limit() + 1);
    }

    /** Of the present month, by tenant. */
    void tell(RecoverySink sink, long now) {
        YearMonth month = YearMonth.from(Instant.ofEpochSecond(now / 1_000_000).atOffset(ZoneOffset.UTC));
        long beginAt = month.atDay(1).atStartOfDay(ZoneOffset.UTC).toEpochSecond() * 1_000_000;
        UsageSums byTenant = new UsageSums();
        for (UsageRow row : sums.rows()) {
            if (row.fromAt() >= beginAt) {
                TenantId tenant = row.account().tenant();
                byTenant.add(new UsageRow(beginAt, new UsageAccount(tenant, "", "", ""), row.used()));
            }
        }
        byTenant.rows().forEach(row -> sink.usage(row.account().tenant(), row.fromAt(), row.used()));
    }

    void drop(long before) {
        UsageSums kept = new UsageSums();
        sums.rows().stream().filter(row -> row.fromAt() >= before).forEach(kept::add);
        sums = kept;
    }
}
