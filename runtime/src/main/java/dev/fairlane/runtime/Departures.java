package dev.fairlane.runtime;

import java.util.ArrayList;
import java.util.List;

/**
 * Ways to workers along which something is to leave. What one worker is told in a turn leaves together: its thread is woken once, its connection is written
 * once, and the worker hears it at once. Owned by the loop.
 */
final class Departures {
    private final List<Runnable> waiting = new ArrayList<>();

    void add(Runnable departure) {
        waiting.add(departure);
    }

    /** Nobody is told more for now. */
    void go() {
        if (!waiting.isEmpty()) {
            waiting.forEach(Runnable::run);
            waiting.clear();
        }
    }
}
