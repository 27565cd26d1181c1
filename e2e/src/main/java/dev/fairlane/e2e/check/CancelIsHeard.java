package dev.fairlane.e2e.check;

import dev.fairlane.e2e.history.Event;
import dev.fairlane.e2e.history.History;
import dev.fairlane.e2e.history.JobStory;
import java.util.function.Consumer;

/**
 * I4: after cancel_requested a running handler knows within a second of contact. Contact is time in which the worker's stream stands
 * and neither its process nor the server nor PostgreSQL is down; it is counted from the client's ack or from the reconnect.
 */
final class CancelIsHeard implements Invariant {
    static final long WITHIN_NANOS = 1_000_000_000L;

    @Override
    public void check(History history, Consumer<Violation> found) {
        Contacts contacts = Contacts.in(history);
        for (JobStory job : history.jobs()) {
            job.cancels().stream()
                    .filter(cancel -> cancel.outcome().equals("CANCEL_REQUESTED"))
                    .findFirst()
                    .ifPresent(cancel -> job.starts().forEach(start -> check(job, cancel, start, contacts, found)));
        }
    }

    private static void check(
            JobStory job,
            Event.CancelAnswered cancel,
            Event.Started start,
            Contacts contacts,
            Consumer<Violation> found) {
        long from = Math.max(cancel.at(), start.at());
        long until = Math.min(heard(job, start), Math.min(ended(job, start), replaced(job, start)));
        for (Contacts.Span span : contacts.of(start.worker())) {
            long contact = Math.max(span.from(), from);
            if (contact + WITHIN_NANOS < Math.min(span.until(), until)) {
                found.accept(new Violation(
                        Rule.CANCEL_UNHEARD,
                        job.id(),
                        "cancel requested at " + cancel.at() + ", in contact since " + contact + ", and "
                                + start.worker() + " knew nothing until " + until));
                return;
            }
        }
    }

    private static long heard(JobStory job, Event.Started start) {
        return job.heard().stream()
                .filter(heard -> heard.token() == start.token())
                .mapToLong(Event.CancelHeard::at)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private static long ended(JobStory job, Event.Started start) {
        return job.ends().stream()
                .filter(end -> end.token() == start.token())
                .mapToLong(Event.Ended::at)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** An attempt is over for the server when it has given the job to somebody else. */
    private static long replaced(JobStory job, Event.Started start) {
        return job.starts().stream()
                .filter(other -> other.token() > start.token())
                .mapToLong(Event.Started::at)
                .min()
                .orElse(Long.MAX_VALUE);
    }
}
