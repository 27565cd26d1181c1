/** The promises, one small class each. They know sightings and time, and nothing of how the product works. */
@NullMarked
package dev.fairlane.sim.invariant;

import org.jspecify.annotations.NullMarked;
