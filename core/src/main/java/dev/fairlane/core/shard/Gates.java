package dev.fairlane.core.shard;

import dev.fairlane.core.admission.Admission;
import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.Gate.Kind;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.share.Account;
import dev.fairlane.core.share.Block;
import dev.fairlane.core.share.FairTree;
import dev.fairlane.core.share.Lane;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The closed gates, and the lanes held back behind them. Closing one costs as much as there are lanes behind it, however many jobs
 * wait there. A lane made later begins as its gates say.
 */
final class Gates {
    static final int MAX_CLOSED = 100_000;

    private final ShardState state;
    private final Map<Key, Gate> closed = new HashMap<>();

    private record Key(Kind kind, int tenant, String name) {
        static Key of(Gate gate) {
            return new Key(gate.kind(), gate.tenant().number(), gate.name());
        }
    }

    Gates(ShardState state) {
        this.state = state;
    }

    /** Closed ones, in an order that does not depend on history. */
    List<Gate> list(@Nullable TenantId scope) {
        List<Gate> all = new ArrayList<>();
        for (Gate gate : closed.values()) {
            if (scope == null || gate.tenant().equals(scope) || gate.kind() == Kind.POOL) {
                all.add(gate);
            }
        }
        all.sort(Comparator.comparing(Gate::kind)
                .thenComparingInt(gate -> gate.tenant().number())
                .thenComparing(Gate::name));
        return all;
    }

    Decision decide(Command.SetGate set, long now) {
        boolean everybody = set.kind() == Kind.POOL;
        TenantId tenant = everybody ? Gate.EVERYBODY : set.tenant();
        if (!everybody && state.directory.tenant(tenant.number()) == null) {
            return Decision.refused(RefusalCode.TENANT_NOT_FOUND, "no tenant " + tenant.number());
        }
        if (everybody && state.pool(set.name()) == null) {
            return Decision.refused(RefusalCode.UNKNOWN_POOL, "no pool \"" + set.name() + "\"");
        }
        boolean named = set.kind() != Kind.TENANT;
        if (named && set.name().isEmpty() || set.name().length() > Admission.MAX_NAME) {
            return Decision.refused(
                    RefusalCode.INVALID_ARGUMENT, "name: expected 1 to " + Admission.MAX_NAME + " characters");
        }
        Gate gate = new Gate(set.kind(), tenant, named ? set.name() : "", set.closed(), set.by(), set.why(), now);
        Gate known = closed.get(Key.of(gate));
        if (known != null && set.closed() || known == null && !set.closed()) {
            return Decision.of(new Answer.GateIs(known == null ? gate : known));
        }
        if (set.closed() && closed.size() >= MAX_CLOSED) {
            return Decision.refused(
                    RefusalCode.NODE_FULL, "expected at most " + MAX_CLOSED + " pauses; end some that are not needed");
        }
        return Decision.of(new Answer.GateIs(gate), new Fact.GateSet(gate));
    }

    void apply(Gate gate) {
        if (gate.closed()) {
            closed.put(Key.of(gate), gate);
        } else {
            closed.remove(Key.of(gate));
        }
        for (Pool pool : state.pools) {
            if (gate.kind() != Kind.POOL) {
                Account account = pool.tree().account(gate.tenant().number());
                if (account != null) {
                    judge(pool, account, gate, gate.changedAt());
                }
            } else if (pool.rules().name().equals(gate.name())) {
                for (Account account : pool.tree().accounts()) {
                    judge(pool, account, gate.changedAt());
                }
            }
        }
    }

    private void judge(Pool pool, Account account, Gate gate, long now) {
        if (gate.kind() == Kind.TENANT) {
            judge(pool, account, now);
            return;
        }
        for (List<Lane> lanes : account.lanes()) {
            for (Lane lane : lanes) {
                String name = gate.kind() == Kind.TYPE ? lane.type() : lane.name();
                if (name.equals(gate.name())) {
                    judge(pool.tree(), lane, now);
                }
            }
        }
    }

    private void judge(Pool pool, Account account, long now) {
        if (isClosed(Kind.TENANT, account.tenant(), "")
                || isClosed(Kind.POOL, Gate.EVERYBODY.number(), pool.rules().name())) {
            pool.tree().block(account, Block.PAUSE, now);
        } else {
            pool.tree().unblock(account, Block.PAUSE, now);
        }
    }

    private void judge(FairTree tree, Lane lane, long now) {
        int tenant = lane.account().tenant();
        if (isClosed(Kind.TYPE, tenant, lane.type()) || isClosed(Kind.LANE, tenant, lane.name())) {
            tree.block(lane, Block.PAUSE, now);
        } else {
            tree.unblock(lane, Block.PAUSE, now);
        }
    }

    /** A lane that may be new: it is held back if it should be. */
    void meet(Pool pool, Lane lane, long now) {
        if (!closed.isEmpty()) {
            judge(pool, lane.account(), now);
            judge(pool.tree(), lane, now);
        }
    }

    private boolean isClosed(Kind kind, int tenant, String name) {
        return closed.containsKey(new Key(kind, tenant, name));
    }
}
