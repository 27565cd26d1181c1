package dev.fairlane.core.shard;

import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Arrays;

/** What tenants used in the present calendar month (UTC), by number. Hard: loaded from the store, and booked with the facts behind it. */
final class MonthUse {
    private static final long SECOND = 1_000_000;

    private long[] jobs = new long[64];
    private long[] slotMicros = new long[64];
    private long endAt = Long.MIN_VALUE;

    void book(int tenant, long jobsMore, long slotMicrosMore, long at) {
        roll(at);
        if (tenant >= jobs.length) {
            jobs = Arrays.copyOf(jobs, Math.max(tenant + 1, jobs.length * 2));
            slotMicros = Arrays.copyOf(slotMicros, jobs.length);
        }
        jobs[tenant] += jobsMore;
        slotMicros[tenant] += slotMicrosMore;
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

    /** Begin of the month of this time. */
    static long beginOf(long at) {
        YearMonth month = YearMonth.from(Instant.ofEpochSecond(at / SECOND).atOffset(ZoneOffset.UTC));
        return month.atDay(1).atStartOfDay(ZoneOffset.UTC).toEpochSecond() * SECOND;
    }

    private void roll(long at) {
        if (at >= endAt) {
            endAt = endOf(at);
            Arrays.fill(jobs, 0);
            Arrays.fill(slotMicros, 0);
        }
    }
}
