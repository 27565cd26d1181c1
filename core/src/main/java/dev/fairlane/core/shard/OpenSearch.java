package dev.fairlane.core.shard;

import dev.fairlane.core.model.JobFilter;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.share.Queue;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds open jobs by looking through them, a stretch at a time, so that nobody waits long. A job that is there from the first
 * stretch to the last is looked at once; one that comes or goes meanwhile may be missed.
 */
final class OpenSearch {
    /** Slots looked at per stretch: well below a millisecond. */
    private static final int STRETCH = 20_000;

    private final ShardState state;

    OpenSearch(ShardState state) {
        this.state = state;
    }

    Matched match(JobFilter filter, int cursor, int max) {
        List<JobId> ids = new ArrayList<>();
        List<JobId> unsure = new ArrayList<>();
        JobSlots jobs = state.jobs;
        int slot = cursor;
        int end = (int) Math.min(jobs.bound(), (long) cursor + STRETCH);
        for (; slot < end && ids.size() + unsure.size() < max; slot++) {
            if (!jobs.isUsed(slot) || !fits(slot, filter)) {
                continue;
            }
            JobSpec spec = jobs.spec(slot);
            if (filter.tags().isEmpty() || spec != null && filter.tagsFit(spec)) {
                ids.add(jobs.id(slot));
            } else if (spec == null) {
                unsure.add(jobs.id(slot));
            }
        }
        return new Matched(ids, unsure, slot < jobs.bound() ? slot : Matched.END);
    }

    private boolean fits(int slot, JobFilter filter) {
        Queue queue = state.queue(slot);
        return (filter.scope() == null
                        || filter.scope().number() == queue.account().tenant())
                && (filter.type().isEmpty() || filter.type().equals(queue.type()))
                && (filter.lane().isEmpty() || filter.lane().equals(queue.name()))
                && filter.stateFits(state.jobs.state(slot))
                && filter.timeFits(state.jobs.id(slot).millis() * 1_000);
    }
}
