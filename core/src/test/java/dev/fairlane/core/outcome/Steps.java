package dev.fairlane.core.outcome;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The steps of the table that were taken while this is open. */
public final class Steps implements AutoCloseable {
    private final Set<Transition> taken = ConcurrentHashMap.newKeySet();

    public Steps() {
        JobLife.witness = taken::add;
    }

    public boolean taken(Transition step) {
        return taken.contains(step);
    }

    @Override
    public void close() {
        JobLife.witness = null;
    }
}
