package dev.fairlane.core.model;

/**
 * A registered handler name of a tenant with what it declares.
 *
 * @param maxAttempts 0: as the pool says
 * @param timeLimitMicros 0: as the pool says
 * @param quarantinedAt since when it counts as poison; 0: it does not
 */
public record JobType(
        TenantId tenant,
        String name,
        String pool,
        int maxAttempts,
        long timeLimitMicros,
        long changedAt,
        TypeRules rules,
        long quarantinedAt) {

    /** A type that differs in nothing else from what the node says. */
    public JobType(TenantId tenant, String name, String pool, int maxAttempts, long timeLimitMicros, long changedAt) {
        this(tenant, name, pool, maxAttempts, timeLimitMicros, changedAt, TypeRules.NONE, 0);
    }
}
