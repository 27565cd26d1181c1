package dev.fairlane.core.model;

import org.jspecify.annotations.Nullable;

/** A job as seen by readers: what was asked, where it is, how it ended. */
public record JobView(
        JobSpec spec,
        JobStatus status,
        @Nullable Payload result,
        @Nullable Failure failure) {}
