/** Deterministic simulation. */
@NullMarked
package dev.fairlane.sim;

import org.jspecify.annotations.NullMarked;
