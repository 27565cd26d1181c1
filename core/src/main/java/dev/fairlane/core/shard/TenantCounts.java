package dev.fairlane.core.shard;

import java.util.Arrays;

/**
 * Per tenant: jobs open and not yet due, which derive from the jobs, and how many ended well since this start, which is soft. Beside each
 * other, since they change together and there may be very many tenants.
 */
final class TenantCounts {
    private static final int STRIDE = 2;
    /** Those not due in the upper half, the open ones in the lower; always whole strides. */
    private long[] counts = new long[64 * STRIDE];

    int open(int tenant) {
        return tenant * STRIDE < counts.length ? (int) counts[tenant * STRIDE] : 0;
    }

    int scheduled(int tenant) {
        return tenant * STRIDE < counts.length ? (int) (counts[tenant * STRIDE] >>> 32) : 0;
    }

    long completed(int tenant) {
        return tenant * STRIDE < counts.length ? counts[tenant * STRIDE + 1] : 0;
    }

    void addOpen(int tenant, int change) {
        int at = tenant * STRIDE;
        if (at >= counts.length) {
            counts = Arrays.copyOf(counts, Math.max(at + STRIDE, counts.length / 4 * 6));
        }
        // never below 0, so nothing is carried into the upper half
        counts[at] += change;
    }

    /** The tenant has had an open job. */
    void addScheduled(int tenant, int change) {
        counts[tenant * STRIDE] += (long) change << 32;
    }

    void addCompleted(int tenant) {
        counts[tenant * STRIDE + 1]++;
    }
}
