package dev.fairlane.e2e.check;

import dev.fairlane.e2e.history.Event;
import dev.fairlane.e2e.history.History;
import dev.fairlane.e2e.history.JobStory;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * I2: no outcome is accepted with a token older than the newest issued for its job, and tokens grow with every lease.
 *
 * <p>What was accepted is known from two sides: a worker that speaks the protocol itself records the server's answers, and every
 * handler returns its token as the result, so the job itself says whose success it took.
 */
final class NoStaleAccept implements Invariant {
    @Override
    public void check(History history, Consumer<Violation> found) {
        for (JobStory job : history.jobs()) {
            checkTokens(job, found);
            checkSuccess(job, found);
            checkAnswers(job, found);
        }
    }

    private static void checkTokens(JobStory job, Consumer<Violation> found) {
        List<Event.Started> starts = job.starts().stream()
                .sorted(Comparator.comparingInt(Event.Started::execution).thenComparingLong(Event.Started::at))
                .toList();
        for (int i = 1; i < starts.size(); i++) {
            Event.Started before = starts.get(i - 1);
            Event.Started after = starts.get(i);
            if (after.token() <= before.token() || after.execution() == before.execution()) {
                found.accept(new Violation(
                        Rule.TOKEN_REPEATED,
                        job.id(),
                        "execution " + before.execution() + " on " + before.worker() + " had token " + before.token()
                                + ", execution " + after.execution() + " on " + after.worker() + " has "
                                + after.token()));
            }
        }
    }

    /** A success is the end: there is no newer lease, before or after. */
    private static void checkSuccess(JobStory job, Consumer<Violation> found) {
        job.reads().stream()
                .filter(read -> read.state().equals(States.SUCCEEDED))
                .findFirst()
                .ifPresent(read -> job.starts().stream()
                        .filter(start -> start.token() > read.token())
                        .findFirst()
                        .ifPresent(newer -> found.accept(stale(job, read.token(), newer))));
    }

    /**
     * A failure that was accepted may be followed by a newer lease, but only one that began after the failure was sent. The same
     * outcome sent twice gets the same answer twice, so only its first sending counts.
     */
    private static void checkAnswers(JobStory job, Consumer<Violation> found) {
        Map<Long, Event.Ended> sent = new HashMap<>();
        job.ends().forEach(end -> sent.putIfAbsent(end.token(), end));
        for (Event.Answered answer : job.answers()) {
            Event.Ended end = sent.get(answer.token());
            if (!answer.accepted() || end == null) {
                continue;
            }
            job.starts().stream()
                    .filter(start -> start.token() > answer.token() && (end.succeeded() || start.at() < end.at()))
                    .findFirst()
                    .ifPresent(newer -> found.accept(stale(job, answer.token(), newer)));
        }
    }

    private static Violation stale(JobStory job, long token, Event.Started newer) {
        return new Violation(
                Rule.STALE_ACCEPTED,
                job.id(),
                "accepted with token " + token + ", but execution " + newer.execution() + " on " + newer.worker()
                        + " has " + newer.token());
    }
}
