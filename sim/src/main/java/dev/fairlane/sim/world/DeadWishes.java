package dev.fairlane.sim.world;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobView;
import dev.fairlane.journal.DeadFilter;
import dev.fairlane.journal.DeadQuery;
import dev.fairlane.runtime.DeadLetters;
import dev.fairlane.runtime.Operation;
import dev.fairlane.sim.seen.Sighting;
import java.util.List;

/** Looks through the dead letters and brings them back: one, at times from two sides at once, or all of them. */
final class DeadWishes implements Wishes {
    private static final int PAGE = 20;

    private final Desk desk;
    private boolean healed;
    private boolean broughtAll;
    private long lastSentAt;
    private boolean operationsOver = true;

    DeadWishes(Desk desk) {
        this.desk = desk;
    }

    @Override
    public void wish() {
        List<JobId> dead = desk.promises.dead();
        int dice = desk.chance.below(10);
        if (dice < 3) {
            list();
        } else if (dice < 8 && !dead.isEmpty()) {
            JobId id = desk.chance.pick(dead);
            replay(id);
            if (desk.chance.of(0.15)) {
                replay(id);
            }
        } else if (dice == 9) {
            replayAll();
        }
    }

    /** A job that is seen dead by chance is brought back at times. */
    void wishRarely() {
        List<JobId> dead = desk.promises.dead();
        if (!dead.isEmpty() && desk.chance.of(0.15)) {
            replay(desk.chance.pick(dead));
        }
    }

    /** Some do not wait until the death they have just seen is stored. */
    void saw(JobView view) {
        if (view.status().state() == JobState.DEAD
                && !healed
                && desk.world.scenario().uses(Part.DEAD_LETTERS)
                && desk.chance.of(0.5)) {
            replay(view.spec().id());
        }
    }

    private void list() {
        desk.calls.<DeadLetters.Page>ask(
                node -> node.deadLetters()
                        .list(new DeadQuery(DeadFilter.all(desk.mine()), null, PAGE, desk.chance.of(0.5))),
                (at, page) -> desk.saw(new Sighting.DeadListed(at.name, page.jobs())),
                page -> page.jobs().forEach(desk.promises::saw),
                () -> {});
    }

    private void replay(JobId id) {
        desk.promises.askedBack(id, desk.chance.of(0.8));
        lastSentAt = desk.world.now();
        desk.calls.ask(
                (at, node) -> {
                    desk.world.say(desk.name + " replays " + id + " at " + at);
                    desk.saw(new Sighting.ReplayArrived(at.name, id));
                    return node.deadLetters().replay(desk.mine(), id, null, desk.name, "simulated", desk.author(""));
                },
                (at, answer) -> {
                    desk.world.say(at + " answers replay " + id + ": " + answer);
                    if (Desk.isNews(at, answer)) {
                        desk.saw(new Sighting.ReplayAnswered(at.name, id, answer));
                    }
                },
                answer -> {},
                () -> {},
                at -> {});
    }

    private void replayAll() {
        broughtAll = true;
        operationsOver = false;
        lastSentAt = desk.world.now();
        int rate = desk.chance.pick(List.of(0, 0, 30));
        int canaries = desk.chance.pick(List.of(0, 0, 1));
        desk.calls.<Operation>ask(
                (at, node) -> {
                    desk.world.say(desk.name + " replays all at " + at);
                    desk.saw(new Sighting.ReplayAllArrived(at.name, desk.mine()));
                    return node.deadLetters()
                            .replayAll(DeadFilter.all(desk.mine()), rate, canaries, desk.name, "simulated");
                },
                (at, begun) -> {},
                begun -> {},
                () -> {},
                at -> {});
    }

    /** What an operation brings back after the client looked has to end as well: it waits until none is under way. */
    @Override
    public void settle() {
        healed = true;
        if (operationsOver || desk.world.now() < lastSentAt + Desk.UNDER_WAY_MICROS) {
            return;
        }
        desk.calls.<List<Operation>>ask(
                node -> node.operations().list(desk.mine()),
                (at, all) -> {},
                all -> {
                    if (all.stream().allMatch(one -> one.state().ended())) {
                        operationsOver = true;
                    }
                },
                () -> {});
    }

    @Override
    public boolean done() {
        return operationsOver
                && (!desk.promises.anyAskedBack() && !broughtAll
                        || desk.world.now() > lastSentAt + Desk.UNDER_WAY_MICROS);
    }

    @Override
    public String toString() {
        return operationsOver ? "late replays" : "operations";
    }
}
