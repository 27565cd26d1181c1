/** The commands of {@code ./fairlane}. */
@NullMarked
package dev.fairlane.cli;

import org.jspecify.annotations.NullMarked;
