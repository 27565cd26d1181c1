package dev.fairlane.core.model;

/** A tenant's number in this cell, given once and never reused. People see its name. */
public record TenantId(int number) {}
