package dev.fairlane.core.shard;

import dev.fairlane.core.admission.Admission;
import dev.fairlane.core.admission.LaneNames;
import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.Gate.Kind;
import dev.fairlane.core.model.Refusal;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.share.Account;
import dev.fairlane.core.share.Block;
import dev.fairlane.core.share.FairTree;
import dev.fairlane.core.share.Lane;
import dev.fairlane.core.share.Queue;
import dev.fairlane.core.share.TypeLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The closed gates, and what is held back behind them. Closing one costs as much as there are lanes or queues of a type behind it,
 * however many jobs wait there. What is made later begins as its gates say.
 */
final class Gates {
    /** Of types and lanes, which tenants pause themselves. Those that only operators close are bounded by what there is to close. */
    private static final int MAX_CLOSED = 100_000;

    private static final long RETRY_AFTER_MICROS = 1_000_000;

    private final ShardState state;
    private final Map<Key, Gate> closed = new HashMap<>();
    /** How many types and lanes of each tenant are closed, by keys without a name. */
    private final Map<Key, Integer> counts = new HashMap<>();

    private int ofTenants;

    private record Key(Kind kind, int tenant, String name) {
        static Key of(Gate gate) {
            return new Key(gate.kind(), gate.tenant().number(), gate.name());
        }

        static Key ofAll(Gate gate) {
            return new Key(gate.kind(), gate.tenant().number(), "");
        }
    }

    Gates(ShardState state) {
        this.state = state;
    }

    /** Closed ones, in an order that does not depend on history. */
    List<Gate> list(@Nullable TenantId scope) {
        List<Gate> all = new ArrayList<>();
        for (Gate gate : closed.values()) {
            if (scope == null || gate.tenant().equals(scope) || ofEverybody(gate.kind())) {
                all.add(gate);
            }
        }
        all.sort(Comparator.comparing(Gate::kind)
                .thenComparingInt(gate -> gate.tenant().number())
                .thenComparing(Gate::name));
        return all;
    }

    Decision decide(Command.SetGate set, long now) {
        boolean everybody = ofEverybody(set.kind());
        TenantId tenant = everybody ? Gate.EVERYBODY : set.tenant();
        if (!everybody && state.directory.tenant(tenant.number()) == null) {
            return Decision.refused(RefusalCode.TENANT_NOT_FOUND, "no tenant " + tenant.number());
        }
        boolean pool = set.kind() == Kind.POOL;
        if (pool && state.pool(set.name()) == null && !isClosed(Kind.POOL, tenant.number(), set.name())) {
            return Decision.refused(RefusalCode.UNKNOWN_POOL, "no pool \"" + set.name() + "\"");
        }
        boolean named = set.kind() != Kind.TENANT && set.kind() != Kind.SYSTEM;
        if (named && set.name().isEmpty() || set.name().length() > Admission.MAX_NAME) {
            return Decision.refused(
                    RefusalCode.INVALID_ARGUMENT, "name: expected 1 to " + Admission.MAX_NAME + " characters");
        }
        Gate gate = new Gate(set.kind(), tenant, named ? set.name() : "", set.closed(), set.by(), set.why(), now);
        Gate known = closed.get(Key.of(gate));
        if (known != null && set.closed() || known == null && !set.closed()) {
            return Decision.of(new Answer.GateIs(known == null ? gate : known));
        }
        Refusal refusal = set.closed() && ofTenant(set.kind()) ? room(gate) : null;
        return refusal != null
                ? Decision.of(new Answer.Refused(refusal))
                : Decision.of(new Answer.GateIs(gate), new Fact.GateSet(gate));
    }

    /** Why a tenant may not pause one more type or lane, or null: it has as many as it may have types or lanes. */
    private @Nullable Refusal room(Gate gate) {
        boolean type = gate.kind() == Kind.TYPE;
        int most = type ? Admission.MAX_TYPES_PER_TENANT : LaneNames.MAX_PER_TENANT;
        int present = counts.getOrDefault(Key.ofAll(gate), 0);
        if (present >= most) {
            return new Refusal(
                    type ? RefusalCode.TYPE_LIMIT : RefusalCode.LANE_LIMIT,
                    "expected at most " + most + " paused " + (type ? "types" : "lanes")
                            + " of a tenant; end pauses that are not needed",
                    0,
                    most,
                    present);
        }
        return ofTenants < MAX_CLOSED
                ? null
                : new Refusal(
                        RefusalCode.NODE_FULL,
                        "expected at most " + MAX_CLOSED + " paused types and lanes; end pauses that are not needed",
                        RETRY_AFTER_MICROS,
                        MAX_CLOSED,
                        ofTenants);
    }

    void apply(Gate gate) {
        boolean was = (gate.closed() ? closed.put(Key.of(gate), gate) : closed.remove(Key.of(gate))) != null;
        if (was != gate.closed() && ofTenant(gate.kind())) {
            count(gate, gate.closed() ? 1 : -1);
        }
        for (Pool pool : state.pools) {
            Account account = pool.tree().account(gate.tenant().number());
            if (ofEverybody(gate.kind())) {
                pool.tree()
                        .close(isClosed(Kind.SYSTEM, Gate.EVERYBODY.number(), "")
                                || isClosed(
                                        Kind.POOL,
                                        Gate.EVERYBODY.number(),
                                        pool.rules().name()));
            } else if (account != null) {
                judge(pool.tree(), account, gate, gate.changedAt());
            }
        }
    }

    private void count(Gate gate, int change) {
        int is = counts.merge(Key.ofAll(gate), change, Integer::sum);
        if (is == 0) {
            counts.remove(Key.ofAll(gate));
        }
        ofTenants += change;
    }

    private static boolean ofTenant(Kind kind) {
        return kind == Kind.TYPE || kind == Kind.LANE;
    }

    private static boolean ofEverybody(Kind kind) {
        return kind == Kind.POOL || kind == Kind.SYSTEM;
    }

    private void judge(FairTree tree, Account account, Gate gate, long now) {
        switch (gate.kind()) {
            case TENANT -> judge(tree, account, now);
            case TYPE -> {
                TypeLine line = account.known(gate.name());
                if (line != null) {
                    judge(tree, line, now);
                }
            }
            case LANE ->
                account.forEachLane(lane -> {
                    if (lane.name().equals(gate.name())) {
                        judge(tree, lane, now);
                    }
                });
            case POOL, SYSTEM -> throw new IllegalArgumentException("expected a tenant's gate, but got " + gate);
        }
    }

    private void judge(FairTree tree, Account account, long now) {
        if (isClosed(Kind.TENANT, account.tenant(), "")) {
            tree.block(account.node(), Block.PAUSE, now);
        } else {
            tree.unblock(account.node(), Block.PAUSE, now);
        }
    }

    private void judge(FairTree tree, Lane lane, long now) {
        if (isClosed(Kind.LANE, lane.account().tenant(), lane.name())) {
            tree.block(lane, Block.PAUSE, now);
        } else {
            tree.unblock(lane, Block.PAUSE, now);
        }
    }

    private void judge(FairTree tree, TypeLine line, long now) {
        if (isClosed(Kind.TYPE, line.account().tenant(), line.type())) {
            tree.block(line, Block.PAUSE, now);
        } else {
            tree.unblock(line, Block.PAUSE, now);
        }
    }

    /** A queue that may be new: it is held back if it should be. */
    void meet(Pool pool, Queue queue, long now) {
        if (!closed.isEmpty()) {
            judge(pool.tree(), queue.account(), now);
            judge(pool.tree(), queue.line(), now);
            judge(pool.tree(), queue.lane(), now);
        }
    }

    /** What holds back everything of a tenant, or null. */
    @Nullable Gate quench(int tenant) {
        return closed.get(new Key(Kind.TENANT, tenant, ""));
    }

    boolean isClosed(Kind kind, int tenant, String name) {
        return closed.containsKey(new Key(kind, tenant, name));
    }
}
