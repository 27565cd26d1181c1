package dev.fairlane.core.shard;

import dev.fairlane.core.model.Refusal;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantRules.Quota;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What tenants may use in a calendar month (UTC). At the hard bound submits are refused: of jobs, those that ran this month and those that
 * are open count, also those that are due in a later month: nobody knows how many that are without a look at the store, and a job that were not
 * counted until it is due could be submitted without bound a moment before. Of slot-time, what is booked, so running executions count when
 * they end. Reads only.
 */
final class Quotas {
    private final ShardState state;

    Quotas(ShardState state) {
        this.state = state;
    }

    /** Why the tenant may not submit any more this month, or null. */
    @Nullable Refusal refusal(Tenant tenant, long now) {
        List<Quota> quotas = tenant.rules().quotas();
        for (int i = 0; i < quotas.size(); i++) {
            Quota quota = quotas.get(i);
            long present = present(quota.kind(), tenant.id().number(), now);
            if (quota.hard() > 0 && present >= quota.hard()) {
                return refusal(quota, present, now);
            }
        }
        return null;
    }

    private static Refusal refusal(Quota quota, long present, long now) {
        long endAt = MonthUse.endOf(now);
        String unit = switch (quota.kind()) {
            case JOBS -> "jobs";
            case SLOT_SECONDS -> "slot-seconds";
        };
        return new Refusal(
                RefusalCode.QUOTA_EXCEEDED,
                "expected fewer than " + quota.hard() + " " + unit + " a month, but the tenant has " + present
                        + " of them; the month is over at " + Instant.ofEpochSecond(endAt / 1_000_000),
                endAt - now,
                quota.hard(),
                present);
    }

    private long present(Quota.Kind kind, int tenant, long now) {
        return switch (kind) {
            case JOBS -> state.ledger.month().jobs(tenant, now) + state.counts.open(tenant);
            case SLOT_SECONDS -> state.ledger.month().slotSeconds(tenant, now);
        };
    }
}
