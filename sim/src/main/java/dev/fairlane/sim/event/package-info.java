/** Virtual time: what happens next, by chance from one seed, and a trace of it. */
@NullMarked
package dev.fairlane.sim.event;

import org.jspecify.annotations.NullMarked;
