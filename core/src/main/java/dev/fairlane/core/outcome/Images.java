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
        return new JobStatus(
                JobState.QUEUED,
                was.attempt(),
                was.execution(),
                was.crashes(),
                was.token(),
                was.worker(),
                was.leasedAt(),
                was.startedAt(),
                0,
                now,
                false,
                now,
                was.attempts(),
                was.marks());
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
        return marks == was.marks()
                ? was
                : new JobStatus(
                        was.state(),
                        was.attempt(),
                        was.execution(),
                        was.crashes(),
                        was.token(),
                        was.worker(),
                        was.leasedAt(),
                        was.startedAt(),
                        was.dueAt(),
                        was.queuedAt(),
                        was.cancelRequested(),
                        was.changedAt(),
                        was.attempts(),
                        marks);
    }

    public static JobStatus cancelRequested(JobStatus was, long now) {
        return new JobStatus(
                was.state(),
                was.attempt(),
                was.execution(),
                was.crashes(),
                was.token(),
                was.worker(),
                was.leasedAt(),
                was.startedAt(),
                was.dueAt(),
                was.queuedAt(),
                true,
                now,
                was.attempts(),
                was.marks());
    }

    /** In another place in time or in line, its past kept; {@code dueAt} and {@code queuedAt} are told by the new state. */
    public static JobStatus moved(JobStatus was, JobState to, long dueAt, long queuedAt, JobMarks marks, long now) {
        return new JobStatus(
                to,
                was.attempt(),
                was.execution(),
                was.crashes(),
                was.token(),
                was.worker(),
                was.leasedAt(),
                was.startedAt(),
                dueAt,
                queuedAt,
                was.cancelRequested(),
                now,
                was.attempts(),
                marks);
    }

    public static JobStatus retryWait(JobStatus was, long dueAt, boolean counted, List<Attempt> attempts, long now) {
        return new JobStatus(
                JobState.RETRY_WAIT,
                counted ? was.attempt() : was.attempt() - 1,
                was.execution(),
                was.crashes(),
                was.token(),
                was.worker(),
                was.leasedAt(),
                was.startedAt(),
                dueAt,
                was.queuedAt(),
                false,
                now,
                attempts,
                was.marks());
    }

    /** After a crash: the attempt is given back, and it keeps the time it was queued, so that it is first in line again. */
    public static JobStatus requeued(JobStatus was, List<Attempt> attempts, long now) {
        return new JobStatus(
                JobState.QUEUED,
                was.attempt() - 1,
                was.execution(),
                was.crashes() + 1,
                was.token(),
                was.worker(),
                was.leasedAt(),
                was.startedAt(),
                0,
                was.queuedAt(),
                false,
                now,
                attempts,
                was.marks());
    }

    /** Given up half-way, at no cost: like after a crash, but nobody crashed. */
    public static JobStatus handedOver(JobStatus was, long now) {
        return new JobStatus(
                JobState.QUEUED,
                was.attempt() - 1,
                was.execution(),
                was.crashes(),
                was.token(),
                was.worker(),
                was.leasedAt(),
                was.startedAt(),
                0,
                was.queuedAt(),
                false,
                now,
                was.attempts(),
                was.marks());
    }

    /** The same execution goes on, with other marks. */
    public static JobStatus marked(JobStatus was, JobMarks marks, long now) {
        return new JobStatus(
                was.state(),
                was.attempt(),
                was.execution(),
                was.crashes(),
                was.token(),
                was.worker(),
                was.leasedAt(),
                was.startedAt(),
                was.dueAt(),
                was.queuedAt(),
                was.cancelRequested(),
                now,
                was.attempts(),
                marks);
    }

    /** Back from the dead letters: attempts and crashes count from zero, executions and what became of them go on. */
    public static JobStatus replayed(JobStatus was, JobMarks marks, long now) {
        return new JobStatus(
                JobState.QUEUED,
                0,
                was.execution(),
                0,
                was.token(),
                was.worker(),
                was.leasedAt(),
                was.startedAt(),
                0,
                now,
                false,
                now,
                was.attempts(),
                marks);
    }

    public static JobStatus ended(JobStatus was, JobState state, int crashes, List<Attempt> attempts, long now) {
        return new JobStatus(
                state,
                was.attempt(),
                was.execution(),
                crashes,
                was.token(),
                was.worker(),
                was.leasedAt(),
                was.startedAt(),
                was.dueAt(),
                was.queuedAt(),
                was.cancelRequested(),
                now,
                attempts,
                was.marks());
    }
}
