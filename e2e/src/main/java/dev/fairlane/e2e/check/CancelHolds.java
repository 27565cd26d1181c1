package dev.fairlane.e2e.check;

import dev.fairlane.e2e.history.Event;
import dev.fairlane.e2e.history.History;
import dev.fairlane.e2e.history.JobStory;
import java.util.function.Consumer;

/** I4: after an acked CANCELLED no attempt starts. */
final class CancelHolds implements Invariant {
    @Override
    public void check(History history, Consumer<Violation> found) {
        Pauses pauses = Pauses.in(history);
        for (JobStory job : history.jobs()) {
            job.cancels().stream()
                    .filter(cancel -> cancel.outcome().equals(States.CANCELLED))
                    .findFirst()
                    .ifPresent(cancel -> check(job, cancel, pauses, found));
        }
    }

    private static void check(JobStory job, Event.CancelAnswered cancel, Pauses pauses, Consumer<Violation> found) {
        for (Event.Started start : job.starts()) {
            if (start.at() > cancel.at() && !pauses.excuse(start)) {
                found.accept(new Violation(
                        Rule.STARTED_AFTER_CANCEL,
                        job.id(),
                        "cancelled at " + cancel.at() + ", execution " + start.execution() + " began at " + start.at()
                                + " on " + start.worker()));
            }
        }
    }
}
