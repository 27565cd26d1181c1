package dev.fairlane.runtime;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.TenantId;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the ends of long jobs, after their commit: tells those who keep checkpoints, and reports jobs whose type declares
 * checkpoints and that made none. Written by the loop; what types declare and the count are read from any thread.
 */
final class LongEnds {
    private static final Logger log = LoggerFactory.getLogger(LongEnds.class);

    /** The suggested interval between checkpoints: whoever ran for less need not have made one. */
    private static final long EXPECTED_AFTER_MICROS = 60_000_000;

    private final List<Consumer<Fact.JobEnded>> listeners = new CopyOnWriteArrayList<>();
    private final Set<Declared> declared = ConcurrentHashMap.newKeySet();
    private volatile long missing;

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

    /** Jobs that should have made a checkpoint and did not, since the node started. */
    long missing() {
        return missing;
    }

    /** Whether a job at its end should have made a checkpoint and did not. */
    boolean missing(JobSpec spec, JobStatus status) {
        return ranLong(status)
                && status.marks().checkpoint() == null
                && declared.contains(new Declared(spec.tenant(), spec.type()));
    }

    void observe(List<Fact> facts) {
        for (Fact fact : facts) {
            switch (fact) {
                case Fact.TypeSet set -> put(set.type());
                case Fact.JobEnded ended
                when ended.status().marks().checkpoint() != null ->
                    listeners.forEach(listener -> listener.accept(ended));
                case Fact.JobEnded ended
                when ended.spec() != null && missing(ended.spec(), ended.status()) -> {
                    missing++;
                    log.warn(
                            "job {} of type {} ran for {} s and made no checkpoint, though its type declares them",
                            ended.id(),
                            ended.spec().type(),
                            (ended.status().changedAt() - ended.status().leasedAt()) / 1_000_000);
                }
                default -> {}
            }
        }
    }

    private static boolean ranLong(JobStatus status) {
        return (status.state() == JobState.SUCCEEDED || status.state() == JobState.DEAD)
                && status.changedAt() - status.leasedAt() >= EXPECTED_AFTER_MICROS;
    }
}
