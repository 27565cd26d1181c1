package dev.fairlane.core.model;

/**
 * Where a key that is not in memory may be stored.
 *
 * @param key its whole name, see {@link KeyName}
 * @param from earliest time of its submit, included; equal to {@code to} when no sealed span may have it
 * @param to latest time of its submit, excluded
 * @param dead whether it may belong to a dead job, of whatever age
 */
public record KeyProbe(TenantId tenant, String key, long from, long to, boolean dead) {}
