package dev.fairlane.core.share;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Several queues of a lane that a view may take from, and the choice among them: most urgent after aging, then earliest. A few are looked
 * at one by one; many get an index, see {@link Urgency}.
 */
final class ReadyQueues {
    private static final int INDEX_ABOVE = 16;
    private static final int INDEX_BELOW = 8;

    private Spot[] spots = new Spot[2];
    private int count;
    private @Nullable Urgency index;

    int count() {
        return count;
    }

    void add(Spot spot, WaitingJobs jobs) {
        if (count == spots.length) {
            spots = Arrays.copyOf(spots, count * 2);
        }
        spot.place = count;
        spots[count++] = spot;
        if (index != null) {
            index.add(spot, jobs);
        } else if (count > INDEX_ABOVE) {
            index = new Urgency();
            for (int i = 0; i < count; i++) {
                index.add(spots[i], jobs);
            }
        }
    }

    void remove(Spot spot, WaitingJobs jobs) {
        Spot last = spots[--count];
        spots[spot.place] = last;
        last.place = spot.place;
        spot.place = Spot.OUT;
        if (index != null) {
            index.remove(spot, jobs);
            if (count < INDEX_BELOW) {
                for (int i = 0; i < count; i++) {
                    spots[i].ranks = Spot.NONE;
                }
                index = null;
            }
        }
    }

    /** Another job is the first of the spot's queue in this tier, or none is. */
    void headChanged(Spot spot, int tier, WaitingJobs jobs) {
        if (index != null) {
            index.headChanged(spot, tier, jobs);
        }
    }

    /** The job that is next; there is one. */
    int head(Aging aging, WaitingJobs jobs, long now) {
        if (index != null) {
            return index.head(aging, jobs, now);
        }
        int best = Queues.NONE;
        int bestTier = Aging.TIERS;
        long bestAt = Long.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            Queue queue = spots[i].queue;
            for (int bits = queue.tiers; bits != 0; bits &= bits - 1) {
                int priority = Integer.numberOfTrailingZeros(bits);
                int slot = queue.head(priority);
                long at = jobs.queuedAt(slot);
                int tier = aging.tier(priority, now - at);
                if (tier < bestTier
                        || tier == bestTier && (at < bestAt || at == bestAt && Urgency.first(slot, best, jobs))) {
                    best = slot;
                    bestTier = tier;
                    bestAt = at;
                }
            }
        }
        return best;
    }

    /** When the earliest job was queued. */
    long earliest(WaitingJobs jobs) {
        if (index != null) {
            return index.earliest(jobs);
        }
        long earliest = Long.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            earliest = Math.min(earliest, spots[i].queue.earliest(jobs));
        }
        return earliest;
    }
}
