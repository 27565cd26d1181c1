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
    /** As the store has them, in the order in which it got them. */
    private final SequencedMap<JobId, FarJob> ready = new LinkedHashMap<>();

    /** As the store had them: a flush to come tells what became of them. */
    private final Map<JobId, FarJob> changed = new HashMap<>();

    /** As the store has them; a load that is under way may pass over their rows. */
    private final Map<JobId, FarJob> held = new LinkedHashMap<>();

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
        return first == null ? null : first.getValue();
    }

    /** It is no longer as the store has it, and leaves when the store knows. */
    void later(FarJob job) {
        changed.put(job.spec().id(), job);
    }

    /** It may leave when no load is under way. */
    void hold(FarJob job) {
        held.put(job.spec().id(), job);
    }

    /** No load is under way. */
    void release() {
        ready.putAll(held);
        held.clear();
    }

    void clear() {
        ready.clear();
        held.clear();
        changed.clear();
    }
}
