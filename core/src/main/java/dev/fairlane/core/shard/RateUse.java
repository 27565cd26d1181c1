package dev.fairlane.core.shard;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.share.Queue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Starts of a tenant's jobs with one rate key: a bucket of {@code limit} starts that fills up in {@code perMicros}. All queues of the
 * key wait until there is enough for the dearest of them, so that cheap ones cannot starve it. Its timer lets them go on.
 *
 * <p>Soft: after a failover the bucket is full but for what still runs, so one failover may let {@code limit} starts too many through.
 */
final class RateUse extends Deadlines.Timed {
    private static final long NO_LIMIT = 0;
    private static final double ROUNDING = 1e-6;

    final int tenant;
    final String key;
    final List<Queue> queues = new ArrayList<>(1);
    final Parking.Lot parked = new Parking.Lot();
    /** Open jobs of the key in mixed queues. */
    int mixed;
    /** Slots of jobs that were let out of {@link #parked}, are in line again and have not started: starts are left for them. */
    final Set<Integer> out = new HashSet<>(2);
    /** What they cost. */
    long outCost;

    private final KeyLimits limits;
    private long limit = NO_LIMIT;
    private long perMicros = 1;
    private double tokens;
    private long settledAt;

    RateUse(int tenant, String key, KeyLimits limits) {
        this.tenant = tenant;
        this.key = key;
        this.limits = limits;
    }

    /** @param max starts in a period; 0: no bound */
    void set(long max, long period, long now) {
        boolean fresh = limit == NO_LIMIT;
        settle(now);
        limit = max;
        perMicros = Math.max(1, period);
        tokens = fresh ? limit : Math.min(tokens, limit);
    }

    boolean limited() {
        return limit != NO_LIMIT;
    }

    private void settle(long now) {
        if (now > settledAt) {
            if (limited()) {
                tokens = Math.min(limit, tokens + (double) limit * (now - settledAt) / perMicros);
            }
            settledAt = now;
        }
    }

    /** A job started. */
    void take(int cost, long now) {
        if (limited()) {
            settle(now);
            tokens -= Math.min(cost, limit);
        }
    }

    /** Whether a job that costs so much, and the dearest of its queues, must wait. */
    boolean shut(int cost, long now) {
        settle(now);
        return limited() && tokens + ROUNDING < need(cost);
    }

    /** Whether there are starts left for one more of those that are held back, beside those that were let out. */
    boolean lets(int cost, long now) {
        settle(now);
        return !limited() || tokens + ROUNDING >= outCost + need(cost);
    }

    /** Whether a job in a mixed queue may start: those that were held back before it come first. */
    boolean mayStart(int slot, int cost, long now) {
        return out.contains(slot) ? !shut(cost, now) : parked.isEmpty() && lets(cost, now);
    }

    /** When it is no longer shut. */
    long opensAt(int cost) {
        return settledAt + (long) Math.ceil((need(cost) - tokens) * perMicros / limit);
    }

    private long need(int cost) {
        long dearest = cost;
        for (int i = 0; i < queues.size(); i++) {
            dearest = Math.max(dearest, queues.get(i).rateCost());
        }
        return Math.min(limit, dearest);
    }

    /** Whether nobody needs it and it has nothing to remember. */
    boolean unused(long now) {
        settle(now);
        return queues.isEmpty() && mixed == 0 && (!limited() || tokens >= limit);
    }

    /** When it will have nothing to remember. */
    long fullAt() {
        return limited() ? settledAt + (long) Math.ceil((limit - tokens) * perMicros / limit) : settledAt;
    }

    @Override
    void fire(long now, Consumer<Command> sink) {
        // those that were let out had time to start: others do not wait for them
        out.clear();
        outCost = 0;
        limits.look(this, now);
    }
}
