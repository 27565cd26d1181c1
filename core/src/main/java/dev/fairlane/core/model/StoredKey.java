package dev.fairlane.core.model;

/**
 * What a stored key means.
 *
 * @param dead its job is known to be dead; false when it is not, or when nobody looked
 */
public record StoredKey(JobId id, long bodyHash, long submittedAt, boolean dead) {}
