package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.sim.seen.Lives;
import dev.fairlane.sim.seen.Sighting;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Once a bulk cancel is done, no job that was acked before it began is leased again, but one that was brought back from the dead. */
public final class BulkCancelsReachAll implements Invariant {
    private final Map<Kind, Set<JobId>> acked = new HashMap<>();
    private final Map<Long, Set<JobId>> meant = new HashMap<>();
    private final Map<JobId, Long> over = new HashMap<>();

    private record Kind(TenantId tenant, String type) {}

    @Override
    public void saw(Sighting sighting) {
        switch (sighting) {
            case Sighting.SubmitAnswered answered
            when answered.answer() instanceof Answer.Submitted submitted ->
                acked.computeIfAbsent(
                                new Kind(
                                        answered.request().tenant(),
                                        answered.request().job().type()),
                                kind -> new HashSet<>())
                        .add(submitted.id());
            case Sighting.BulkCancelArrived bulk ->
                meant.put(
                        bulk.number(), Set.copyOf(acked.getOrDefault(new Kind(bulk.tenant(), bulk.type()), Set.of())));
            case Sighting.BulkCancelDone bulk ->
                meant.getOrDefault(bulk.number(), Set.of()).forEach(id -> over.merge(id, bulk.endedAt(), Math::min));
            case Sighting.LeaseHeard heard
            when Lives.of(heard.lease().status()) == 0 ->
                require(
                        heard.lease().status().leasedAt()
                                <= over.getOrDefault(heard.ref().id(), Long.MAX_VALUE),
                        "job " + heard.ref().id() + " was leased after all of its type had been cancelled");
            default -> {}
        }
    }
}
