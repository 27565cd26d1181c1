package dev.fairlane.core.outcome;

import dev.fairlane.core.model.Attempt;
import dev.fairlane.core.model.JobMarks;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.Token;
import java.util.List;

/** The images a job's steps leave behind, each made from the one before. */
public final class Images {
    private Images() {}

    public static JobStatus queued(long queuedAt, long changedAt) {
        return new JobStatus(JobState.QUEUED, 0, 0, 0, Token.NONE, "", 0, 0, 0, queuedAt, false, changedAt, List.of());
    }

    public static JobStatus scheduled(long dueAt, long changedAt) {
        return new JobStatus(JobState.SCHEDULED, 0, 0, 0, Token.NONE, "", 0, 0, dueAt, 0, false, changedAt, List.of());
    }

    /** Due: it goes to the end of its line. */
    public static JobStatus promoted(JobStatus was, long now) {
        return waiting(was, JobState.QUEUED, was.attempt(), was.crashes(), 0, now, was.attempts(), was.marks(), now);
    }

    /** The first execution of a job that waits as it was submitted. */
    public static JobStatus leasedFirst(long queuedAt, long token, String worker, long now) {
        return new JobStatus(JobState.LEASED, 1, 1, 0, token, worker, now, 0, 0, queuedAt, false, now, List.of());
    }

    /** A new execution, counted as an attempt until it turns out that it does not count. */
    public static JobStatus leased(JobStatus was, long token, String worker, long now) {
        return new JobStatus(
                JobState.LEASED,
                was.attempt() + 1,
                was.execution() + 1,
                was.crashes(),
                token,
                worker,
                now,
                0,
                0,
                was.queuedAt(),
                false,
                now,
                was.attempts(),
                was.marks());
    }

    public static JobStatus started(JobStatus was, long now) {
        return new JobStatus(
                JobState.RUNNING,
                was.attempt(),
                was.execution(),
                was.crashes(),
                was.token(),
                was.worker(),
                was.leasedAt(),
                now,
                0,
                was.queuedAt(),
                was.cancelRequested(),
                now,
                was.attempts(),
                was.marks());
    }

    /** The same with other marks. */
    public static JobStatus marked(JobStatus was, JobMarks marks) {
        return marks == was.marks() ? was : marked(was, marks, was.changedAt());
    }

    /** The same execution goes on, with other marks. */
    public static JobStatus marked(JobStatus was, JobMarks marks, long now) {
        return moved(was, was.state(), was.dueAt(), was.queuedAt(), marks, now);
    }

    public static JobStatus cancelRequested(JobStatus was, long now) {
        return following(
                was,
                was.state(),
                was.attempt(),
                was.crashes(),
                was.dueAt(),
                was.queuedAt(),
                true,
                was.attempts(),
                was.marks(),
                now);
    }

    /** In another place in time or in line, its past kept; {@code dueAt} and {@code queuedAt} are told by the new state. */
    public static JobStatus moved(JobStatus was, JobState to, long dueAt, long queuedAt, JobMarks marks, long now) {
        return following(
                was,
                to,
                was.attempt(),
                was.crashes(),
                dueAt,
                queuedAt,
                was.cancelRequested(),
                was.attempts(),
                marks,
                now);
    }

    public static JobStatus retryWait(JobStatus was, long dueAt, boolean counted, List<Attempt> attempts, long now) {
        int attempt = counted ? was.attempt() : was.attempt() - 1;
        return waiting(
                was, JobState.RETRY_WAIT, attempt, was.crashes(), dueAt, was.queuedAt(), attempts, was.marks(), now);
    }

    /** After a crash: the attempt is given back, and it keeps the time it was queued, so that it is first in line again. */
    public static JobStatus requeued(JobStatus was, List<Attempt> attempts, long now) {
        return waiting(
                was,
                JobState.QUEUED,
                was.attempt() - 1,
                was.crashes() + 1,
                0,
                was.queuedAt(),
                attempts,
                was.marks(),
                now);
    }

    /** Given up half-way, at no cost: like after a crash, but nobody crashed. */
    public static JobStatus handedOver(JobStatus was, long now) {
        return waiting(
                was,
                JobState.QUEUED,
                was.attempt() - 1,
                was.crashes(),
                0,
                was.queuedAt(),
                was.attempts(),
                was.marks(),
                now);
    }

    /** Back from the dead letters: attempts and crashes count from zero, executions and what became of them go on. */
    public static JobStatus replayed(JobStatus was, JobMarks marks, long now) {
        return waiting(was, JobState.QUEUED, 0, 0, 0, now, was.attempts(), marks, now);
    }

    public static JobStatus ended(JobStatus was, JobState state, int crashes, List<Attempt> attempts, long now) {
        return following(
                was,
                state,
                was.attempt(),
                crashes,
                was.dueAt(),
                was.queuedAt(),
                was.cancelRequested(),
                attempts,
                was.marks(),
                now);
    }

    /** Waits for its next execution: nobody is asked any more to cancel the last. */
    private static JobStatus waiting(
            JobStatus was,
            JobState state,
            int attempt,
            int crashes,
            long dueAt,
            long queuedAt,
            List<Attempt> attempts,
            JobMarks marks,
            long now) {
        return following(was, state, attempt, crashes, dueAt, queuedAt, false, attempts, marks, now);
    }

    /** The next image within the present execution, or after it: who ran it, and since when, stays. */
    private static JobStatus following(
            JobStatus was,
            JobState state,
            int attempt,
            int crashes,
            long dueAt,
            long queuedAt,
            boolean cancelRequested,
            List<Attempt> attempts,
            JobMarks marks,
            long now) {
        return new JobStatus(
                state,
                attempt,
                was.execution(),
                crashes,
                was.token(),
                was.worker(),
                was.leasedAt(),
                was.startedAt(),
                dueAt,
                queuedAt,
                cancelRequested,
                now,
                attempts,
                marks);
    }
}
