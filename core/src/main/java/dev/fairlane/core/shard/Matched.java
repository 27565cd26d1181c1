package dev.fairlane.core.shard;

import dev.fairlane.core.model.JobId;
import java.util.List;

/**
 * A stretch of the open jobs, looked through by a filter.
 *
 * @param unsure those whose tags are only in the store, and which fit in all else
 * @param next where to go on; {@link #END} after the last stretch
 */
public record Matched(List<JobId> ids, List<JobId> unsure, int next) {
    public static final int BEGIN = 0;
    public static final int END = -1;
}
