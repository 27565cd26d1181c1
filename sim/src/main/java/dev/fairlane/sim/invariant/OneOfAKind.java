package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.Attempt;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.TypeRules.UniqueRule;
import dev.fairlane.sim.seen.Ending;
import dev.fairlane.sim.seen.Kinds;
import dev.fairlane.sim.seen.Lives;
import dev.fairlane.sim.seen.Sighting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** While a job keeps others of its kind out, none is submitted. Judged by the nodes' own times, from what is stored at the end. */
public final class OneOfAKind implements Invariant {
    private record Kind(TenantId tenant, String type, String key) {}

    @Override
    public void saw(Sighting sighting) {}

    @Override
    public void ended(Ending ending) {
        Map<Kind, List<JobView>> kinds = new LinkedHashMap<>();
        for (JobView job : ending.stored()) {
            String key = job.spec().terms().uniqueKey();
            // One that was brought back does not ask whether another came meanwhile.
            if (!key.isEmpty() && Lives.of(job.status()) == 0) {
                kinds.computeIfAbsent(new Kind(job.spec().tenant(), job.spec().type(), key), kind -> new ArrayList<>())
                        .add(job);
            }
        }
        kinds.forEach((kind, jobs) -> {
            UniqueRule rule = Kinds.rule(kind.type());
            if (rule != null) {
                jobs.forEach(one -> jobs.forEach(other -> judge(rule, one, other)));
            }
        });
    }

    private void judge(UniqueRule rule, JobView first, JobView second) {
        long from = first.spec().submittedAt();
        long other = second.spec().submittedAt();
        long until = switch (rule.during()) {
            case QUEUED -> firstLease(first.status());
            case RUNNING -> first.status().state().terminal() ? first.status().changedAt() : Long.MAX_VALUE;
            case A_TIME -> from + rule.periodMicros();
        };
        boolean two = !first.spec().id().equals(second.spec().id());
        require(
                !two || other <= from || other >= until,
                "job " + second.spec().id() + " was submitted at " + other + " beside "
                        + first.spec().id() + " of " + first.spec().type() + ", which keeps others out from " + from
                        + " to " + until);
    }

    /** When it was first leased, or ended without; what cannot be told any more keeps nobody out. */
    private static long firstLease(JobStatus status) {
        if (status.execution() == 0) {
            return status.state().terminal() ? status.changedAt() : Long.MAX_VALUE;
        }
        if (status.execution() == 1) {
            return status.leasedAt();
        }
        return status.attempts().stream()
                .filter(attempt -> attempt.execution() == 1)
                .mapToLong(Attempt::leasedAt)
                .findFirst()
                .orElse(0);
    }
}
