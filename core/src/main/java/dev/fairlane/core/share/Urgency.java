package dev.fairlane.core.share;

import java.util.Arrays;

/**
 * Many queues of a lane, for each of the ten priorities a heap by the time their first job of it was queued. Of one priority the job
 * that waits longest is also the most urgent after aging, so the ten tops are all there is to compare.
 */
final class Urgency {
    private final Spot[][] heaps = new Spot[Aging.TIERS][];
    private final int[] sizes = new int[Aging.TIERS];

    /** Whether the job is before the other, both queued in the same microsecond. */
    static boolean first(int slot, int other, WaitingJobs jobs) {
        return other == Queues.NONE || Long.compareUnsigned(jobs.sequence(slot), jobs.sequence(other)) < 0;
    }

    void add(Spot spot, WaitingJobs jobs) {
        spot.ranks = new int[Aging.TIERS];
        Arrays.fill(spot.ranks, Spot.OUT);
        for (int bits = spot.queue.tiers; bits != 0; bits &= bits - 1) {
            push(spot, Integer.numberOfTrailingZeros(bits), jobs);
        }
    }

    void remove(Spot spot, WaitingJobs jobs) {
        for (int tier = 0; tier < Aging.TIERS; tier++) {
            if (spot.ranks[tier] != Spot.OUT) {
                take(spot, tier, jobs);
            }
        }
        spot.ranks = Spot.NONE;
    }

    void headChanged(Spot spot, int tier, WaitingJobs jobs) {
        boolean there = spot.queue.head(tier) != Queues.NONE;
        if (spot.ranks[tier] == Spot.OUT) {
            if (there) {
                push(spot, tier, jobs);
            }
        } else if (there) {
            down(tier, up(tier, spot.ranks[tier], jobs), jobs);
        } else {
            take(spot, tier, jobs);
        }
    }

    int head(Aging aging, WaitingJobs jobs, long now) {
        int best = Queues.NONE;
        int bestTier = Aging.TIERS;
        long bestAt = Long.MAX_VALUE;
        for (int priority = 0; priority < Aging.TIERS; priority++) {
            if (sizes[priority] == 0) {
                continue;
            }
            int slot = heaps[priority][0].queue.head(priority);
            long at = jobs.queuedAt(slot);
            int tier = aging.tier(priority, now - at);
            if (tier < bestTier || tier == bestTier && (at < bestAt || at == bestAt && first(slot, best, jobs))) {
                best = slot;
                bestTier = tier;
                bestAt = at;
            }
        }
        return best;
    }

    long earliest(WaitingJobs jobs) {
        long earliest = Long.MAX_VALUE;
        for (int tier = 0; tier < Aging.TIERS; tier++) {
            if (sizes[tier] > 0) {
                earliest = Math.min(earliest, jobs.queuedAt(heaps[tier][0].queue.head(tier)));
            }
        }
        return earliest;
    }

    private void push(Spot spot, int tier, WaitingJobs jobs) {
        Spot[] heap = heaps[tier];
        if (heap == null) {
            heap = new Spot[16];
            heaps[tier] = heap;
        } else if (sizes[tier] == heap.length) {
            heap = Arrays.copyOf(heap, heap.length * 2);
            heaps[tier] = heap;
        }
        int at = sizes[tier]++;
        heap[at] = spot;
        spot.ranks[tier] = at;
        up(tier, at, jobs);
    }

    private void take(Spot spot, int tier, WaitingJobs jobs) {
        Spot[] heap = heaps[tier];
        int at = spot.ranks[tier];
        spot.ranks[tier] = Spot.OUT;
        int last = --sizes[tier];
        if (at < last) {
            heap[at] = heap[last];
            heap[at].ranks[tier] = at;
            down(tier, up(tier, at, jobs), jobs);
        }
        clear(heap, last);
    }

    @SuppressWarnings("NullAway") // beyond the size nothing is read
    private static void clear(Spot[] heap, int at) {
        heap[at] = null;
    }

    private int up(int tier, int start, WaitingJobs jobs) {
        Spot[] heap = heaps[tier];
        int at = start;
        while (at > 0 && before(heap[at], heap[at - 1 >>> 1], tier, jobs)) {
            swap(heap, tier, at, at - 1 >>> 1);
            at = at - 1 >>> 1;
        }
        return at;
    }

    private void down(int tier, int start, WaitingJobs jobs) {
        Spot[] heap = heaps[tier];
        int size = sizes[tier];
        int at = start;
        for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && before(heap[child + 1], heap[child], tier, jobs)) {
                child++;
            }
            if (!before(heap[child], heap[at], tier, jobs)) {
                return;
            }
            swap(heap, tier, at, child);
            at = child;
        }
    }

    private static boolean before(Spot spot, Spot other, int tier, WaitingJobs jobs) {
        int slot = spot.queue.head(tier);
        int second = other.queue.head(tier);
        long at = jobs.queuedAt(slot);
        long secondAt = jobs.queuedAt(second);
        return at != secondAt ? at < secondAt : first(slot, second, jobs);
    }

    private static void swap(Spot[] heap, int tier, int a, int b) {
        Spot spot = heap[a];
        heap[a] = heap[b];
        heap[b] = spot;
        heap[a].ranks[tier] = a;
        heap[b].ranks[tier] = b;
    }
}
