/**
 * What an observer outside of the nodes sees: what reaches them, and what leaves them. Nothing in here looks into a node; at the
 * very end it also looks at what the store has kept.
 */
@NullMarked
package dev.fairlane.sim.seen;

import org.jspecify.annotations.NullMarked;
