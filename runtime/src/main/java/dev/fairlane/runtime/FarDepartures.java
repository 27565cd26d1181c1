package dev.fairlane.runtime;

import dev.fairlane.core.model.JobId;
import dev.fairlane.journal.FarJob;
import dev.fairlane.journal.Flush;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Far jobs that are in memory and do not have to be: those whose row the store has may leave, those that became something else since
 * leave when that is stored. Bounded by what one or two flushes tell of. Soft: after a start, those that facts of the tail are about stay until
 * they are due.
 */
final class FarDepartures {
    /** A table that had more is not kept once it is empty. */
    private static final int KEPT = 10_000;

    /** As the store has them, in the order in which it got them. */
    private SequencedMap<JobId, FarJob> ready = new LinkedHashMap<>();

    private int mostReady;

    /** As the store had them: a flush to come tells what became of them. */
    private Map<JobId, FarJob> changed = new HashMap<>();

    private int mostChanged;

    /** As the store has them; a load that is under way may pass over their rows. */
    private Map<JobId, FarJob> held = new LinkedHashMap<>();

    /** A flush is durable. */
    void flushed(Flush flush) {
        for (Flush.Added added : flush.added()) {
            if (added.wakeAt() > 0) {
                ready.put(added.spec().id(), new FarJob(added.spec(), added.status(), added.wakeAt(), true));
            }
        }
        for (Flush.Revised revised : flush.revised()) {
            JobId id = revised.spec().id();
            forget(id);
            if (revised.wakeAt() > 0) {
                ready.put(id, new FarJob(revised.spec(), revised.status(), revised.wakeAt(), true));
            }
        }
        for (Flush.Changed now : flush.changed()) {
            FarJob was = now.far() ? forget(now.id()) : null;
            if (was != null && now.staysFar()) {
                ready.put(now.id(), new FarJob(was.spec(), now.status(), was.wakeAt(), was.whole()));
            }
        }
        for (Flush.Ended ended : flush.ended()) {
            if (ended.segment() == Flush.FAR) {
                forget(ended.id());
            }
        }
        mostReady = Math.max(mostReady, ready.size());
        if (changed.isEmpty() && mostChanged > KEPT) {
            changed = new HashMap<>();
            mostChanged = 0;
        }
    }

    private @Nullable FarJob forget(JobId id) {
        FarJob left = ready.remove(id);
        FarJob waiting = held.remove(id);
        FarJob other = changed.remove(id);
        return left != null ? left : waiting != null ? waiting : other;
    }

    boolean none() {
        return ready.isEmpty();
    }

    /** The next one that may leave, or null; it is no longer among them. */
    @Nullable FarJob next() {
        Map.Entry<JobId, FarJob> first = ready.pollFirstEntry();
        if (ready.isEmpty() && mostReady > KEPT) {
            ready = new LinkedHashMap<>();
            mostReady = 0;
        }
        return first == null ? null : first.getValue();
    }

    /** It is no longer as the store has it, and leaves when the store knows. */
    void later(FarJob job) {
        changed.put(job.spec().id(), job);
        mostChanged = Math.max(mostChanged, changed.size());
    }

    /** It may leave when no load is under way. */
    void hold(FarJob job) {
        held.put(job.spec().id(), job);
    }

    /** No load is under way. */
    void release() {
        if (!held.isEmpty()) {
            ready.putAll(held);
            mostReady = Math.max(mostReady, ready.size());
            held = new LinkedHashMap<>();
        }
    }

    void clear() {
        ready.clear();
        held.clear();
        changed.clear();
    }
}
