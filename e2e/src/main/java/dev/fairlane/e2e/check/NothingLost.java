package dev.fairlane.e2e.check;

import dev.fairlane.e2e.history.Event;
import dev.fairlane.e2e.history.History;
import dev.fairlane.e2e.history.JobStory;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** I1: every acked job is there, once, and has ended, in every reading of everything that began after its ack. */
final class NothingLost implements Invariant {
    @Override
    public void check(History history, Consumer<Violation> found) {
        Map<String, Long> readings = new TreeMap<>();
        Map<String, Long> listings = new TreeMap<>();
        history.events(Event.Read.class)
                .filter(read -> !read.pass().equals(Event.NONE))
                .forEach(read -> readings.merge(read.pass(), read.asked(), Math::min));
        history.events(Event.Listed.class).forEach(row -> listings.merge(row.pass(), row.at(), Math::min));
        if (readings.isEmpty() || !readings.keySet().equals(listings.keySet())) {
            found.accept(new Violation(
                    Rule.NOT_READ, "everything", "read in " + readings.keySet() + ", listed in " + listings.keySet()));
        }
        for (JobStory job : history.jobs()) {
            long acked = job.acked() ? job.acks().getFirst().at() : Long.MAX_VALUE;
            checkFound(job, acked, found);
            listings.forEach((pass, begin) -> checkRows(job, pass, acked < begin, found));
            readings.forEach((pass, begin) -> checkEnded(job, pass, acked < begin, found));
        }
    }

    private static void checkFound(JobStory job, long acked, Consumer<Violation> found) {
        job.reads().stream()
                .filter(read -> read.state().equals(Event.NOT_FOUND) && read.asked() > acked)
                .findFirst()
                .ifPresent(read -> found.accept(
                        new Violation(Rule.LOST, job.id(), "acked at " + acked + ", not found at " + read.asked())));
    }

    private static void checkEnded(JobStory job, String pass, boolean due, Consumer<Violation> found) {
        var reads =
                job.reads().stream().filter(read -> read.pass().equals(pass)).toList();
        if (due && reads.isEmpty()) {
            found.accept(new Violation(Rule.NOT_READ, job.id(), "not asked for in reading " + pass));
        }
        for (Event.Read read : reads) {
            if (!States.isEnd(read.state()) && !read.state().equals(Event.NOT_FOUND)) {
                found.accept(new Violation(Rule.NEVER_ENDED, job.id(), read.state() + " in reading " + pass));
            }
        }
    }

    private static void checkRows(JobStory job, String pass, boolean due, Consumer<Violation> found) {
        long rows = job.rows().stream().filter(row -> row.pass().equals(pass)).count();
        if (rows > 1) {
            found.accept(new Violation(Rule.LISTED_TWICE, job.id(), rows + " rows in listing " + pass));
        }
        if (due && rows == 0) {
            found.accept(new Violation(Rule.LOST, job.id(), "acked, but not in listing " + pass));
        }
    }
}
