package dev.fairlane.core.model;

import org.jspecify.annotations.Nullable;

/**
 * A registered handler name of a tenant with what it declares.
 *
 * @param maxAttempts 0: as the pool says
 * @param timeLimitMicros 0: as the pool says
 * @param quarantinedAt since when it counts as poison; 0: it does not
 * @param moved where its jobs run instead, because they break the bounds of the pool it declares; null: where it declares
 */
public record JobType(
        TenantId tenant,
        String name,
        String pool,
        int maxAttempts,
        long timeLimitMicros,
        long changedAt,
        TypeRules rules,
        long quarantinedAt,
        @Nullable Moved moved) {

    public JobType {
        rules = rules.equals(TypeRules.NONE) ? TypeRules.NONE : rules;
    }

    /** @param until when it is looked at again */
    public record Moved(String pool, long until) {}

    public JobType(
            TenantId tenant,
            String name,
            String pool,
            int maxAttempts,
            long timeLimitMicros,
            long changedAt,
            TypeRules rules,
            long quarantinedAt) {
        this(tenant, name, pool, maxAttempts, timeLimitMicros, changedAt, rules, quarantinedAt, null);
    }

    /** The same, its jobs going elsewhere from now on, or (null) where it declares. */
    public JobType movedTo(@Nullable Moved elsewhere, long now) {
        return new JobType(tenant, name, pool, maxAttempts, timeLimitMicros, now, rules, quarantinedAt, elsewhere);
    }

    /** The same with these names, which are equal to its own. */
    public JobType sharing(TenantId sameTenant, String sameName, String samePool) {
        return new JobType(
                sameTenant, sameName, samePool, maxAttempts, timeLimitMicros, changedAt, rules, quarantinedAt, moved);
    }

    /** Where its jobs go. */
    public String presentPool() {
        return moved == null ? pool : moved.pool;
    }

    /** A type that differs in nothing else from what the node says. */
    public JobType(TenantId tenant, String name, String pool, int maxAttempts, long timeLimitMicros, long changedAt) {
        this(tenant, name, pool, maxAttempts, timeLimitMicros, changedAt, TypeRules.NONE, 0);
    }
}
