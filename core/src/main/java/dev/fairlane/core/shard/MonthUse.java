package dev.fairlane.core.shard;

import dev.fairlane.core.model.Notice;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantRules.Quota;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * What tenants used in the present calendar month (UTC), by number, and who is over its soft quota. Hard: loaded from the store, and booked
 * with the facts behind it.
 */
final class MonthUse {
    private static final long SECOND = 1_000_000;

    private final Notices notices;
    /** Of each tenant, jobs and slot-time in microseconds. */
    private long[] used = {};
    /** Of the tenants that have soft quotas. */
    private final Map<Integer, Soft> softs = new HashMap<>();

    private final BitSet haveSoft = new BitSet();

    private long endAt = Long.MIN_VALUE;
    private final BitSet over = new BitSet();

    private record Soft(long jobs, long slotMicros) {}

    MonthUse(Notices notices) {
        this.notices = notices;
    }

    void book(int tenant, long jobsMore, long slotMicrosMore, long at) {
        if (at >= endAt) {
            begin(at);
        }
        if (2 * tenant >= used.length) {
            grow(tenant);
        }
        used[2 * tenant] += jobsMore;
        used[2 * tenant + 1] += slotMicrosMore;
        if (haveSoft.get(tenant) && reached(tenant)) {
            warn(tenant);
        }
    }

    private boolean reached(int tenant) {
        Soft soft = softs.get(tenant);
        return soft != null && (used[2 * tenant] >= soft.jobs || used[2 * tenant + 1] >= soft.slotMicros);
    }

    private void begin(long at) {
        endAt = endOf(at);
        Arrays.fill(used, 0);
        over.clear();
    }

    private void grow(int tenant) {
        used = Arrays.copyOf(used, Math.max(Math.max(128, 2 * tenant + 2), used.length / 4 * 6));
    }

    /** Once a month. */
    private void warn(int tenant) {
        if (!over.get(tenant)) {
            over.set(tenant);
            notices.add(Notice.Kind.QUOTA_WARNING, tenant, "", "", "");
        }
    }

    /** A tenant is there or changed. */
    void tenantSet(Tenant tenant) {
        int number = tenant.id().number();
        if (2 * number >= used.length) {
            if (tenant.rules().quotas().isEmpty()) {
                return;
            }
            grow(number);
        }
        long mostJobs = Long.MAX_VALUE;
        long mostSlotMicros = Long.MAX_VALUE;
        for (Quota quota : tenant.rules().quotas()) {
            if (quota.soft() > 0) {
                switch (quota.kind()) {
                    case JOBS -> mostJobs = quota.soft();
                    case SLOT_SECONDS -> mostSlotMicros = Math.min(quota.soft(), Long.MAX_VALUE / SECOND) * SECOND;
                }
            }
        }
        if (mostJobs == Long.MAX_VALUE && mostSlotMicros == Long.MAX_VALUE) {
            softs.remove(number);
            haveSoft.clear(number);
        } else {
            softs.put(number, new Soft(mostJobs, mostSlotMicros));
            haveSoft.set(number);
        }
        if (reached(number)) {
            warn(number);
        } else {
            over.clear(number);
        }
    }

    /** Whether the tenant used as much of something as its soft quota says. */
    boolean overSoft(int tenant, long now) {
        return now < endAt && over.get(tenant);
    }

    long jobs(int tenant, long now) {
        return now < endAt && 2 * tenant < used.length ? used[2 * tenant] : 0;
    }

    long slotSeconds(int tenant, long now) {
        return now < endAt && 2 * tenant < used.length ? used[2 * tenant + 1] / SECOND : 0;
    }

    /** When the month of this time is over. */
    static long endOf(long at) {
        YearMonth month = YearMonth.from(Instant.ofEpochSecond(at / SECOND).atOffset(ZoneOffset.UTC));
        return month.plusMonths(1).atDay(1).atStartOfDay(ZoneOffset.UTC).toEpochSecond() * SECOND;
    }
}
