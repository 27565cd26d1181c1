package dev.fairlane.core.model;

import java.util.List;

/**
 * Everything about a job that changes, as one image: a fact that carries it replaces what was known.
 *
 * @param attempt attempts begun that count against {@code maxAttempts} (a crash gives its attempt back)
 * @param execution leases given, crashes included; the number of the present or last execution
 * @param crashes executions that ended with the lease
 * @param token of the present or last lease, {@link Token#NONE} before the first
 * @param worker name of who holds or last held it, empty before the first lease
 * @param leasedAt when the present or last lease was given
 * @param startedAt when its worker said it started; 0 until then
 * @param dueAt when a SCHEDULED or RETRY_WAIT job is to be queued
 * @param queuedAt when it was queued last: its place in line and the start of its aging
 * @param changedAt when this image became true
 * @param attempts ended executions that did not end the job well, oldest first, bounded by the retry and crash limits
 */
public record JobStatus(
        JobState state,
        int attempt,
        int execution,
        int crashes,
        long token,
        String worker,
        long leasedAt,
        long startedAt,
        long dueAt,
        long queuedAt,
        boolean cancelRequested,
        long changedAt,
        List<Attempt> attempts,
        JobMarks marks) {

    /** The suggested interval between checkpoints: whoever ran for less need not have made one. */
    private static final long CHECKPOINT_EXPECTED_MICROS = 60_000_000;

    /** Whether the job ended after a long execution, and never made a checkpoint: a fault if its type declares them. */
    public boolean missesCheckpoint() {
        return (state == JobState.SUCCEEDED || state == JobState.DEAD)
                && changedAt - leasedAt >= CHECKPOINT_EXPECTED_MICROS
                && marks.checkpoint() == null;
    }

    /** An image without marks. */
    public JobStatus(
            JobState state,
            int attempt,
            int execution,
            int crashes,
            long token,
            String worker,
            long leasedAt,
            long startedAt,
            long dueAt,
            long queuedAt,
            boolean cancelRequested,
            long changedAt,
            List<Attempt> attempts) {
        this(
                state,
                attempt,
                execution,
                crashes,
                token,
                worker,
                leasedAt,
                startedAt,
                dueAt,
                queuedAt,
                cancelRequested,
                changedAt,
                attempts,
                JobMarks.NONE);
    }
}
