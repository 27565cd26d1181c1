package dev.fairlane.journal;

import dev.fairlane.core.model.JobId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** @param next pass as {@code after} for the next page; null when this was the last */
public record DeadIds(List<JobId> ids, DeadQuery.@Nullable Place next) {}
