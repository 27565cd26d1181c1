package dev.fairlane.core.model;

/** Whom use is booked to. Each is empty, or tenant 0, where it is summed over. */
public record UsageAccount(TenantId tenant, String pool, String lane, String type) {}
