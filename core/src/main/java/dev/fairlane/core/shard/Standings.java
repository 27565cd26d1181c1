package dev.fairlane.core.shard;

import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.shard.EngineStats.TenantStats;
import dev.fairlane.core.share.Account;
import dev.fairlane.core.share.FairTree;
import dev.fairlane.core.share.Queue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Who is busiest, and which queue of each pool has waited longest. Both are looked for among all tenants a portion at a time, so that one
 * look costs the loop the same however many tenants there are; up to {@link #PORTION} of them all are seen at every look, or so many queues
 * and the rest of a tenant's. What was found is told with its present numbers.
 */
final class Standings {
    static final int PORTION = 1_024;

    private static final Comparator<TenantStats> BUSY = Comparator.<TenantStats>comparingInt(TenantStats::running)
            .thenComparingInt(TenantStats::waiting)
            .thenComparingInt(TenantStats::scheduled)
            .thenComparingDouble(TenantStats::slotSeconds)
            .thenComparingInt(stats -> -stats.tenant().number());

    private final ShardState state;
    private final Oldest[] oldest;

    /** The busiest of those seen since the first tenant. */
    private final PriorityQueue<TenantStats> busiest = new PriorityQueue<>(BUSY);
    /** The busiest when all tenants had been seen. */
    private List<TenantStats> found = List.of();

    private int next;

    Standings(ShardState state) {
        this.state = state;
        this.oldest = new Oldest[state.pools.length];
        for (int i = 0; i < oldest.length; i++) {
            oldest[i] = new Oldest(state.pools[i].tree());
        }
    }

    /** The queue of a pool that has waited longest. */
    private final class Oldest {
        private final FairTree tree;
        private int next;
        /** Of those seen since the first account, and of all the time before. */
        private @Nullable Queue best;

        private @Nullable Queue found;
        /** Queues seen in this look. */
        private int queues;
        /** What was told last, if it was found in this round or in the one before. */
        private long told = Long.MAX_VALUE;

        Oldest(FairTree tree) {
            this.tree = tree;
        }

        private long at(@Nullable Queue queue) {
            return queue == null ? Long.MAX_VALUE : queue.earliest(state.jobs);
        }

        private void see(Queue queue) {
            queues++;
            if (at(queue) < at(best)) {
                best = queue;
            }
        }

        /**
         * When its longest waiting job was queued; MAX_VALUE for none. If what was found is gone, it is told until all accounts have been
         * seen again: that others wait is known, and not yet since when.
         */
        long look() {
            if (tree.waiting() == 0) {
                next = 0;
                best = null;
                found = null;
                told = Long.MAX_VALUE;
                return Long.MAX_VALUE;
            }
            List<Account> accounts = tree.accounts();
            queues = 0;
            for (int looks = 0; looks < PORTION && queues < PORTION && next < accounts.size(); looks++) {
                Account account = accounts.get(next++);
                if (account.waiting() > 0) {
                    account.forEachQueue(this::see);
                }
            }
            boolean through = next >= accounts.size();
            if (through) {
                found = best;
                best = null;
                next = 0;
            }
            long at = Math.min(at(found), at(best));
            if (at != Long.MAX_VALUE || through) {
                told = at;
            }
            return told;
        }
    }

    /** When the job waiting longest in a pool was queued, 0 if none waits. */
    long oldestQueuedAt(Pool pool) {
        long at = oldest[pool.number()].look();
        return at == Long.MAX_VALUE ? 0 : at;
    }

    /** The busiest tenants, by number. */
    List<TenantStats> busiest(long now) {
        int highest = state.directory.highest();
        for (int looks = 0; looks < PORTION && next <= highest; looks++) {
            look(next++, now);
        }
        if (next <= highest) {
            return inOrder(found.isEmpty() ? busiest : found, now);
        }
        found = inOrder(busiest, now);
        busiest.clear();
        next = 0;
        return found;
    }

    private void look(int tenant, long now) {
        TenantStats stats = stats(new TenantId(tenant), now);
        if (state.counts.open(tenant) > 0 || stats.slotSeconds() > 0 || stats.completed() > 0) {
            busiest.add(stats);
            if (busiest.size() > EngineStats.MAX_TENANTS) {
                busiest.poll();
            }
        }
    }

    private List<TenantStats> inOrder(Collection<TenantStats> of, long now) {
        List<TenantStats> all = new ArrayList<>(of.size());
        for (TenantStats stats : of) {
            all.add(stats(stats.tenant(), now));
        }
        all.sort(Comparator.comparingInt(stats -> stats.tenant().number()));
        return all;
    }

    private TenantStats stats(TenantId tenant, long now) {
        int number = tenant.number();
        int waiting = 0;
        int running = 0;
        double slotMicros = 0;
        for (Pool pool : state.pools) {
            Account account = pool.tree().account(number);
            if (account != null) {
                waiting += account.waiting();
                running += account.held();
                slotMicros += account.slotMicros(now);
            }
        }
        return new TenantStats(
                tenant,
                waiting,
                state.counts.scheduled(number),
                running,
                slotMicros / 1e6,
                state.counts.completed(number));
    }
}
