package dev.fairlane.e2e.check;

import dev.fairlane.e2e.history.Event;
import dev.fairlane.e2e.history.History;
import dev.fairlane.e2e.history.JobStory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** I1: a job that was seen at its end stays there, does not run again, and if it succeeded, somebody did it. */
final class OneEnd implements Invariant {

    /** A state that was seen: it held at some moment between asking and answer. */
    private record Sight(long asked, long answered, String state) {}

    @Override
    public void check(History history, Consumer<Violation> found) {
        Pauses pauses = Pauses.in(history);
        for (JobStory job : history.jobs()) {
            List<Sight> sights = sights(job);
            Sight end = firstEnd(sights);
            if (end == null) {
                continue;
            }
            for (Sight later : sights) {
                if (later.asked > end.answered && !later.state.equals(end.state)) {
                    found.accept(new Violation(
                            Rule.END_CHANGED, job.id(), end.state + " first, " + later.state + " afterwards"));
                    break;
                }
            }
            checkRuns(job, end, pauses, found);
            checkEffect(job, found);
        }
    }

    private static List<Sight> sights(JobStory job) {
        List<Sight> sights = new ArrayList<>();
        job.reads().stream()
                .filter(read -> !read.state().equals(Event.NOT_FOUND))
                .forEach(read -> sights.add(new Sight(read.asked(), read.at(), read.state())));
        job.rows().forEach(row -> sights.add(new Sight(row.at(), row.at(), row.state())));
        job.cancels().stream()
                .filter(cancel -> cancel.outcome().equals(States.CANCELLED))
                .forEach(cancel -> sights.add(new Sight(cancel.at(), cancel.at(), States.CANCELLED)));
        return sights;
    }

    private static @Nullable Sight firstEnd(List<Sight> sights) {
        return sights.stream()
                .filter(sight -> States.isEnd(sight.state))
                .min(Comparator.comparingLong(Sight::answered))
                .orElse(null);
    }

    private static void checkRuns(JobStory job, Sight end, Pauses pauses, Consumer<Violation> found) {
        for (Event.Started start : job.starts()) {
            if (start.at() > end.answered && !pauses.excuse(start)) {
                found.accept(new Violation(
                        Rule.STARTED_AFTER_END,
                        job.id(),
                        "seen " + end.state + " at " + end.answered + ", execution " + start.execution() + " began at "
                                + start.at() + " on " + start.worker()));
            }
        }
    }

    private static void checkEffect(JobStory job, Consumer<Violation> found) {
        for (Event.Read read : job.reads()) {
            if (read.state().equals(States.SUCCEEDED)
                    && job.ends().stream().noneMatch(end -> end.succeeded() && end.token() == read.token())) {
                found.accept(new Violation(
                        Rule.END_WITHOUT_EFFECT,
                        job.id(),
                        "succeeded with token " + read.token() + ", under which no worker finished it"));
                return;
            }
        }
    }
}
