package dev.fairlane.core.model;

import org.jspecify.annotations.Nullable;

/**
 * A job as seen by readers: what was asked, where it is, how it ended.
 *
 * @param progress what its present execution told of itself, if anything
 */
public record JobView(
        JobSpec spec,
        JobStatus status,
        @Nullable Payload result,
        @Nullable Failure failure,
        @Nullable JobProgress progress) {

    /** A job of whose progress nothing is known. */
    public JobView(JobSpec spec, JobStatus status, @Nullable Payload result, @Nullable Failure failure) {
        this(spec, status, result, failure, null);
    }
}
