package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.JobId;
import dev.fairlane.sim.seen.Sighting;
import java.util.HashSet;
import java.util.Set;

/** I4, first half: after an acked CANCELLED no attempt starts; the same goes for every other end that was told. */
public final class NothingRunsAfterCancelled implements Invariant {
    private final Set<JobId> over = new HashSet<>();

    @Override
    public void saw(Sighting sighting) {
        switch (sighting) {
            case Sighting.CancelAnswered cancel
            when cancel.answer() instanceof Answer.Cancelled cancelled
                    && cancelled.state().terminal() -> over.add(cancel.id());
            case Sighting.ResultAnswered result
            when result.success() && !result.revoked() ->
                over.add(result.lease().id());
            case Sighting.LeaseHeard heard ->
                require(
                        !over.contains(heard.ref().id()),
                        "job " + heard.ref().id() + " was told to be over and then leased to " + heard.stream());
            default ->
                sighting.shown().forEach(job -> {
                    if (job.status().state().terminal()) {
                        over.add(job.spec().id());
                    }
                });
        }
    }
}
