package dev.fairlane.core.shard;

import dev.fairlane.core.outcome.RetryBudget;
import dev.fairlane.core.outcome.Window;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is watched of one tenant. Soft, as its parts say. What most tenants never need is made when it is needed. */
final class TenantGuard {
    /** Most tenants have few types: they are looked through, many are found by name. */
    private static final int FEW = 8;

    final int tenant;
    final Lookback lookback;
    /** First dispatches and retries of the last minute, see {@link RetryBudget}; null for none. */
    @Nullable Window minute;

    /** The newest; the others follow by {@link TypeHealth#next}. */
    @Nullable TypeHealth types;

    /** Null while they are few. */
    private @Nullable Map<String, TypeHealth> typesByName;

    /** Retries over the budget; null for none. */
    Budgets.@Nullable Postponed postponed;

    int breakers;
    /** Caps by dependency; null before the first. */
    @Nullable Map<String, DependencyUse> uses;

    /** By pool; null before the first crash. */
    Recycling.Gate @Nullable [] recycling;
    /** Bit p: throttled in pool p. */
    int throttledPools;

    TenantGuard(int tenant, Lookback lookback) {
        this.tenant = tenant;
        this.lookback = lookback;
    }

    Window minute() {
        if (minute == null) {
            minute = new Window(RetryBudget.MINUTE);
        }
        return minute;
    }

    @Nullable TypeHealth type(String name) {
        if (typesByName != null) {
            return typesByName.get(name);
        }
        for (TypeHealth health = types; health != null; health = health.next) {
            if (health.name.equals(name)) {
                return health;
            }
        }
        return null;
    }

    void add(TypeHealth health) {
        health.next = types;
        types = health;
        if (typesByName != null) {
            typesByName.put(health.name, health);
            return;
        }
        int count = 0;
        for (TypeHealth each = types; each != null; each = each.next) {
            count++;
        }
        if (count > FEW) {
            Map<String, TypeHealth> byName = new HashMap<>();
            for (TypeHealth each = types; each != null; each = each.next) {
                byName.put(each.name, each);
            }
            typesByName = byName;
        }
    }

    /** Lets go of windows in which nothing counts any more. */
    void tidy(long now) {
        if (minute != null && minute.isEmpty(now)) {
            minute = null;
        }
        for (TypeHealth health = types; health != null; health = health.next) {
            health.tidy(now);
        }
    }
}
