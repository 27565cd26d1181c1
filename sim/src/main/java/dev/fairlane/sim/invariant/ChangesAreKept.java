package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobView;
import dev.fairlane.sim.seen.Ending;
import dev.fairlane.sim.seen.Sighting;
import java.util.HashMap;
import java.util.Map;

/** A change of a job that was acked is there for everybody who asks later, and in what the store has at the end. */
public final class ChangesAreKept implements Invariant {
    private final Map<JobId, Integer> acked = new HashMap<>();
    private final Map<Long, Integer> asked = new HashMap<>();

    @Override
    public void saw(Sighting sighting) {
        switch (sighting) {
            case Sighting.ChangeAnswered change
            when change.answer() instanceof Answer.Changed changed && changed.outcome() == Answer.ChangeOutcome.OK ->
                acked.merge(change.id(), changed.revision(), Math::max);
            case Sighting.ReadArrived read -> asked.put(read.number(), acked.getOrDefault(read.id(), 0));
            case Sighting.ReadAnswered read -> {
                Integer bound = asked.remove(read.number());
                if (bound != null && read.owner()) {
                    read.view().ifPresent(view -> atLeast(bound, view));
                }
            }
            default -> {}
        }
    }

    @Override
    public void ended(Ending ending) {
        ending.stored().forEach(job -> atLeast(acked.getOrDefault(job.spec().id(), 0), job));
    }

    private void atLeast(int revision, JobView job) {
        int is = job.spec().terms().revision();
        require(
                is >= revision,
                "job " + job.spec().id() + " was changed to revision " + revision + ", but is shown at " + is);
    }
}
