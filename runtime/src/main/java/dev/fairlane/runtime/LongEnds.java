package dev.fairlane.runtime;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.TenantId;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Looks at the ends of long jobs, after their commit, and tells those who keep checkpoints; knows which types declare them. Written by
 * the loop, read from any thread. Who declared checkpoints and made none is noticed by the engine.
 */
final class LongEnds {
    private final List<Consumer<Fact.JobEnded>> listeners = new CopyOnWriteArrayList<>();
    private final Set<Declared> declared = ConcurrentHashMap.newKeySet();

    private record Declared(TenantId tenant, String type) {}

    void add(Consumer<Fact.JobEnded> listener) {
        listeners.add(listener);
    }

    void put(JobType type) {
        Declared key = new Declared(type.tenant(), type.name());
        if (type.rules().checkpoints()) {
            declared.add(key);
        } else {
            declared.remove(key);
        }
    }

    /** Whether a job at its end should have made a checkpoint and did not. */
    boolean missing(JobSpec spec, JobStatus status) {
        return status.missesCheckpoint() && declared.contains(new Declared(spec.tenant(), spec.type()));
    }

    void observe(List<Fact> facts) {
        for (Fact fact : facts) {
            switch (fact) {
                case Fact.TypeSet set -> put(set.type());
                case Fact.JobEnded ended
                when ended.status().marks().checkpoint() != null ->
                    listeners.forEach(listener -> listener.accept(ended));
                default -> {}
            }
        }
    }
}
