/**
 * One YAML file, then environment variables, then flags; the later wins, and every value remembers where it came from.
 *
 * <p>{@link dev.fairlane.server.config.Keys} lists all there is. A key that is not in it stops the start with the nearest name that is:
 * a limit somebody misspelled must not be a limit that silently is not there.
 */
@NullMarked
package dev.fairlane.server.config;

import org.jspecify.annotations.NullMarked;
