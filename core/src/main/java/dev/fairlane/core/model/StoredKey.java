package dev.fairlane.core.model;

import org.jspecify.annotations.Nullable;

/**
 * What a stored key means.
 *
 * @param end how its job ended; null when it is open, or when the one who looked cannot say
 */
public record StoredKey(
        JobId id, long bodyHash, long submittedAt, @Nullable JobState end) {
    public boolean dead() {
        return end == JobState.DEAD;
    }
}
