package dev.fairlane.sim.world;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.TypeRules;
import dev.fairlane.sim.seen.Kinds;
import dev.fairlane.sim.seen.Request;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Jobs of types with rules: each type is declared first, and submitted to once that is acked. */
final class KindWishes implements Wishes {
    private static final long AGAIN_MICROS = 500_000;

    private final Desk desk;
    private final Submitting submitting;
    private final List<String> types;
    private int declared;
    private boolean asked;

    /** @param wanted which of {@link Kinds#TYPES} */
    KindWishes(Desk desk, Submitting submitting, Predicate<String> wanted) {
        this.desk = desk;
        this.submitting = submitting;
        this.types = Kinds.TYPES.stream().filter(wanted).toList();
    }

    @Override
    public void wish() {
        if (!asked) {
            asked = true;
            declareNext();
        }
        for (long i = desk.chance.between(1, 3); i > 0 && declared > 0; i--) {
            submitting.submit(List.of(request(types.get(desk.chance.below(declared)))));
        }
    }

    private void declareNext() {
        if (declared < types.size()) {
            declare(types.get(declared));
        }
    }

    private void declare(String type) {
        Command.PutType put = new Command.PutType(desk.mine(), type, PoolRules.SHORT, 0, 0, rules(type));
        desk.calls.ask(
                node -> node.putType(put, desk.author("")),
                (at, answer) -> {
                    if (!(answer instanceof Answer.TypeIs) && at.tellsNews()) {
                        desk.world.observer().wrong("TypesAreTaken", type + " was answered " + answer);
                    }
                },
                answer -> {
                    if (answer instanceof Answer.TypeIs) {
                        declared++;
                        declareNext();
                    } else {
                        desk.world.agenda().after(AGAIN_MICROS, () -> declare(type));
                    }
                },
                () -> desk.world.agenda().after(AGAIN_MICROS, () -> declare(type)));
    }

    static TypeRules rules(String type) {
        return TypeRules.saying(draft -> {
            draft.unique = Kinds.rule(type);
            draft.preemptible = true;
            if (type.equals(Kinds.CAPPED)) {
                draft.dependencies = List.of(Kinds.DEPENDENCY);
                draft.dependencyCaps = Map.of(Kinds.DEPENDENCY, Kinds.CAP);
            }
        });
    }

    private Request request(String type) {
        int id = desk.nextNumber();
        boolean unique = Kinds.rule(type) != null;
        NewJob job = new NewJob(
                type,
                Request.payload(id, 30),
                0,
                -1,
                0,
                desk.chance.of(0.3) ? desk.chance.between(1, 2_000_000) : 0,
                0,
                0,
                0,
                desk.chance.of(0.5) ? "k" + id : "",
                id,
                Map.of(),
                Map.of(),
                new JobTerms(JobTerms.DEFAULT_LANE, 0, unique ? "u" + desk.chance.below(2) : "", "", "", false, 0));
        return new Request(id, desk.mine(), job, false);
    }
}
