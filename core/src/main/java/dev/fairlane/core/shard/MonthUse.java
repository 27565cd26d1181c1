package dev.fairlane.core.shard;

import dev.fairlane.core.model.Notice;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantRules.Quota;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.BitSet;

/**
 * What tenants used in the present calendar month (UTC), by number, and who is over its soft quota. Hard: loaded from the store, and booked
 * with the facts behind it.
 */
final class MonthUse {
    private static final long SECOND = 1_000_000;

    private final Notices notices;
    private long[] jobs = {};
    private long[] slotMicros = {};
    private long[] softJobs = {};
    private long[] softSlotMicros = {};
    private long endAt = Long.MIN_VALUE;
    private final BitSet over = new BitSet();

    MonthUse(Notices notices) {
        this.notices = notices;
    }

    void book(int tenant, long jobsMore, long slotMicrosMore, long at) {
        if (at >= endAt) {
            begin(at);
        }
        if (tenant >= jobs.length) {
            grow(tenant);
        }
        jobs[tenant] += jobsMore;
        slotMicros[tenant] += slotMicrosMore;
        if (jobs[tenant] >= softJobs[tenant] || slotMicros[tenant] >= softSlotMicros[tenant]) {
            warn(tenant);
        }
    }

    private void begin(long at) {
        endAt = endOf(at);
        Arrays.fill(jobs, 0);
        Arrays.fill(slotMicros, 0);
        over.clear();
    }

    private void grow(int tenant) {
        int was = jobs.length;
        int size = Math.max(Math.max(64, tenant + 1), 2 * was);
        jobs = Arrays.copyOf(jobs, size);
        slotMicros = Arrays.copyOf(slotMicros, size);
        softJobs = Arrays.copyOf(softJobs, size);
        softSlotMicros = Arrays.copyOf(softSlotMicros, size);
        Arrays.fill(softJobs, was, size, Long.MAX_VALUE);
        Arrays.fill(softSlotMicros, was, size, Long.MAX_VALUE);
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
        if (number >= jobs.length) {
            if (tenant.rules().quotas().isEmpty()) {
                return;
            }
            grow(number);
        }
        softJobs[number] = Long.MAX_VALUE;
        softSlotMicros[number] = Long.MAX_VALUE;
        for (Quota quota : tenant.rules().quotas()) {
            if (quota.soft() > 0) {
                switch (quota.kind()) {
                    case JOBS -> softJobs[number] = quota.soft();
                    case SLOT_SECONDS ->
                        softSlotMicros[number] = Math.min(quota.soft(), Long.MAX_VALUE / SECOND) * SECOND;
                }
            }
        }
        if (jobs[number] >= softJobs[number] || slotMicros[number] >= softSlotMicros[number]) {
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
        return now < endAt && tenant < jobs.length ? jobs[tenant] : 0;
    }

    long slotSeconds(int tenant, long now) {
        return now < endAt && tenant < jobs.length ? slotMicros[tenant] / SECOND : 0;
    }

    /** When the month of this time is over. */
    static long endOf(long at) {
        YearMonth month = YearMonth.from(Instant.ofEpochSecond(at / SECOND).atOffset(ZoneOffset.UTC));
        return month.plusMonths(1).atDay(1).atStartOfDay(ZoneOffset.UTC).toEpochSecond() * SECOND;
    }
}
