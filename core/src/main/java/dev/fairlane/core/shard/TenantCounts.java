package dev.fairlane.core.shard;

import java.util.Arrays;

/** Per tenant: jobs open and not yet due, which derive from the jobs, and how many ended well since this start, which is soft. */
final class TenantCounts {
    private int[] open = new int[64];
    private int[] scheduled = new int[64];
    private long[] completed = new long[64];

    int open(int tenant) {
        return tenant < open.length ? open[tenant] : 0;
    }

    int scheduled(int tenant) {
        return tenant < scheduled.length ? scheduled[tenant] : 0;
    }

    long completed(int tenant) {
        return tenant < completed.length ? completed[tenant] : 0;
    }

    void addOpen(int tenant, int change) {
        if (tenant >= open.length) {
            int length = Math.max(tenant + 1, open.length * 2);
            open = Arrays.copyOf(open, length);
            scheduled = Arrays.copyOf(scheduled, length);
            completed = Arrays.copyOf(completed, length);
        }
        open[tenant] += change;
    }

    /** The tenant has had an open job. */
    void addScheduled(int tenant, int change) {
        scheduled[tenant] += change;
    }

    void addCompleted(int tenant) {
        completed[tenant]++;
    }
}
