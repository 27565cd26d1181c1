package dev.fairlane.runtime;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Committed tenants and what edges have to know of types, readable from any thread: they need them for every call. Written by the
 * loop.
 */
final class Directory {
    private final Map<String, Tenant> byName = new ConcurrentHashMap<>();
    private final Map<TenantId, Tenant> byId = new ConcurrentHashMap<>();
    private final Map<TypeName, String> schemas = new ConcurrentHashMap<>();

    private record TypeName(TenantId tenant, String type) {}

    void put(Tenant tenant) {
        byId.put(tenant.id(), tenant);
        byName.put(tenant.name(), tenant);
    }

    void put(JobType type) {
        TypeName name = new TypeName(type.tenant(), type.name());
        String schema = type.rules().payloadSchema();
        if (schema.isEmpty()) {
            schemas.remove(name);
        } else {
            schemas.put(name, schema);
        }
    }

    void observe(List<Fact> facts) {
        for (Fact fact : facts) {
            observe(fact);
        }
    }

    void observe(Fact fact) {
        if (fact instanceof Fact.TenantSet set) {
            put(set.tenant());
        } else if (fact instanceof Fact.TypeSet set) {
            put(set.type());
        }
    }

    /** JSON Schema of a type's payloads, empty for none. */
    String payloadSchema(TenantId tenant, String type) {
        return schemas.isEmpty() ? "" : schemas.getOrDefault(new TypeName(tenant, type), "");
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
