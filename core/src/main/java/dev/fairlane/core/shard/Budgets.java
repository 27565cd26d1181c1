package dev.fairlane.core.shard;

import dev.fairlane.core.model.Notice;

/** Retries over a tenant's budget wait in order of coming; those that wait too long are given up. */
final class Budgets {
    private static final long LOOK_AGAIN_MICROS = 1_000_000;
    private static final int MOST_AT_ONCE = 1_000;

    private final ShardState state;
    private final Guards guards;

    Budgets(ShardState state, Guards guards) {
        this.state = state;
        this.guards = guards;
    }

    /** Whether a retry may go on; if not, it is in the list. */
    boolean allows(int slot, TenantGuard guard, long now) {
        if (guard.postponed.isEmpty() && guard.budget.allows(now)) {
            guard.budget.released(now);
            return true;
        }
        if (guard.postponed.isEmpty()) {
            guards.notices.add(Notice.Kind.RETRY_BUDGET_EXCEEDED, guard.tenant, "", "", "");
        }
        guards.parking.park(slot, guard.postponed, now);
        state.arm(slot);
        if (!guard.waits()) {
            guards.deadlines.set(guard, now + LOOK_AGAIN_MICROS);
        }
        return false;
    }

    void release(TenantGuard guard, long now) {
        for (int i = 0; i < MOST_AT_ONCE && !guard.postponed.isEmpty() && guard.budget.allows(now); i++) {
            guard.budget.released(now);
            guards.letThrough(guards.parking.poll(guard.postponed));
        }
        if (!guard.postponed.isEmpty()) {
            guards.deadlines.set(guard, now + LOOK_AGAIN_MICROS);
        }
    }

    /** When a retry that is in the list is given up; MAX_VALUE for one that is not. */
    long giveUpAt(int slot, TenantGuard guard) {
        return guards.parking.parkedIn(slot, guard.postponed)
                ? guards.parking.since(slot) + state.config.failures().postponedMicros()
                : Long.MAX_VALUE;
    }
}
