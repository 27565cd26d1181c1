package dev.fairlane.core.model;

/** A customer or team. The weight is its share against its siblings' weights. */
public record Tenant(TenantId id, String name, int weight, long changedAt) {
    public static final int DEFAULT_WEIGHT = 10;
    public static final int MAX_WEIGHT = 100_000;
}
