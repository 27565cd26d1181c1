package dev.fairlane.e2e.check;

import dev.fairlane.e2e.history.Event;
import dev.fairlane.e2e.history.History;
import dev.fairlane.e2e.history.JobStory;
import java.util.ArrayList;
import java.util.List;

/** Judges a history by all invariants. */
public final class Checker {
    private static final List<Invariant> INVARIANTS = List.of(
            new NothingLost(),
            new OneEnd(),
            new NoStaleAccept(),
            new OneJobPerKey(),
            new CancelHolds(),
            new CancelIsHeard(),
            new TicksFireOnce(),
            new AuditKept(),
            new LimitsHold(),
            new QuotasHold());

    private Checker() {}

    public static Findings check(History history) {
        List<Violation> violations = new ArrayList<>();
        for (Invariant invariant : INVARIANTS) {
            invariant.check(history, violations::add);
        }
        return new Findings(violations, seen(history));
    }

    /** What there was to judge: a history in which nothing happened proves nothing. */
    private static Findings.Seen seen(History history) {
        return new Findings.Seen(
                history.jobs().stream().filter(JobStory::acked).count(),
                history.events(Event.Unknown.class).count(),
                history.events(Event.Started.class).count(),
                history.jobs().stream().filter(job -> job.starts().size() > 1).count(),
                history.events(Event.Answered.class)
                        .filter(answer -> !answer.accepted())
                        .count(),
                history.events(Event.CancelAnswered.class)
                        .filter(cancel -> cancel.outcome().equals(States.CANCELLED))
                        .count(),
                history.events(Event.CancelHeard.class).count(),
                history.events(Event.Audited.class).count(),
                history.events(Event.Ticked.class)
                        .map(run -> run.schedule() + " " + run.tick())
                        .distinct()
                        .count(),
                Crowd.in(history).stream().filter(Crowd::full).count() + QuotasHold.reached(history));
    }
}
