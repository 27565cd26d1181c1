package dev.fairlane.e2e.check;

import dev.fairlane.e2e.history.Event;
import dev.fairlane.e2e.history.History;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Workers that were stopped for a while. A lease that was already in such a worker's socket is begun when it wakes up, whatever became
 * of the job in between: no server can prevent that, and fencing is what makes it harmless.
 */
final class Pauses {
    /** The name of the fault that stops a process and lets it go on later. */
    static final String FAULT = "pause_worker";

    private static final long LATE_NANOS = 2_000_000_000L;

    private final Map<String, Set<Long>> ends = new HashMap<>();

    private Pauses() {}

    static Pauses in(History history) {
        Pauses pauses = new Pauses();
        Set<String> paused = new HashSet<>();
        for (Event event : history.events()) {
            if (event instanceof Event.Struck struck && struck.fault().equals(FAULT)) {
                paused.add(struck.target());
            } else if (event instanceof Event.Healed healed && paused.remove(healed.target())) {
                pauses.ends
                        .computeIfAbsent(healed.target(), worker -> new HashSet<>())
                        .add(healed.at());
            }
        }
        return pauses;
    }

    boolean excuse(Event.Started start) {
        return excuse(start.worker(), start.at());
    }

    /** Whether the worker had just woken up. */
    boolean excuse(String worker, long begin) {
        return ends.getOrDefault(worker, Set.of()).stream().anyMatch(end -> begin >= end && begin - end < LATE_NANOS);
    }
}
