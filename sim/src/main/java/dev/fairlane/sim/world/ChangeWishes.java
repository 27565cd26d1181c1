package dev.fairlane.sim.world;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.JobChange;
import dev.fairlane.core.model.JobId;
import dev.fairlane.sim.invariant.AuditHolds;
import dev.fairlane.sim.seen.Sighting;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Changes waiting jobs, at times only if they are as they were last seen, and holds some of them back for a while. */
final class ChangeWishes implements Wishes {
    private static final int POLLED = 25;

    private final Desk desk;

    /** What may be held back, each with the last time it was told to. */
    private final Map<JobId, Long> paused = new LinkedHashMap<>();

    ChangeWishes(Desk desk) {
        this.desk = desk;
    }

    @Override
    public void wish() {
        JobId id = desk.promises.some(desk.chance);
        if (desk.chance.of(0.6)) {
            change(id);
            if (desk.chance.of(0.3)) {
                change(id);
            }
        } else {
            pause(id, true);
        }
    }

    private void change(JobId id) {
        int number = desk.nextNumber();
        JobChange wanted = switch (desk.chance.below(5)) {
            case 0 -> JobChange.NOTHING.withPriority(desk.chance.below(10));
            case 1 -> JobChange.NOTHING.inLane("lane-" + desk.chance.below(3));
            case 2 -> JobChange.NOTHING.withRunAt(0);
            default -> JobChange.NOTHING.withTags(Map.of(Sighting.CHANGED_TAG, "" + number));
        };
        int ifRevision = desk.chance.of(0.6) ? desk.promises.revision(id) : Command.ANY_REVISION;
        desk.calls.ask(
                node -> node.controls()
                        .change(desk.mine(), id, wanted, ifRevision, desk.author(AuditHolds.request(number))),
                (at, answer) -> {
                    desk.world.say(at + " answers change " + number + " of " + id + ": " + answer);
                    if (Desk.isNews(at, answer)) {
                        desk.saw(new Sighting.ChangeAnswered(at.name, id, number, wanted, ifRevision, answer));
                    }
                },
                answer -> {
                    if (answer instanceof Answer.Refused refused) {
                        desk.world.say(desk.name + " hears " + refused.refusal().code());
                    }
                },
                () -> {});
    }

    /** What may be paused is resumed by the end, or it would never come to one. */
    private void pause(JobId id, boolean hold) {
        long sent = desk.world.now();
        if (hold) {
            paused.put(id, sent);
        }
        desk.calls.ask(
                node -> node.controls().pause(desk.mine(), id, hold, desk.author("")),
                (at, answer) -> desk.world.say(at + " answers " + (hold ? "pause " : "resume ") + id + ": " + answer),
                answer -> {
                    if (!hold && sent > paused.getOrDefault(id, 0L) + Desk.UNDER_WAY_MICROS) {
                        paused.remove(id);
                    }
                },
                () -> {});
    }

    @Override
    public void settle() {
        List.copyOf(paused.keySet()).stream().limit(POLLED).forEach(id -> pause(id, false));
    }

    @Override
    public boolean done() {
        return paused.isEmpty();
    }

    @Override
    public String toString() {
        return paused.size() + " paused";
    }
}
