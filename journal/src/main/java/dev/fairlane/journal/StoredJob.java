package dev.fairlane.journal;

import dev.fairlane.core.model.JobId;
import java.util.List;

/**
 * A stored open job and where its spec is, as its owner knows it: whoever looks there first need not look anywhere else.
 *
 * @param tenant its number, or {@link #ANYBODY} where it is not known, which makes the search longer
 * @param home the segment, {@link Flush#FAR}, or {@link #ANYWHERE}; one that the job has left meanwhile does no harm
 */
public record StoredJob(JobId id, int tenant, int home) {
    public static final int ANYWHERE = -1;
    public static final int ANYBODY = -1;

    public static List<StoredJob> anywhere(List<JobId> ids) {
        return ids.stream().map(id -> new StoredJob(id, ANYBODY, ANYWHERE)).toList();
    }
}
