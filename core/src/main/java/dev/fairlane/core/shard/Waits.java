package dev.fairlane.core.shard;

import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.share.Account;
import dev.fairlane.core.share.FairTree;
import dev.fairlane.core.share.Queue;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells why jobs wait and how tenants stand. Reads only. */
final class Waits {
    private static final double SECOND = 1e6;

    private final ShardState state;

    Waits(ShardState state) {
        this.state = state;
    }

    WaitingJob explain(int slot, long now) {
        Queue queue = state.queue(slot);
        FairTree tree = state.tree(queue);
        boolean inLine = state.jobs.inLane(slot);
        int priority = state.jobs.priority(slot);
        Set<WaitReason> reasons = reasons(slot, queue, now);
        int cap = cap(slot, queue, reasons);
        return new WaitingJob(
                state.jobs.id(slot),
                queue.name(),
                Collections.unmodifiableSet(reasons),
                inLine ? tree.aheadInLane(queue, slot, priority, WaitingJob.COUNTED_AHEAD) : 0,
                queue.lane().node().waiting(),
                cap,
                cap > 0 && inLine ? tree.ahead(queue, slot, priority, WaitingJob.COUNTED_AHEAD) : 0,
                goesOnAt(slot, queue),
                share(queue.account(), now));
    }

    private Set<WaitReason> reasons(int slot, Queue queue, long now) {
        Set<WaitReason> reasons = EnumSet.noneOf(WaitReason.class);
        if (!state.jobs.state(slot).leased() && state.jobs.status(slot).marks().paused()) {
            reasons.add(WaitReason.JOB_PAUSED);
        }
        switch (state.jobs.state(slot)) {
            case SCHEDULED -> reasons.add(notDue(slot, now));
            case RETRY_WAIT -> reasons.add(state.guards.parking.parked(slot) ? heldBack(slot) : notDue(slot, now));
            case QUEUED -> queued(slot, queue, reasons, now);
            default -> {}
        }
        return reasons;
    }

    private WaitReason notDue(int slot, long now) {
        return state.jobs.at(slot) > now ? WaitReason.NOT_DUE : WaitReason.PROMOTION;
    }

    /** A retry is held back by the budget or by a breaker; only the budget gives it up some time. */
    private WaitReason heldBack(int slot) {
        return state.guards.giveUpAt(slot) != Long.MAX_VALUE ? WaitReason.RETRY_BUDGET : WaitReason.BREAKER;
    }

    /** How many of those it waits among run at once, by the caps that hold it back; 0: no cap does. */
    private int cap(int slot, Queue queue, Set<WaitReason> reasons) {
        int cap = Integer.MAX_VALUE;
        if (reasons.contains(WaitReason.TYPE_CAP)) {
            cap = Guards.health(queue).rules.maxInFlight();
        }
        if (reasons.contains(WaitReason.KEY_CAP)) {
            cap = Math.min(cap, state.keyLimits.cap(slot, queue));
        }
        return cap == Integer.MAX_VALUE ? 0 : cap;
    }

    private void queued(int slot, Queue queue, Set<WaitReason> reasons, long now) {
        FairTree tree = state.tree(queue);
        reasons.addAll(WaitReason.of(queue.allBlocks()));
        if (tree.closed()) {
            boolean all = state.gates.isClosed(Gate.Kind.SYSTEM, Gate.EVERYBODY.number(), "");
            reasons.add(all ? WaitReason.MAINTENANCE : WaitReason.POOL_PAUSED);
        }
        if (!state.jobs.inLane(slot) && state.guards.parking.parked(slot)) {
            reasons.add(
                    state.guards.heldByBreaker(slot)
                            ? WaitReason.BREAKER
                            : state.keyLimits.parkedFor(slot, queue, now));
        }
        if (!runnable(queue)) {
            reasons.add(WaitReason.NO_WORKER);
        }
        if (reasons.isEmpty()) {
            if (!served(queue)) {
                reasons.add(tree.othersTurn(queue) ? WaitReason.FAIR_SHARE : WaitReason.NO_ROOM);
            } else {
                reasons.add(tree.keepsLastSlots(queue) ? WaitReason.KEPT_SLOTS : WaitReason.FAIR_SHARE);
            }
        }
    }

    private static boolean served(Queue queue) {
        boolean[] any = {false};
        queue.forEachView(view -> any[0] |= view.served());
        return any[0];
    }

    /** Whether a connected worker could run the queue's jobs with nothing else to do. */
    static boolean runnable(Queue queue) {
        boolean[] any = {false};
        queue.forEachView(view -> any[0] |= Kind.couldHold(view));
        return any[0];
    }

    private long goesOnAt(int slot, Queue queue) {
        JobState now = state.jobs.state(slot);
        if (now == JobState.SCHEDULED || now == JobState.RETRY_WAIT) {
            return state.jobs.at(slot);
        }
        return now == JobState.QUEUED ? state.keyLimits.opensAt(slot, queue) : 0;
    }

    @Nullable TenantShare share(int tenant, Pool pool, long now) {
        Account account = pool.tree().account(tenant);
        return account == null ? null : share(account, now);
    }

    private TenantShare share(Account account, long now) {
        Pool pool = state.pools[account.pool()];
        return new TenantShare(
                new TenantId(account.tenant()),
                pool.rules().name(),
                account.node().ownWeight(),
                account.node().waiting(),
                account.node().running(),
                account.node().held(),
                pool.tree().fairSlots(account.node()),
                account.node().reserved(),
                account.slotMicros(now) / SECOND,
                pool.tree().deficit(account.node(), now) / SECOND);
    }
}
