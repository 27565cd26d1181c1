package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.Attempt;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.sim.seen.Ending;
import dev.fairlane.sim.seen.Kinds;
import dev.fairlane.sim.seen.Sighting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** I9: never more executions at once than the cap says. Judged by the nodes' own times, from what is stored at the end. */
public final class CapsHold implements Invariant {
    /** One execution begins or ends. */
    private record Step(long at, int by) {}

    @Override
    public void saw(Sighting sighting) {}

    @Override
    public void ended(Ending ending) {
        Map<TenantId, List<Step>> tenants = new LinkedHashMap<>();
        for (JobView job : ending.stored()) {
            if (job.spec().type().equals(Kinds.CAPPED)) {
                steps(job.status(), tenants.computeIfAbsent(job.spec().tenant(), id -> new ArrayList<>()));
            }
        }
        tenants.forEach(this::judge);
    }

    private static void steps(JobStatus status, List<Step> steps) {
        boolean lastFailed = false;
        for (Attempt attempt : status.attempts()) {
            lastFailed |= attempt.execution() == status.execution();
            steps.add(new Step(attempt.leasedAt(), 1));
            steps.add(new Step(attempt.endedAt(), -1));
        }
        if (!lastFailed && status.execution() > 0 && status.state().terminal()) {
            steps.add(new Step(status.leasedAt(), 1));
            steps.add(new Step(status.changedAt(), -1));
        }
    }

    private void judge(TenantId tenant, List<Step> steps) {
        steps.sort(Comparator.comparingLong(Step::at).thenComparingInt(Step::by));
        int now = 0;
        for (Step step : steps) {
            now += step.by();
            require(
                    now <= Kinds.CAP,
                    now + " executions of " + Kinds.CAPPED + " of " + tenant + " ran at " + step.at()
                            + ", though its cap is " + Kinds.CAP);
        }
    }
}
