package dev.fairlane.core.admission;

import java.util.Arrays;

/**
 * How fast tenants submit: a token bucket for each, which holds one second's worth and fills in one second.
 *
 * <p>Kept is what was taken out and has not run back in yet, so a tenant nobody has heard of has a full bucket without an entry. All of
 * it is in millionths of a job: a rate of <em>r</em> jobs a second brings <em>r</em> millionths back each microsecond, and no division
 * loses any.
 *
 * <p>Soft: a failover fills all buckets, which lets every tenant submit one second's worth more, once.
 */
public final class SubmitRates {
    private static final long JOB = 1_000_000;
    private static final long SECOND = 1_000_000;

    /** Of each tenant, what was taken out, and when. */
    private long[] buckets = new long[2 * 64];

    private double share = 1;

    /** The part of every tenant's rate that is this node's to give: all of it while it is alone. */
    public void setShare(double part) {
        if (!(part > 0 && part <= 1)) {
            throw new IllegalArgumentException("expected a share above 0 and at most 1, but got " + part);
        }
        share = part;
    }

    /** How long until the tenant may submit one more job; 0: now. */
    public long waitMicros(int tenant, int rate, long now) {
        long own = own(rate);
        long over = left(tenant, own, now) + JOB - own * SECOND;
        return over <= 0 ? 0 : Math.ceilDiv(over, own);
    }

    /** Jobs that count against the second's worth now. */
    public long present(int tenant, int rate, long now) {
        return Math.ceilDiv(left(tenant, own(rate), now), JOB);
    }

    /** The tenant submitted a job. */
    public void charge(int tenant, int rate, long now) {
        int bucket = 2 * tenant;
        if (bucket >= buckets.length) {
            buckets = Arrays.copyOf(buckets, Math.max(bucket + 2, buckets.length / 4 * 6));
        }
        buckets[bucket] = left(tenant, own(rate), now) + JOB;
        buckets[bucket + 1] = Math.max(buckets[bucket + 1], now);
    }

    private long own(int rate) {
        return share == 1 ? rate : Math.max(1, Math.round(rate * share));
    }

    private long left(int tenant, long rate, long now) {
        int bucket = 2 * tenant;
        if (bucket >= buckets.length) {
            return 0;
        }
        // A bucket is full after a second, however fast it fills; a clock that stands still fills none.
        long passed = Math.clamp(now - buckets[bucket + 1], 0, SECOND);
        // One that was charged at a higher rate is at most empty at this one.
        return Math.max(0, Math.min(buckets[bucket], rate * SECOND) - passed * rate);
    }
}
