package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.JobId;
import dev.fairlane.sim.event.Agenda;
import dev.fairlane.sim.seen.Sighting;
import java.util.HashMap;
import java.util.Map;

/**
 * I4, first half: after an acked CANCELLED no attempt starts; the same goes for every other end that was told. A lease that was on its
 * way to its worker at that moment counts as started.
 */
public final class NothingRunsAfterCancelled implements Invariant {
    private final Agenda agenda;
    private final Map<JobId, Long> over = new HashMap<>();

    public NothingRunsAfterCancelled(Agenda agenda) {
        this.agenda = agenda;
    }

    @Override
    public void saw(Sighting sighting) {
        switch (sighting) {
            case Sighting.CancelAnswered cancel
            when cancel.answer() instanceof Answer.Cancelled cancelled
                    && cancelled.state().terminal() -> over.putIfAbsent(cancel.id(), agenda.now());
            case Sighting.ResultAnswered result
            when result.success() && !result.revoked() ->
                over.putIfAbsent(result.lease().id(), agenda.now());
            case Sighting.LeaseHeard heard ->
                require(
                        over.getOrDefault(heard.ref().id(), Long.MAX_VALUE) >= heard.leftAt(),
                        "job " + heard.ref().id() + " was told to be over and then leased to " + heard.stream());
            default ->
                sighting.shown().forEach(job -> {
                    if (job.status().state().terminal()) {
                        over.putIfAbsent(job.spec().id(), agenda.now());
                    }
                });
        }
    }
}
