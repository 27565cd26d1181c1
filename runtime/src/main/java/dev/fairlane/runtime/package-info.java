/** The loop of a node. */
@NullMarked
package dev.fairlane.runtime;

import org.jspecify.annotations.NullMarked;
