package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.JobId;
import dev.fairlane.sim.seen.Sighting;
import java.util.HashSet;
import java.util.Set;

/** A list that was asked for with the position of an acked submit shows that submit's job. */
public final class ListsShowWhatWasAcked implements Invariant {
    @Override
    public void saw(Sighting sighting) {
        if (sighting instanceof Sighting.ListAnswered list && list.owner() && list.complete()) {
            Set<JobId> shown = new HashSet<>();
            list.jobs().forEach(job -> shown.add(job.spec().id()));
            for (JobId id : list.mustShow()) {
                require(shown.contains(id), "a list from " + list.node() + " at its position does not show job " + id);
            }
        }
    }
}
