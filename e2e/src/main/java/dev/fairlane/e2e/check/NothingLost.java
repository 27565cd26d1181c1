package dev.fairlane.e2e.check;

import dev.fairlane.e2e.history.Event;
import dev.fairlane.e2e.history.History;
import dev.fairlane.e2e.history.JobStory;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** I1: every acked job is there, once, and has ended, in every reading of everything. */
final class NothingLost implements Invariant {
    @Override
    public void check(History history, Consumer<Violation> found) {
        Set<String> readings = passes(history.events(Event.Read.class).map(Event.Read::pass));
        Set<String> listings = passes(history.events(Event.Listed.class).map(Event.Listed::pass));
        if (readings.isEmpty() || listings.isEmpty()) {
            found.accept(new Violation(Rule.NOT_READ, "everything", "the history has no reading of everything"));
        }
        for (JobStory job : history.jobs()) {
            checkRows(job, listings, found);
            if (job.acked()) {
                checkFound(job, found);
                readings.forEach(pass -> checkEnded(job, pass, found));
            }
        }
    }

    private static Set<String> passes(Stream<String> names) {
        return names.filter(name -> !name.equals(Event.NONE)).collect(Collectors.toCollection(TreeSet::new));
    }

    private static void checkFound(JobStory job, Consumer<Violation> found) {
        long acked = job.acks().getFirst().at();
        job.reads().stream()
                .filter(read -> read.state().equals(Event.NOT_FOUND) && read.asked() > acked)
                .findFirst()
                .ifPresent(read -> found.accept(
                        new Violation(Rule.LOST, job.id(), "acked at " + acked + ", not found at " + read.asked())));
    }

    private static void checkEnded(JobStory job, String pass, Consumer<Violation> found) {
        var reads =
                job.reads().stream().filter(read -> read.pass().equals(pass)).toList();
        if (reads.isEmpty()) {
            found.accept(new Violation(Rule.NOT_READ, job.id(), "not asked for in reading " + pass));
        }
        for (Event.Read read : reads) {
            if (!States.isEnd(read.state()) && !read.state().equals(Event.NOT_FOUND)) {
                found.accept(new Violation(Rule.NEVER_ENDED, job.id(), read.state() + " in reading " + pass));
            }
        }
    }

    private static void checkRows(JobStory job, Set<String> listings, Consumer<Violation> found) {
        for (String pass : listings) {
            long rows =
                    job.rows().stream().filter(row -> row.pass().equals(pass)).count();
            if (rows > 1) {
                found.accept(new Violation(Rule.LISTED_TWICE, job.id(), rows + " rows in listing " + pass));
            }
            if (rows == 0 && job.acked()) {
                found.accept(new Violation(Rule.LOST, job.id(), "acked, but not in listing " + pass));
            }
        }
    }
}
