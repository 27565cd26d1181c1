package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobView;
import dev.fairlane.sim.event.Agenda;
import dev.fairlane.sim.seen.Sighting;
import java.util.HashMap;
import java.util.Map;

/**
 * A change that was to be made to one revision was made to that one: no two changes lead to the same revision, the job then is what
 * the change wanted, and an execution that begins after an acked change has it.
 */
public final class NoUpdateIsLost implements Invariant {
    private final Map<Version, Integer> changes = new HashMap<>();
    private final Map<Version, String> tags = new HashMap<>();
    private final Map<JobId, Acked> newest = new HashMap<>();
    private final Agenda agenda;

    private record Version(JobId id, int revision) {}

    private record Acked(int revision, long at) {}

    public NoUpdateIsLost(Agenda agenda) {
        this.agenda = agenda;
    }

    @Override
    public void saw(Sighting sighting) {
        switch (sighting) {
            case Sighting.ChangeAnswered change
            when change.answer() instanceof Answer.Changed changed && changed.outcome() == Answer.ChangeOutcome.OK ->
                made(change, changed.revision());
            default -> sighting.shown().forEach(this::shown);
        }
        if (sighting instanceof Sighting.LeaseHeard heard) {
            begins(heard);
        }
    }

    private void made(Sighting.ChangeAnswered change, int revision) {
        boolean bound = change.ifRevision() != Command.ANY_REVISION;
        require(
                !bound || revision == change.ifRevision() || revision == change.ifRevision() + 1,
                "change " + change.number() + " of revision " + change.ifRevision() + " of job " + change.id()
                        + " led to revision " + revision);
        Acked acked = new Acked(revision, agenda.now());
        newest.merge(change.id(), acked, (a, b) -> a.revision() >= b.revision() ? a : b);
        Map<String, String> wanted = change.wanted().tags();
        if (wanted == null || bound && revision == change.ifRevision()) {
            return;
        }
        Version version = new Version(change.id(), revision);
        Integer other = changes.putIfAbsent(version, change.number());
        require(
                other == null || other == change.number(),
                "changes " + other + " and " + change.number() + " both made revision " + revision + " of job "
                        + change.id());
        tags.put(version, wanted.getOrDefault(Sighting.CHANGED_TAG, ""));
    }

    private void shown(JobView job) {
        String wanted = tags.get(new Version(job.spec().id(), job.spec().terms().revision()));
        String is = job.spec().tags().getOrDefault(Sighting.CHANGED_TAG, "");
        require(
                wanted == null || wanted.equals(is),
                "job " + job.spec().id() + " was changed to " + wanted + " and is shown as " + is);
    }

    private void begins(Sighting.LeaseHeard heard) {
        Acked acked = newest.get(heard.ref().id());
        int is = heard.lease().spec().terms().revision();
        require(
                acked == null || heard.leftAt() <= acked.at() || is >= acked.revision(),
                "job " + heard.ref().id() + " was leased at revision " + is + " after " + acked + " was acked");
    }
}
