package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.sim.event.Agenda;
import dev.fairlane.sim.seen.Lives;
import dev.fairlane.sim.seen.Sighting;
import java.util.HashMap;
import java.util.Map;

/**
 * I4, first half: after an acked CANCELLED no attempt starts; the same goes for every other end that was told. A lease that was on its
 * way to its worker at that moment counts as started.
 */
public final class NothingRunsAfterCancelled implements Invariant {
    private final Agenda agenda;
    private final Map<Life, Long> over = new HashMap<>();

    /** One life of a job; {@link #ALL} for an end that no replay follows. */
    private record Life(JobId id, int number) {
        static final int ALL = Integer.MAX_VALUE;
    }

    public NothingRunsAfterCancelled(Agenda agenda) {
        this.agenda = agenda;
    }

    @Override
    public void saw(Sighting sighting) {
        switch (sighting) {
            case Sighting.CancelAnswered cancel
            when cancel.answer() instanceof Answer.Cancelled cancelled
                    && cancelled.state().terminal()
                    && cancelled.state() != JobState.DEAD -> over(cancel.id(), Life.ALL);
            case Sighting.ResultAnswered result
            when result.success() && !result.revoked() -> over(result.lease().id(), Life.ALL);
            case Sighting.LeaseHeard heard -> {
                notOver(heard, Life.ALL);
                notOver(heard, Lives.of(heard.lease().status()));
            }
            default ->
                sighting.shown().forEach(job -> {
                    if (job.status().state().terminal()) {
                        boolean dead = job.status().state() == JobState.DEAD;
                        over(job.spec().id(), dead ? Lives.of(job.status()) : Life.ALL);
                    }
                });
        }
    }

    private void over(JobId id, int life) {
        over.putIfAbsent(new Life(id, life), agenda.now());
    }

    private void notOver(Sighting.LeaseHeard heard, int life) {
        JobId id = heard.ref().id();
        require(
                over.getOrDefault(new Life(id, life), Long.MAX_VALUE) >= heard.leftAt(),
                "job " + id + " was told to be over and then leased to " + heard.stream());
    }
}
