package dev.fairlane.core.shard;

import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantRules.KeyLimit;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The concurrency and rate keys that open jobs have, by tenant, each with the limit that the tenant's rules set it. */
final class KeysInUse {
    /** Rate keys of a tenant that no open job has and that are remembered until their buckets are full. */
    static final int MAX_IDLE_RATES = 10_000;

    /** Keys of one tenant. */
    private static final class Keys {
        final Map<String, KeyUse> concurrency = new HashMap<>();
        final Map<String, RateUse> rate = new HashMap<>();
        /** Of {@link #rate}, those without an open job, the longest idle first. */
        final Set<RateUse> idle = new LinkedHashSet<>();
    }

    private final ShardState state;
    private final KeyLimits limits;
    private final Map<Integer, Keys> tenants = new HashMap<>();

    /** @param limits what their timers tell */
    KeysInUse(ShardState state, KeyLimits limits) {
        this.state = state;
        this.limits = limits;
    }

    /** The limit that counts for a key: its own, else that of the longest beginning. */
    static @Nullable KeyLimit limit(Tenant tenant, KeyLimit.Kind kind, String key) {
        KeyLimit best = null;
        for (KeyLimit limit : tenant.rules().keyLimits()) {
            if (limit.kind() == kind && limit.covers(key) && (best == null || exactness(limit) > exactness(best))) {
                best = limit;
            }
        }
        return best;
    }

    private static int exactness(KeyLimit limit) {
        return limit.key().endsWith("*") ? limit.key().length() : Integer.MAX_VALUE;
    }

    /** Sets all keys of a tenant the limits of its rules. */
    void set(Tenant tenant) {
        Keys keys = tenants.get(tenant.id().number());
        if (keys != null) {
            keys.concurrency.values().forEach(use -> setCap(use, tenant));
            keys.rate.values().forEach(use -> setRate(use, tenant, tenant.changedAt()));
        }
    }

    private static void setCap(KeyUse use, Tenant tenant) {
        KeyLimit limit = limit(tenant, KeyLimit.Kind.CONCURRENCY, use.key);
        use.cap = limit == null ? Integer.MAX_VALUE : limit.limit();
    }

    private static void setRate(RateUse use, Tenant tenant, long now) {
        KeyLimit limit = limit(tenant, KeyLimit.Kind.RATE, use.key);
        use.set(limit == null ? 0 : limit.limit(), limit == null ? 1 : limit.perMicros(), now);
    }

    Collection<KeyUse> concurrency(int tenant) {
        Keys keys = tenants.get(tenant);
        return keys == null ? List.of() : keys.concurrency.values();
    }

    Collection<RateUse> rates(int tenant) {
        Keys keys = tenants.get(tenant);
        return keys == null ? List.of() : List.copyOf(keys.rate.values());
    }

    /** The use of a concurrency key that a job has, which may be new. */
    KeyUse concurrency(int tenant, String key) {
        KeyUse use = keys(tenant).concurrency.get(key);
        if (use == null) {
            use = new KeyUse(key);
            setCap(use, rules(tenant));
            keys(tenant).concurrency.put(key, use);
        }
        return use;
    }

    /** The use of a rate key that a job has, which may be new. */
    RateUse rate(int tenant, String key, long now) {
        RateUse use = keys(tenant).rate.get(key);
        if (use == null) {
            use = new RateUse(tenant, key, limits);
            setRate(use, rules(tenant), now);
            keys(tenant).rate.put(key, use);
        } else {
            keys(tenant).idle.remove(use);
        }
        return use;
    }

    private Keys keys(int tenant) {
        return tenants.computeIfAbsent(tenant, number -> new Keys());
    }

    private Tenant rules(int tenant) {
        Tenant rules = state.directory.tenant(tenant);
        if (rules == null) {
            throw new IllegalStateException("expected tenant " + tenant + " to be known");
        }
        return rules;
    }

    @Nullable KeyUse concurrencyOf(@Nullable JobNeeds needs, int tenant) {
        Keys keys = tenants.get(tenant);
        return needs == null || keys == null ? null : keys.concurrency.get(needs.concurrencyKey());
    }

    @Nullable RateUse rateOf(@Nullable JobNeeds needs, int tenant) {
        Keys keys = tenants.get(tenant);
        return needs == null || keys == null ? null : keys.rate.get(needs.rateKey());
    }

    /** Forgets a concurrency key that no job has or holds. */
    void tidy(int tenant, KeyUse use) {
        if (use.unused()) {
            keys(tenant).concurrency.remove(use.key);
        }
    }

    /** No open job has the rate key: it is remembered until its bucket is full, if there is room. */
    void rest(RateUse use, long now) {
        if (use.unused(now)) {
            forget(use);
            return;
        }
        state.guards.deadlines.set(use, Math.max(now + 1, use.fullAt()));
        Set<RateUse> idle = keys(use.tenant).idle;
        idle.add(use);
        if (idle.size() > MAX_IDLE_RATES) {
            forget(idle.iterator().next());
        }
    }

    private void forget(RateUse use) {
        Keys keys = keys(use.tenant);
        keys.rate.remove(use.key);
        keys.idle.remove(use);
        state.guards.deadlines.cancel(use);
    }
}
