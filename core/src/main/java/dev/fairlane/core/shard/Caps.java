package dev.fairlane.core.shard;

import dev.fairlane.core.share.Block;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Caps on executions per dependency of a tenant; the smallest cap any of its types states counts. Executions are counted from
 * their lease on, so an execution that began before its type declared the dependency is not.
 */
final class Caps {
    private final ShardState state;
    private final Guards guards;

    Caps(ShardState state, Guards guards) {
        this.state = state;
        this.guards = guards;
    }

    /** A type of the tenant changed what it declares or caps. */
    void changed(TenantGuard guard, long now) {
        Map<String, Integer> caps = new HashMap<>();
        for (TypeHealth health = guard.types; health != null; health = health.next) {
            health.rules.dependencyCaps().forEach((name, cap) -> caps.merge(name, cap, Math::min));
        }
        if (caps.isEmpty() && guard.uses == null) {
            return;
        }
        Map<String, DependencyUse> uses = guard.uses == null ? new HashMap<>() : guard.uses;
        guard.uses = uses;
        for (DependencyUse use : uses.values()) {
            use.cap = Integer.MAX_VALUE;
            use.declaring.clear();
        }
        caps.forEach((name, cap) -> uses.computeIfAbsent(name, DependencyUse::new).cap = cap);
        for (TypeHealth health = guard.types; health != null; health = health.next) {
            DependencyUse[] own = DependencyUse.NONE;
            for (String dependency : health.rules.dependencies()) {
                DependencyUse use = uses.get(dependency);
                if (use != null && use.cap < Integer.MAX_VALUE) {
                    use.declaring.add(health);
                    own = with(own, use);
                }
            }
            health.uses = own.length == 0 ? null : own;
            judge(health, now);
        }
        for (DependencyUse use : uses.values()) {
            letIn(use, now);
        }
        uses.values().removeIf(use -> use.cap == Integer.MAX_VALUE && use.parked.isEmpty());
    }

    private static DependencyUse[] with(DependencyUse[] uses, DependencyUse more) {
        DependencyUse[] longer = Arrays.copyOf(uses, uses.length + 1);
        longer[uses.length] = more;
        return longer;
    }

    private void judge(TypeHealth health, long now) {
        boolean shut = false;
        if (health.uses != null) {
            for (DependencyUse use : health.uses) {
                shut |= use.full();
            }
        }
        guards.block(health, Block.DEPENDENCY_CAP, shut, now);
    }

    /** An execution begins; returns what it takes, null for nothing. */
    DependencyUse @Nullable [] take(TypeHealth health, String blamed, long now) {
        DependencyUse[] uses = health.uses;
        DependencyUse also = blamedUse(health, blamed);
        if (also != null) {
            uses = with(uses == null ? DependencyUse.NONE : uses, also);
        }
        if (uses != null) {
            for (DependencyUse use : uses) {
                use.inUse++;
                if (use.inUse == use.cap) {
                    judgeAll(use, now);
                }
            }
        }
        return uses;
    }

    void giveBack(DependencyUse[] uses, long now) {
        for (DependencyUse use : uses) {
            use.inUse--;
            if (use.inUse == use.cap - 1) {
                judgeAll(use, now);
            }
            letIn(use, now);
        }
    }

    private void judgeAll(DependencyUse use, long now) {
        for (TypeHealth health : use.declaring) {
            judge(health, now);
        }
    }

    /** Holds back a queued job that is next but blames a dependency at its cap; returns whether it did. */
    boolean holdsBack(int slot, TypeHealth health, String blamed, long now) {
        DependencyUse use = blamedUse(health, blamed);
        if (use == null || !use.full()) {
            return false;
        }
        state.park(slot, now);
        guards.parking.park(slot, use.parked, now);
        return true;
    }

    private static @Nullable DependencyUse blamedUse(TypeHealth health, String blamed) {
        return blamed.isEmpty() || health.guard.uses == null || health.declares(blamed)
                ? null
                : health.guard.uses.get(blamed);
    }

    private void letIn(DependencyUse use, long now) {
        for (int room = use.cap - use.inUse; room > 0 && !use.parked.isEmpty(); room--) {
            state.unpark(guards.parking.poll(use.parked), now);
        }
    }
}
