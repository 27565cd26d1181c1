package dev.fairlane.runtime;

import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.TenantId;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How late ticks submitted their jobs. Bounded: {@link #MAX_SCHEDULES} schedules of a node and {@link #MAX_OF_TENANT} of a tenant have a
 * histogram of their own, those that fire first; the others of a tenant share one, and so do the tenants beyond the first
 * {@link #MAX_TENANTS}. A schedule that is gone makes room. Soft: a failover starts from zero.
 */
final class Lateness {
    static final int MAX_SCHEDULES = 200;
    static final int MAX_OF_TENANT = 50;
    static final int MAX_TENANTS = 200;

    private final Map<ScheduleName, Histogram> own = new HashMap<>();
    private final Map<TenantId, Integer> ownOfTenant = new HashMap<>();
    private final Map<TenantId, Histogram> shared = new HashMap<>();
    private final Histogram rest = new Histogram();
    private boolean anyInRest;

    void add(ScheduleName id, long micros) {
        Histogram histogram = own.get(id);
        (histogram == null ? made(id) : histogram).add(micros);
    }

    private Histogram made(ScheduleName id) {
        int siblings = ownOfTenant.getOrDefault(id.tenant(), 0);
        if (own.size() < MAX_SCHEDULES && siblings < MAX_OF_TENANT) {
            Histogram mine = new Histogram();
            own.put(id, mine);
            ownOfTenant.put(id.tenant(), siblings + 1);
            return mine;
        }
        Histogram ofTenant = shared.get(id.tenant());
        if (ofTenant == null && shared.size() < MAX_TENANTS) {
            ofTenant = new Histogram();
            shared.put(id.tenant(), ofTenant);
        }
        if (ofTenant == null) {
            anyInRest = true;
            return rest;
        }
        return ofTenant;
    }

    /** Those that are gone are not counted on. */
    void keep(Predicate<ScheduleName> stillThere) {
        own.keySet().removeIf(id -> {
            boolean gone = !stillThere.test(id);
            if (gone) {
                ownOfTenant.computeIfPresent(id.tenant(), (_, count) -> count == 1 ? null : count - 1);
            }
            return gone;
        });
    }

    /** @param names of tenants; null for one that is not known any more */
    Map<NodeStatus.LatenessOf, NodeStatus.Pickups> copy(Function<TenantId, @Nullable String> names) {
        Map<NodeStatus.LatenessOf, NodeStatus.Pickups> copy = new HashMap<>();
        own.forEach((id, histogram) -> put(copy, names.apply(id.tenant()), id.name(), histogram));
        shared.forEach((tenant, histogram) -> put(copy, names.apply(tenant), NodeStatus.LatenessOf.OTHERS, histogram));
        if (anyInRest) {
            put(copy, NodeStatus.LatenessOf.OTHERS, NodeStatus.LatenessOf.OTHERS, rest);
        }
        return copy;
    }

    private static void put(
            Map<NodeStatus.LatenessOf, NodeStatus.Pickups> copy,
            @Nullable String tenant,
            String schedule,
            Histogram histogram) {
        if (tenant != null) {
            copy.put(new NodeStatus.LatenessOf(tenant, schedule), histogram.copy());
        }
    }
}
