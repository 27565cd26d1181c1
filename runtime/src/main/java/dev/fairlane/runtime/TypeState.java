package dev.fairlane.runtime;

import dev.fairlane.core.model.JobType;
import dev.fairlane.core.shard.BreakerState;
import dev.fairlane.core.shard.PaceStats;
import java.util.List;

/** A type with what is not declared but seen of it. */
public record TypeState(JobType type, List<BreakerState> breakers, PaceStats pace) {}
