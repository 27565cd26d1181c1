package dev.fairlane.core.shard;

import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.share.Queue;

/**
 * Open jobs that the store alone has, because they are due long after now. Here is only how many there are; they count as open and
 * as not yet due, and their idempotency keys stay. A job is far only while the stored image is its newest, so neither leaving nor
 * coming back is a fact: a failover costs nothing but a look at the store.
 */
final class FarJobs {
    private final ShardState state;
    private long size;

    FarJobs(ShardState state) {
        this.state = state;
    }

    long size() {
        return size;
    }

    /**
     * When a job has to be in memory again for what time does to it, or 0 for one that may not leave. A job that others are compared with,
     * whose end others wait for, or that a schedule may cancel, stays.
     */
    static long wakeAt(JobSpec spec, JobStatus status) {
        if (status.state() != JobState.SCHEDULED
                || !spec.terms().uniqueKey().isEmpty()
                || !spec.terms().group().isEmpty()
                || DerivedIds.derived(spec.id())) {
            return 0;
        }
        return spec.notAfter() > 0 ? Math.min(status.dueAt(), spec.notAfter() + 1) : status.dueAt();
    }

    /** The job leaves memory, if it is still as the store has it. */
    boolean depart(JobSpec stored, JobStatus image, long now) {
        JobSlots jobs = state.jobs;
        int slot = jobs.find(stored.id());
        if (slot == ShardState.NONE
                || jobs.state(slot) != JobState.SCHEDULED
                || jobs.revision(slot) != stored.terms().revision()
                || !jobs.status(slot).equals(image)
                || wakeAt(stored, image) == 0) {
            return false;
        }
        state.depart(slot, now);
        size++;
        return true;
    }

    /** A far job is in memory again, as the store has it or, at a start, as it has become since. */
    void arrive(JobSpec spec, JobStatus status, boolean whole) {
        int slot = state.load(spec, status);
        if (whole) {
            state.jobs.setSpec(slot, spec);
        }
        if (spec.terms().needs() != JobNeeds.NONE) {
            Queue queue = state.queue(slot);
            state.tree(queue).arrived(queue);
        }
        int tenant = spec.tenant().number();
        state.counts.addOpen(tenant, -1);
        state.counts.addScheduled(tenant, -1);
        size--;
    }

    /** So many of a tenant are in the store. */
    void told(int tenant, long jobs) {
        state.counts.addOpen(tenant, Math.toIntExact(jobs));
        state.counts.addScheduled(tenant, Math.toIntExact(jobs));
        size += jobs;
    }
}
