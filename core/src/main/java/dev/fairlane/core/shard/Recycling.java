package dev.fairlane.core.shard;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Notice;
import dev.fairlane.core.outcome.CrashWatch;
import dev.fairlane.core.share.Account;
import dev.fairlane.core.share.Block;
import java.util.function.Consumer;

/** A tenant whose jobs crash many workers of a pool runs there one job at a time until it is calm. */
final class Recycling {
    /** The watch of one account. */
    static final class Gate extends Deadlines.Timed {
        private final Recycling recycling;
        private final TenantGuard guard;
        private final Account account;
        private final CrashWatch watch;

        Gate(Recycling recycling, TenantGuard guard, Account account, int limit) {
            this.recycling = recycling;
            this.guard = guard;
            this.account = account;
            this.watch = new CrashWatch(limit);
        }

        @Override
        void fire(long now, Consumer<Command> sink) {
            recycling.look(this, now);
        }
    }

    private final ShardState state;
    private final Guards guards;

    Recycling(ShardState state, Guards guards) {
        this.state = state;
        this.guards = guards;
    }

    /** A worker crashed with a job of the account, which still holds its slot. */
    void crashed(TenantGuard guard, Account account, String worker, long now) {
        if (guard.recycling == null) {
            guard.recycling = new Gate[state.pools.length];
        }
        Gate gate = guard.recycling[account.pool()];
        if (gate == null) {
            gate = new Gate(this, guard, account, state.config.failures().crashedWorkers());
            guard.recycling[account.pool()] = gate;
        }
        if (gate.watch.crashed(worker, now)) {
            guard.throttledPools |= 1 << account.pool();
            state.pools[account.pool()].tree().block(account.node(), Block.RECYCLE, now);
            tell(Notice.Kind.RECYCLE_THROTTLED, gate);
        }
        guards.deadlines.set(gate, gate.watch.calmAt());
    }

    /** A slot of a throttled account was taken or given back. */
    void judge(Account account, long now) {
        if (account.held() > 0) {
            state.pools[account.pool()].tree().block(account.node(), Block.RECYCLE, now);
        } else {
            state.pools[account.pool()].tree().unblock(account.node(), Block.RECYCLE, now);
        }
    }

    private void look(Gate gate, long now) {
        if (gate.watch.calmAt() > now) {
            guards.deadlines.set(gate, gate.watch.calmAt());
            return;
        }
        int pool = gate.account.pool();
        if (gate.watch.throttled()) {
            gate.guard.throttledPools &= ~(1 << pool);
            state.pools[pool].tree().unblock(gate.account.node(), Block.RECYCLE, now);
            tell(Notice.Kind.RECYCLE_CALM, gate);
        }
        gate.watch.calm();
        if (gate.guard.recycling != null) {
            gate.guard.recycling[pool] = null;
        }
    }

    private void tell(Notice.Kind kind, Gate gate) {
        String pool = state.pools[gate.account.pool()].rules().name();
        guards.notices.add(kind, gate.guard.tenant, pool, "", "");
    }
}
