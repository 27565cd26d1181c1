package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.AuditHead;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobId;
import dev.fairlane.journal.AuditCheck;
import dev.fairlane.sim.seen.Ending;
import dev.fairlane.sim.seen.Sighting;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Every chain of the audit verifies, and each acked change of the control plane has its entry: of a tenant that was put, and of a gate that
 * was closed, exactly one; of a change of a job at least one, since a call that the network doubled may have changed it twice.
 */
public final class AuditHolds implements Invariant {
    private final Set<Gate> closed = new LinkedHashSet<>();
    private final Map<Integer, JobId> changed = new LinkedHashMap<>();

    /** What stands in the request of the entry about a change of this number. */
    public static String request(int change) {
        return "change-" + change;
    }

    @Override
    public void saw(Sighting sighting) {
        switch (sighting) {
            case Sighting.GateAnswered answered when answered.gate().closed() -> closed.add(answered.gate());
            // Other changes may ask for what is so already.
            case Sighting.ChangeAnswered change
            when change.wanted().tags() != null
                    && change.answer() instanceof Answer.Changed done
                    && done.outcome() == Answer.ChangeOutcome.OK -> changed.put(change.number(), change.id());
            default -> {}
        }
    }

    @Override
    public void ended(Ending ending) {
        for (AuditHead head : ending.audit().heads()) {
            String name = ending.audit().names().getOrDefault(head.chain(), "");
            List<AuditEntry> entries = ending.audit().of(head.chain());
            AuditCheck.firstBreak(head, name, entries)
                    .ifPresent(place -> require(false, "chain " + name + ": " + place));
        }
        ending.audit()
                .names()
                .forEach((id, name) -> once(
                        ending.audit().of(id).stream()
                                .filter(entry -> entry.deed().action().equals("tenant.put"))
                                .count(),
                        "the making of " + name));
        for (Gate gate : closed) {
            once(
                    ending.audit().of(gate.tenant()).stream()
                            .filter(entry -> isAbout(entry, gate))
                            .count(),
                    "the closing of " + gate);
        }
        changed.forEach((number, id) -> require(
                ending.audit().entries().stream()
                        .anyMatch(entry -> entry.by().request().equals(request(number))
                                && entry.deed().target().equals("job/" + id)),
                "change " + number + " of job " + id + " was acked, but the audit does not know it"));
    }

    private static boolean isAbout(AuditEntry entry, Gate gate) {
        String kind = gate.kind().name().toLowerCase(Locale.ROOT);
        return entry.at() == gate.changedAt()
                && entry.deed().action().equals(kind + ".pause")
                && (gate.name().isEmpty() || entry.deed().target().equals(kind + "/" + gate.name()));
    }

    private void once(long entries, String what) {
        require(entries == 1, what + " was acked and has " + entries + " entries in the audit");
    }
}
