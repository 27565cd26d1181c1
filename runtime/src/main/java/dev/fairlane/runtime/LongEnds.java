package dev.fairlane.runtime;

import dev.fairlane.core.model.Fact;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Tells those who keep checkpoints which jobs that made some have come to their end. Told after the commit, on the loop. */
final class LongEnds {
    private final List<Consumer<Fact.JobEnded>> listeners = new CopyOnWriteArrayList<>();

    void add(Consumer<Fact.JobEnded> listener) {
        listeners.add(listener);
    }

    void observe(List<Fact> facts) {
        if (listeners.isEmpty()) {
            return;
        }
        for (Fact fact : facts) {
            if (fact instanceof Fact.JobEnded ended && ended.status().marks().checkpoint() != null) {
                listeners.forEach(listener -> listener.accept(ended));
            }
        }
    }
}
