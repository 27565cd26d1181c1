package dev.fairlane.core.shard;

import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import java.util.List;

/** What a restart must bring back, sorted; of a spec, what decisions need. */
public record HardState(
        List<Tenant> tenants,
        List<JobType> types,
        List<Gate> gates,
        List<JobGroup> groups,
        List<Schedule> schedules,
        List<Job> jobs,
        List<Key> keys) {
    public record Job(
            JobId id,
            TenantId tenant,
            String type,
            String pool,
            String lane,
            int revision,
            int priority,
            int maxAttempts,
            long notAfter,
            long timeLimitMicros,
            JobStatus status) {
        public JobState state() {
            return status.state();
        }
    }

    /** A key that still counts, by the digest it is kept as. */
    public record Key(TenantId tenant, long digestHi, long digestLo, JobId id, long bodyHash, long submittedAt) {}
}
