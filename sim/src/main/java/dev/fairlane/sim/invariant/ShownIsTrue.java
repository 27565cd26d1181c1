package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.Attempt;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobView;
import dev.fairlane.sim.seen.Ending;
import dev.fairlane.sim.seen.Sighting;
import java.util.HashMap;
import java.util.Map;

/** Nothing shown is ever un-shown: a job stays what was asked for, and an execution keeps its token, its worker and its beginning. */
public final class ShownIsTrue implements Invariant {
    private final Map<Version, JobSpec> specs = new HashMap<>();
    private final Map<Execution, Lease> leases = new HashMap<>();
    private final Map<Execution, Attempt> attempts = new HashMap<>();

    /** A job is something else only with another revision. */
    private record Version(JobId id, int revision) {}

    private record Execution(JobId id, int number) {}

    private record Lease(long token, String worker, long leasedAt) {}

    @Override
    public void saw(Sighting sighting) {
        sighting.shown().forEach(this::shown);
    }

    @Override
    public void ended(Ending ending) {
        ending.stored().forEach(this::shown);
    }

    private void shown(JobView job) {
        JobId id = job.spec().id();
        JobSpec spec = specs.putIfAbsent(new Version(id, job.spec().terms().revision()), job.spec());
        require(spec == null || spec.equals(job.spec()), "job " + id + " was " + spec + " and is now " + job.spec());
        JobStatus status = job.status();
        if (status.execution() > 0) {
            Lease lease = new Lease(status.token(), status.worker(), status.leasedAt());
            Lease before = leases.putIfAbsent(new Execution(id, status.execution()), lease);
            require(
                    before == null || before.equals(lease),
                    "execution " + status.execution() + " of job " + id + " was " + before + " and is now " + lease);
        }
        for (Attempt attempt : status.attempts()) {
            Attempt before = attempts.putIfAbsent(new Execution(id, attempt.execution()), attempt);
            require(
                    before == null || before.equals(attempt),
                    "job " + id + " was shown to have had " + before + " and now " + attempt);
        }
    }
}
