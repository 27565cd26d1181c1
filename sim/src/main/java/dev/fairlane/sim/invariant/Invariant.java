package dev.fairlane.sim.invariant;

import dev.fairlane.sim.seen.Ending;
import dev.fairlane.sim.seen.Sighting;

/** A promise of the product, checked after every sighting. */
public interface Invariant {
    default String name() {
        return getClass().getSimpleName();
    }

    /** @throws Broken if the promise is broken */
    void saw(Sighting sighting);

    /** @throws Broken if what the store has kept breaks the promise */
    default void ended(Ending ending) {}

    default void require(boolean kept, String otherwise) {
        if (!kept) {
            throw new Broken(otherwise);
        }
    }

    /** The promise is broken. */
    final class Broken extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public Broken(String message) {
            super(message);
        }
    }
}
