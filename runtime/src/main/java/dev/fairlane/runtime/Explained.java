package dev.fairlane.runtime;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.shard.WaitingJob;
import org.jspecify.annotations.Nullable;

/**
 * How things are with a job.
 *
 * @param waiting why it waits, null when it is at its end
 * @param estimateMicros how long an execution of its type takes, as far as is known
 * @param now when this was so
 */
public record Explained(JobId id, JobState state, @Nullable WaitingJob waiting, long estimateMicros, long now) {}
