package dev.fairlane.core.model;

/**
 * A customer or team.
 *
 * @param weight its share against its siblings' weights
 */
public record Tenant(TenantId id, String name, int weight, long changedAt, TenantRules rules) {
    public static final int DEFAULT_WEIGHT = 10;
    public static final int MAX_WEIGHT = 100_000;

    public Tenant {
        rules = rules.shared();
    }

    /** A tenant that differs in nothing else from its tier. */
    public Tenant(TenantId id, String name, int weight, long changedAt) {
        this(id, name, weight, changedAt, TenantRules.NONE);
    }
}
