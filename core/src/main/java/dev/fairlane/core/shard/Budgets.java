package dev.fairlane.core.shard;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Notice;
import dev.fairlane.core.outcome.RetryBudget;
import java.util.function.Consumer;

/** Retries over a tenant's budget wait in order of coming; those that wait too long are given up. */
final class Budgets {
    private static final long LOOK_AGAIN_MICROS = 1_000_000;
    private static final int MOST_AT_ONCE = 1_000;

    private final ShardState state;
    private final Guards guards;
    private final RetryBudget budget;

    /** The retries of a tenant that are over its budget. Its timer releases them. */
    static final class Postponed extends Deadlines.Timed {
        private final Budgets budgets;
        private final TenantGuard guard;
        private final Parking.Lot lot = new Parking.Lot();

        private Postponed(Budgets budgets, TenantGuard guard) {
            this.budgets = budgets;
            this.guard = guard;
        }

        @Override
        void fire(long now, Consumer<Command> sink) {
            budgets.release(this, now);
        }
    }

    Budgets(ShardState state, Guards guards) {
        this.state = state;
        this.guards = guards;
        this.budget = new RetryBudget(state.config.failures());
    }

    /** Whether a retry may go on; if not, it is in the list. */
    boolean allows(int slot, TenantGuard guard, long now) {
        Postponed postponed = guard.postponed;
        boolean first = postponed == null || postponed.lot.isEmpty();
        if (first && budget.allows(guard.minute, now)) {
            guard.minute().addBad(now);
            return true;
        }
        if (postponed == null) {
            postponed = new Postponed(this, guard);
            guard.postponed = postponed;
        }
        if (first) {
            guards.notices.add(Notice.Kind.RETRY_BUDGET_EXCEEDED, guard.tenant, "", "", "");
        }
        guards.parking.park(slot, postponed.lot, now);
        state.arm(slot);
        if (!postponed.waits()) {
            guards.deadlines.set(postponed, now + LOOK_AGAIN_MICROS);
        }
        return false;
    }

    private void release(Postponed postponed, long now) {
        TenantGuard guard = postponed.guard;
        Parking.Lot lot = postponed.lot;
        for (int i = 0; i < MOST_AT_ONCE && !lot.isEmpty() && budget.allows(guard.minute, now); i++) {
            guard.minute().addBad(now);
            guards.letThrough(guards.parking.poll(lot));
        }
        if (lot.isEmpty()) {
            guard.postponed = null;
        } else {
            guards.deadlines.set(postponed, now + LOOK_AGAIN_MICROS);
        }
    }

    /** When a retry that is in the list is given up; MAX_VALUE for one that is not. */
    long giveUpAt(int slot, TenantGuard guard) {
        return guard.postponed != null && guards.parking.parkedIn(slot, guard.postponed.lot)
                ? guards.parking.since(slot) + state.config.failures().postponedMicros()
                : Long.MAX_VALUE;
    }
}
