package dev.fairlane.runtime;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Committed tenants, readable from any thread: edges need a tenant's number for every call. Written by the loop. */
final class Directory {
    private final Map<String, Tenant> byName = new ConcurrentHashMap<>();
    private final Map<TenantId, Tenant> byId = new ConcurrentHashMap<>();

    void put(Tenant tenant) {
        byId.put(tenant.id(), tenant);
        byName.put(tenant.name(), tenant);
    }

    void observe(List<Fact> facts) {
        for (Fact fact : facts) {
            if (fact instanceof Fact.TenantSet set) {
                put(set.tenant());
            }
        }
    }

    void putAll(Collection<Tenant> tenants) {
        tenants.forEach(this::put);
    }

    @Nullable Tenant tenant(String name) {
        return byName.get(name);
    }

    @Nullable Tenant tenant(TenantId id) {
        return byId.get(id);
    }

    List<Tenant> all() {
        return byName.values().stream()
                .sorted((a, b) -> a.name().compareTo(b.name()))
                .toList();
    }
}
