package dev.fairlane.core.shard;

import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.share.Account;
import dev.fairlane.core.share.Queue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks through all accounts for queues that no connected worker can ever serve, a portion of accounts or queues at a time: one call costs
 * the loop the same however many tenants there are. What was found is judged again at the end, since workers come and jobs go while it looks.
 */
final class StrandedSearch {
    static final int PORTION = 2_048;

    private final ShardState state;
    private final List<Queue> found = new ArrayList<>();
    private int pool;
    private int next;
    /** What may still be seen in this call. */
    private int looks;

    StrandedSearch(ShardState state) {
        this.state = state;
    }

    /**
     * Goes on; what it found, up to {@code max}, when it has seen all accounts, else null.
     *
     * @param before queues of which no job waits since then do not count
     */
    @Nullable List<Stranded> goOn(int max, long before) {
        looks = PORTION;
        while (pool < state.pools.length) {
            List<Account> accounts = state.pools[pool].tree().accounts();
            while (next < accounts.size() && found.size() < max) {
                if (looks <= 0) {
                    return null;
                }
                look(accounts.get(next++), max, before);
            }
            pool++;
            next = 0;
        }
        List<Stranded> all = new ArrayList<>();
        for (Queue queue : found) {
            if (strands(queue, before)) {
                all.add(stranded(queue));
            }
        }
        found.clear();
        pool = 0;
        return all;
    }

    private void look(Account account, int max, long before) {
        looks--;
        if (account.waiting() > 0) {
            account.forEachQueue(queue -> {
                looks--;
                if (found.size() < max && strands(queue, before)) {
                    found.add(queue);
                }
            });
        }
    }

    private boolean strands(Queue queue, long before) {
        return queue.waiting() > 0 && !Waits.runnable(queue) && queue.earliest(state.jobs) <= before;
    }

    private Stranded stranded(Queue queue) {
        return new Stranded(
                new TenantId(queue.account().tenant()),
                state.pools[queue.account().pool()].rules().name(),
                queue.type(),
                queue.requirement().demand(),
                queue.requirement().tags(),
                queue.waiting(),
                queue.earliest(state.jobs));
    }
}
