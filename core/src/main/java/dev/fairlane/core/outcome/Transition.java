package dev.fairlane.core.outcome;

import dev.fairlane.core.model.JobState;
import org.jspecify.annotations.Nullable;

/**
 * One row of the table.
 *
 * @param from null for a job that does not exist yet
 * @param cancelRequested whether somebody had asked to cancel before this step
 */
public record Transition(@Nullable JobState from, boolean cancelRequested, Deed on, JobState to) {}
