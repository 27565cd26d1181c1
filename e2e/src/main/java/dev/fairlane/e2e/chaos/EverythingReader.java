package dev.fairlane.e2e.chaos;

import dev.fairlane.bench.rig.RigException;
import dev.fairlane.e2e.history.Event;
import dev.fairlane.e2e.history.EventLog;
import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.JobFilter;
import dev.fairlane.sdk.JobInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Lists all jobs there are and asks for each of them by its id. */
final class EverythingReader {
    private static final int READERS = 16;
    private static final int TRIES_MAX = 5;
    private static final Duration PROJECTION_PATIENCE = Duration.ofSeconds(15);
    private static final Duration POLL = Duration.ofMillis(200);

    private final Fairlane admin;
    private final Calls calls;
    private final EventLog log;
    private final Set<String> known;

    /** @param known ids that were acked; they are asked for whether or not they are listed */
    EverythingReader(Fairlane admin, EventLog log, Set<String> known) {
        this.admin = admin;
        this.calls = new Calls("", admin, log);
        this.log = log;
        this.known = known;
    }

    void read(String pass) {
        List<Event.Listed> rows = listing(pass);
        log.record(rows);
        Set<String> jobs = new HashSet<>(known);
        rows.forEach(row -> jobs.add(row.job()));
        ask(pass, List.copyOf(jobs));
    }

    /** The list comes from the projection, which may lag behind for a moment: it is given the time to catch up. */
    private List<Event.Listed> listing(String pass) {
        long end = System.nanoTime() + PROJECTION_PATIENCE.toNanos();
        while (true) {
            List<Event.Listed> rows = new ArrayList<>();
            boolean complete = true;
            try (Stream<JobInfo> jobs = admin.list(JobFilter.all().pageSize(1_000))) {
                for (JobInfo job : (Iterable<JobInfo>) jobs::iterator) {
                    complete &= job.state().terminal();
                    rows.add(row(pass, job));
                }
            }
            if (complete || System.nanoTime() - end > 0) {
                return rows;
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    private static Event.Listed row(String pass, JobInfo job) {
        return new Event.Listed(EventLog.now(), pass, job.id(), job.state().name());
    }

    /** Everything is healed: a question without an answer is asked again, and what has none then is a finding. */
    private Optional<Event> ask(String pass, String job) {
        for (int tries = 1; tries < TRIES_MAX; tries++) {
            Optional<Event> answer = calls.look(pass, job);
            if (answer.isPresent()) {
                return answer;
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
        return calls.look(pass, job);
    }

    private void ask(String pass, List<String> jobs) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> readers = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                int first = i;
                readers.add(threads.submit(() -> {
                    List<Event> answers = new ArrayList<>();
                    for (int j = first; j < jobs.size(); j += READERS) {
                        ask(pass, jobs.get(j)).ifPresent(answers::add);
                    }
                    log.record(answers);
                }));
            }
            for (Future<?> reader : readers) {
                reader.get();
            }
        } catch (ExecutionException e) {
            throw new RigException("cannot read everything: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RigException("interrupted", e);
        }
    }
}
