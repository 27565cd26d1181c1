package dev.fairlane.sim.world;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.sim.seen.Sighting;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Pauses types, lanes, its tenant and whole pools, and lets them go on a little later. */
final class GateWishes implements Wishes {
    private static final int CLOSED_AT_ONCE = 2;

    private final Desk desk;

    /** Gates that may be closed, each with the last time it was told to. */
    private final Map<Which, Long> closed = new LinkedHashMap<>();

    private record Which(Gate.Kind kind, TenantId tenant, String name) {}

    GateWishes(Desk desk) {
        this.desk = desk;
    }

    @Override
    public void wish() {
        if (closed.size() >= CLOSED_AT_ONCE) {
            return;
        }
        Which which = some();
        set(which, true);
        desk.world.agenda().after(desk.chance.between(300_000, 5_000_000), () -> set(which, false));
    }

    private Which some() {
        return switch (desk.chance.below(6)) {
            case 0 -> new Which(Gate.Kind.TENANT, desk.mine(), "");
            case 1 ->
                new Which(Gate.Kind.POOL, Gate.EVERYBODY, desk.chance.pick(List.of(PoolRules.SHORT, PoolRules.MEDIUM)));
            case 2 -> new Which(Gate.Kind.LANE, desk.mine(), JobTerms.DEFAULT_LANE);
            case 3 -> new Which(Gate.Kind.LANE, desk.mine(), "lane-" + desk.chance.below(3));
            default ->
                new Which(
                        Gate.Kind.TYPE,
                        desk.mine(),
                        desk.chance.pick(desk.chance.of(0.7) ? SimClient.PLAIN : SimClient.TYPES));
        };
    }

    private void set(Which which, boolean close) {
        long sent = desk.world.now();
        if (close) {
            closed.put(which, sent);
        }
        Command.SetGate command =
                new Command.SetGate(which.kind(), which.tenant(), which.name(), close, desk.name, "simulated");
        desk.calls.<Said>ask(
                (at, node) -> {
                    long asked = desk.world.agenda().ran();
                    desk.world.say(desk.name + (close ? " closes " : " opens ") + which + " at " + at);
                    desk.saw(new Sighting.GateArrived(asked, command));
                    return node.controls()
                            .setGate(command, desk.author(""))
                            .thenApply(answer -> new Said(asked, answer));
                },
                (at, said) -> {
                    desk.world.say(at + " answers about a gate: " + said.answer());
                    if (!at.tellsNews()) {
                        return;
                    }
                    if (said.answer() instanceof Answer.GateIs is) {
                        desk.saw(new Sighting.GateAnswered(said.number(), is.gate()));
                    } else {
                        desk.world.observer().wrong("GatesHold", "a gate was refused: " + said.answer());
                    }
                },
                said -> {
                    // One that was told to close a moment ago may do so after this.
                    if (!close && sent > closed.getOrDefault(which, 0L) + Desk.UNDER_WAY_MICROS) {
                        closed.remove(which);
                    }
                },
                () -> {},
                at -> {});
    }

    private record Said(long number, Answer answer) {}

    @Override
    public void settle() {
        List.copyOf(closed.keySet()).forEach(which -> set(which, false));
    }

    @Override
    public boolean done() {
        return closed.isEmpty();
    }

    @Override
    public String toString() {
        return "gates " + closed.keySet();
    }
}
