package dev.fairlane.core.model;

import org.jspecify.annotations.Nullable;

/**
 * What the look-up of a key came to.
 *
 * @param key its whole name, see {@link KeyName}
 * @param found null when it is not stored
 */
public record KeyFinding(String key, @Nullable StoredKey found) {}
