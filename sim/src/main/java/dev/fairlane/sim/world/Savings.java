package dev.fairlane.sim.world;

import dev.fairlane.core.model.Answer;
import dev.fairlane.sim.event.Chance;
import dev.fairlane.sim.seen.Sighting;

/** A worker's checkpoints: its executions save how far they came, one call after the other. */
final class Savings {
    private static final long EVERY_MICROS = 900_000;

    private final String worker;
    private final World world;
    private final Chance chance;
    private final Calls calls;
    private int saved;

    Savings(String worker, World world, Chance chance, Cluster cluster, Network network) {
        this.worker = worker;
        this.world = world;
        this.chance = chance;
        this.calls = new Calls(worker, world, chance.split(), cluster, network);
    }

    long next() {
        return 1 + chance.around(EVERY_MICROS);
    }

    /** Names are never used twice. */
    void save(Execution execution) {
        String ref = execution.ref.id() + "/" + execution.ref.token() + "/" + worker + "-" + ++saved;
        calls.<Said>ask(
                (at, node) -> {
                    long number = world.agenda().ran();
                    world.say(worker + " saves " + ref + " at " + at);
                    world.observer().saw(new Sighting.CheckpointArrived(number, execution.ref, ref));
                    return node.checkpoint(null, execution.ref.id(), execution.ref.token(), ref, 10)
                            .thenApply(answer -> new Said(number, answer));
                },
                (at, said) -> {
                    world.say(at + " answers " + ref + ": " + said.answer());
                    boolean applied = said.answer() instanceof Answer.Applied;
                    world.observer().saw(new Sighting.CheckpointAnswered(said.number(), execution.ref, applied));
                },
                said -> {},
                () -> {},
                at -> {});
    }

    private record Said(long number, Answer answer) {}
}
