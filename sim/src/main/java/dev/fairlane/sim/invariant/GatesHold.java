package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.sim.seen.Sighting;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Nothing behind a closed gate is leased. A gate is surely closed from an acked close until anybody asks a node to open it, heard
 * or not; times are compared as the nodes tell them, which never go back along the log.
 */
public final class GatesHold implements Invariant {
    private final Map<Which, Integer> opens = new HashMap<>();
    private final Map<Long, Integer> opensWhenAsked = new HashMap<>();
    private final Map<Which, Long> closedSince = new LinkedHashMap<>();

    private record Which(Gate.Kind kind, TenantId tenant, String name) {
        boolean holds(JobSpec job) {
            return switch (kind) {
                case SYSTEM -> true;
                case POOL -> name.equals(job.pool());
                case TENANT -> tenant.equals(job.tenant());
                case LANE ->
                    tenant.equals(job.tenant()) && name.equals(job.terms().lane());
                case TYPE -> tenant.equals(job.tenant()) && name.equals(job.type());
            };
        }
    }

    @Override
    public void saw(Sighting sighting) {
        switch (sighting) {
            case Sighting.GateArrived arrived -> {
                Command.SetGate set = arrived.set();
                Which which = new Which(set.kind(), set.tenant(), set.name());
                if (set.closed()) {
                    opensWhenAsked.put(arrived.number(), opens.getOrDefault(which, 0));
                } else {
                    opens.merge(which, 1, Integer::sum);
                    closedSince.remove(which);
                }
            }
            case Sighting.GateAnswered answered -> {
                Gate gate = answered.gate();
                Which which = new Which(gate.kind(), gate.tenant(), gate.name());
                Integer then = opensWhenAsked.remove(answered.number());
                if (then != null) {
                    require(gate.closed(), "a gate was told to close, and is " + gate);
                    if (then.equals(opens.getOrDefault(which, 0))) {
                        closedSince.put(which, gate.changedAt());
                    }
                }
            }
            case Sighting.LeaseHeard heard -> judge(heard);
            default -> {}
        }
    }

    private void judge(Sighting.LeaseHeard heard) {
        long leasedAt = heard.lease().status().leasedAt();
        closedSince.forEach((which, since) -> require(
                leasedAt <= since || !which.holds(heard.lease().spec()),
                "job " + heard.ref().id() + " was leased at " + leasedAt + " behind " + which + ", closed since "
                        + since));
    }
}
