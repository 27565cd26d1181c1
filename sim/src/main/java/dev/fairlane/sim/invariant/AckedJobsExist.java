package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobView;
import dev.fairlane.sim.seen.Ending;
import dev.fairlane.sim.seen.Sighting;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** I1, first half: every acked job can be read from then on, and is in the store once and at its end when all is over. */
public final class AckedJobsExist implements Invariant {
    private final Set<JobId> acked = new LinkedHashSet<>();
    private final Set<Long> readsOfAcked = new HashSet<>();

    @Override
    public void saw(Sighting sighting) {
        switch (sighting) {
            case Sighting.SubmitAnswered answered
            when answered.answer() instanceof Answer.Submitted submitted -> acked.add(submitted.id());
            case Sighting.ReadArrived read -> {
                if (acked.contains(read.id())) {
                    readsOfAcked.add(read.number());
                }
            }
            case Sighting.ReadAnswered read ->
                require(
                        !readsOfAcked.remove(read.number())
                                || !read.owner()
                                || read.view().isPresent(),
                        "job " + read.id() + " was acked, and a later read from " + read.node() + " does not find it");
            case Sighting.CancelAnswered cancel
            when acked.contains(cancel.id()) ->
                require(
                        cancel.answer() instanceof Answer.Cancelled,
                        "job " + cancel.id() + " was acked, and a later cancel at " + cancel.node() + " hears "
                                + cancel.answer());
            default -> {}
        }
    }

    @Override
    public void ended(Ending ending) {
        Map<JobId, JobState> stored = new HashMap<>();
        for (JobView job : ending.stored()) {
            JobState before = stored.put(job.spec().id(), job.status().state());
            require(before == null, "job " + job.spec().id() + " is stored twice");
        }
        for (JobId id : acked) {
            JobState state = stored.get(id);
            require(state != null, "job " + id + " was acked and is not in the store at the end");
            require(
                    state != null && state.terminal(),
                    "job " + id + " was acked and is stored as " + state + " at the end");
        }
    }
}
