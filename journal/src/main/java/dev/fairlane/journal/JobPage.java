package dev.fairlane.journal;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** @param next pass as {@code before} for the next page; null when this was the last */
public record JobPage(List<JobView> jobs, @Nullable JobId next) {}
