package dev.fairlane.sdk;

import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A job on the server, by its id. Costs nothing to make; every question is a call. */
public final class JobHandle {
    private final Fairlane fairlane;
    private final String id;
    private final @Nullable JobState stateAtSubmit;
    private final boolean existing;
    private final boolean degraded;
    private final @Nullable String position;

    JobHandle(
            Fairlane fairlane,
            String id,
            @Nullable JobState stateAtSubmit,
            boolean existing,
            boolean degraded,
            @Nullable String position) {
        this.fairlane = fairlane;
        this.id = id;
        this.stateAtSubmit = stateAtSubmit;
        this.existing = existing;
        this.degraded = degraded;
        this.position = position;
    }

    public String id() {
        return id;
    }

    /** True when the idempotency key of the submit led to a job that was already there. */
    public boolean existing() {
        return existing;
    }

    /** True when the submit was taken while the server was near its bounds: expect the job to wait. */
    public boolean degraded() {
        return degraded;
    }

    /** Where the submit is durable, for {@link JobFilter#minPosition(String)}; null for a handle made by id. */
    public @Nullable String position() {
        return position;
    }

    /** The state the submit was answered with; null for a handle made by id. It may be out of date: ask {@link #state()}. */
    public @Nullable JobState stateAtSubmit() {
        return stateAtSubmit;
    }

    /** The job's state now. */
    public JobState state() {
        return get().state();
    }

    /**
     * The job now.
     *
     * @throws FairlaneException.NotFound if there is no such job
     */
    public JobInfo get() {
        return fairlane.get(id);
    }

    /**
     * Why the job waits, when it may run and what would let it go on.
     *
     * @throws FairlaneException.NotFound if there is no such job
     */
    public JobExplanation explain() {
        return fairlane.explain(id);
    }

    /**
     * Waits for the job's end and reads its result.
     *
     * @return null when the job has no result
     * @throws FairlaneException.JobFailed if it ended, but not well
     * @throws FairlaneException.TimedOut if it has not ended in time; it goes on
     */
    public <T> T await(Class<T> as, Duration timeout) {
        JobInfo job = await(timeout);
        if (job.state() != JobState.SUCCEEDED) {
            throw new FairlaneException.JobFailed(job);
        }
        return nullable(job.result(as));
    }

    /**
     * Waits for the job's end, however it ends.
     *
     * @throws FairlaneException.TimedOut if it has not ended in time; it goes on
     */
    public JobInfo await(Duration timeout) {
        return fairlane.await(id, timeout);
    }

    /** Asks for the job not to run, or to stop. Asking twice does no harm. */
    public CancelOutcome cancel() {
        return fairlane.cancel(id);
    }

    /**
     * Changes the job while it waits.
     *
     * @throws FairlaneException.Conflict if it is not at the revision the change asks for
     */
    public JobChange.Result change(JobChange change) {
        return fairlane.change(id, change);
    }

    /** Holds the waiting job back until it is {@linkplain #resume() resumed}. Asking twice does no harm. */
    public JobChange.Result pause() {
        return fairlane.pause(id);
    }

    /** Puts the paused job back, at the end of its line. Asking twice does no harm. */
    public JobChange.Result resume() {
        return fairlane.resume(id);
    }

    /**
     * The job now and after every change, until its end. Blocks while there is nothing new; close the stream to stop early.
     * After a lost connection it goes on with the job as it then is.
     */
    public Stream<JobInfo> watch() {
        return fairlane.watch(id);
    }

    // A job without result answers null for every T: callers that expect a result need not check for it.
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T nullable(@Nullable T result) {
        return result;
    }

    @Override
    public String toString() {
        return "JobHandle[" + id + "]";
    }
}
