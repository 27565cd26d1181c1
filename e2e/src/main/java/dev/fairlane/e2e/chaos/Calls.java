package dev.fairlane.e2e.chaos;

import dev.fairlane.e2e.chaos.Work.Done;
import dev.fairlane.e2e.chaos.Work.Order;
import dev.fairlane.e2e.history.Event;
import dev.fairlane.e2e.history.EventLog;
import dev.fairlane.sdk.CancelOutcome;
import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.FairlaneException;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobInfo;
import dev.fairlane.sdk.SubmitResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Calls of one tenant's client, each on record before it is made and after it was answered. Thread-safe. */
final class Calls {
    private static final AtomicLong NUMBERS = new AtomicLong();

    private final String tenant;
    private final Fairlane fairlane;
    private final EventLog log;
    private final Set<String> acked = ConcurrentHashMap.newKeySet();

    Calls(String tenant, Fairlane fairlane, EventLog log) {
        this.tenant = tenant;
        this.fairlane = fairlane;
        this.log = log;
    }

    /**
     * A submit that can be made again with the same number and the same body.
     *
     * @param key null for none
     */
    record Submit(long call, Job job, @Nullable String key, boolean delayed) {}

    enum Answer {
        ACKED,
        REFUSED,
        UNKNOWN
    }

    record Outcome(Answer answer, String job) {}

    static Submit prepare(String type, @Nullable String key, @Nullable Duration delay) {
        long call = NUMBERS.incrementAndGet();
        Job job = Job.of(type, new Order(call));
        if (key != null) {
            job = job.idempotencyKey(key);
        }
        return new Submit(call, delay == null ? job : job.delay(delay), key, delay != null);
    }

    /** One without a key, whose job is to be changed before it leaves. */
    static Submit prepare(String type, UnaryOperator<Job> change) {
        Submit plain = prepare(type, null, null);
        return new Submit(plain.call, change.apply(plain.job), null, false);
    }

    Outcome submit(Submit submit) {
        log.record(submitting(submit));
        try {
            JobHandle handle = fairlane.submit(submit.job);
            return note(acked(submit, handle));
        } catch (FairlaneException e) {
            return note(failed(submit, e));
        }
    }

    List<Outcome> submitAll(List<Submit> submits) {
        log.record(submits.stream().map(this::submitting).toList());
        List<Event> answers = new ArrayList<>(submits.size());
        try {
            List<SubmitResult> results =
                    fairlane.submitAll(submits.stream().map(Submit::job).toList());
            for (int i = 0; i < results.size(); i++) {
                SubmitResult result = results.get(i);
                JobHandle handle = result.handle();
                FairlaneException refusal = result.refusal();
                answers.add(
                        handle != null || refusal == null
                                ? acked(submits.get(i), result.orThrow())
                                : failed(submits.get(i), refusal));
            }
        } catch (FairlaneException e) {
            submits.forEach(submit -> answers.add(failed(submit, e)));
        }
        log.record(answers);
        return answers.stream().map(Calls::outcome).toList();
    }

    Optional<CancelOutcome> cancel(String job) {
        log.record(new Event.Cancelling(EventLog.now(), job));
        try {
            CancelOutcome outcome = fairlane.cancel(job);
            log.record(new Event.CancelAnswered(EventLog.now(), job, outcome.name()));
            return Optional.of(outcome);
        } catch (FairlaneException e) {
            return Optional.empty();
        }
    }

    /** Reads a job while the run goes on. */
    void read(String job) {
        look(Event.NONE, job).ifPresent(log::record);
    }

    /** Reads a job and leaves it to the caller to put it on record; empty when there was no answer. */
    Optional<Event> look(String pass, String job) {
        long asked = EventLog.now();
        try {
            JobInfo info = fairlane.job(job).get();
            return Optional.of(new Event.Read(
                    EventLog.now(), asked, pass, job, info.state().name(), token(info), call(info), key(info)));
        } catch (FairlaneException.NotFound e) {
            return Optional.of(new Event.Read(EventLog.now(), asked, pass, job, Event.NOT_FOUND, 0, 0, Event.NONE));
        } catch (FairlaneException e) {
            return Optional.empty();
        }
    }

    /** Ids of everything that was acked. */
    Set<String> acked() {
        return acked;
    }

    private static long token(JobInfo info) {
        Done done = info.result(Done.class);
        return done == null ? 0 : done.token();
    }

    private static long call(JobInfo info) {
        Order order = info.payload(Order.class);
        return order == null ? 0 : order.call();
    }

    private static String key(JobInfo info) {
        return key(info.tenant(), info.idempotencyKey().orElse(null));
    }

    private static String key(String tenant, @Nullable String key) {
        return key == null ? Event.NONE : tenant + "/" + key;
    }

    private Event submitting(Submit submit) {
        return new Event.Submitting(EventLog.now(), submit.call, key(tenant, submit.key), submit.job.type());
    }

    private Outcome note(Event answer) {
        log.record(answer);
        return outcome(answer);
    }

    private Event acked(Submit submit, JobHandle handle) {
        acked.add(handle.id());
        return new Event.Acked(EventLog.now(), submit.call, handle.id());
    }

    /** Only what says "nothing was done" is a refusal; all other trouble leaves it open. */
    private static Event failed(Submit submit, FairlaneException e) {
        boolean nothingDone = e instanceof FairlaneException.Invalid
                || e instanceof FairlaneException.Conflict
                || e instanceof FairlaneException.Denied
                || e instanceof FairlaneException.LimitReached;
        return nothingDone
                ? new Event.Refused(EventLog.now(), submit.call, e.code())
                : new Event.Unknown(EventLog.now(), submit.call, e.code());
    }

    private static Outcome outcome(Event answer) {
        return switch (answer) {
            case Event.Acked acked -> new Outcome(Answer.ACKED, acked.job());
            case Event.Refused refused -> new Outcome(Answer.REFUSED, Event.NONE);
            default -> new Outcome(Answer.UNKNOWN, Event.NONE);
        };
    }
}
