package dev.fairlane.runtime;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobProgress;
import dev.fairlane.core.model.JobStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What executions told of their progress. Soft: a failover forgets it until they tell something new. Bounded by the leases there
 * are: an entry goes with its lease. Owned by the loop.
 */
final class ProgressBoard {
    private final LongMap<Told> byJob = new LongMap<>();

    private record Told(long token, JobProgress progress) {}

    void tell(LeaseRef lease, JobProgress progress) {
        byJob.put(lease.id().lo(), new Told(lease.token(), progress));
    }

    @Nullable JobProgress of(JobId id, JobStatus status) {
        Told told = byJob.get(id.lo());
        return told != null && told.token == status.token() && status.state().leased() ? told.progress : null;
    }

    /** Forgets what belonged to leases that are over. */
    void observe(List<Fact> facts) {
        if (byJob.isEmpty()) {
            return;
        }
        for (Fact fact : facts) {
            if (fact instanceof Fact.JobEnded ended) {
                byJob.remove(ended.id().lo());
            } else if (fact instanceof Fact.JobChanged changed
                    && !changed.status().state().leased()) {
                byJob.remove(changed.id().lo());
            }
        }
    }
}
