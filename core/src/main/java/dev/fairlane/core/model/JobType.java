package dev.fairlane.core.model;

/**
 * A registered handler name of a tenant with what it declares.
 *
 * @param maxAttempts 0: as the pool says
 * @param timeLimitMicros 0: as the pool says
 */
public record JobType(
        TenantId tenant, String name, String pool, int maxAttempts, long timeLimitMicros, long changedAt) {}
