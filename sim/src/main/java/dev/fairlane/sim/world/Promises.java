package dev.fairlane.sim.world;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobView;
import dev.fairlane.runtime.Position;
import dev.fairlane.sim.event.Chance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The jobs a client was promised, and what it has heard of them since. */
final class Promises {
    private final List<Acked> acked = new ArrayList<>();
    private final Set<JobId> open = new LinkedHashSet<>();
    private final Set<JobId> ended = new HashSet<>();
    private final Map<JobId, Integer> revisions = new HashMap<>();

    /** Seen dead, and not asked back since. */
    private final Set<JobId> dead = new LinkedHashSet<>();

    /** Asked back: whether they came back, nobody may have heard. */
    private final Set<JobId> askedBack = new LinkedHashSet<>();

    /** What one heard answer to a submit promised. */
    record Acked(List<JobId> ids, Position position) {}

    /** A promise counts from when it leaves a node, whether or not anybody ever hears of it. */
    void left(JobId id) {
        if (!ended.contains(id)) {
            open.add(id);
        }
    }

    void heard(List<JobId> ids, Position position) {
        if (!ids.isEmpty()) {
            acked.add(new Acked(ids, position));
        }
    }

    boolean none() {
        return acked.isEmpty();
    }

    Acked someAnswer(Chance chance) {
        return chance.pick(acked);
    }

    /** Recent ones are more interesting than those long gone. */
    JobId some(Chance chance) {
        int recent = Math.min(acked.size(), 6);
        Acked from = chance.of(0.7) ? acked.get(acked.size() - 1 - chance.below(recent)) : chance.pick(acked);
        return chance.pick(from.ids());
    }

    void saw(JobView view) {
        JobId id = view.spec().id();
        revisions.put(id, view.spec().terms().revision());
        if (view.status().state().terminal()) {
            open.remove(id);
            ended.add(id);
            if (view.status().state() == JobState.DEAD) {
                dead.add(id);
            } else {
                dead.remove(id);
            }
        }
    }

    /** The last revision seen of the job. */
    int revision(JobId id) {
        return revisions.getOrDefault(id, 0);
    }

    List<JobId> dead() {
        return List.copyOf(dead);
    }

    /** @param forget it is not asked back a second time */
    void askedBack(JobId id, boolean forget) {
        askedBack.add(id);
        if (forget) {
            dead.remove(id);
        }
    }

    /** Whatever may have come back has to end once more. */
    void expectBack() {
        open.addAll(askedBack);
    }

    /** It may have come back without having been asked for by its id. */
    void expectBack(JobId id) {
        open.add(id);
    }

    boolean anyAskedBack() {
        return !askedBack.isEmpty();
    }

    List<JobId> open() {
        return List.copyOf(open);
    }

    boolean kept() {
        return open.isEmpty();
    }

    @Override
    public String toString() {
        return open.size() + " ends, such as " + open.stream().limit(3).toList();
    }
}
