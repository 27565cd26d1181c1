package dev.fairlane.sim.world;

import dev.fairlane.core.model.JobChange;
import dev.fairlane.core.model.JobFilter;
import dev.fairlane.runtime.Controls;
import dev.fairlane.runtime.Operation;
import dev.fairlane.sim.seen.Sighting;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Cancels all open jobs of a type. An operation that is cut short by the end of its node is simply begun again. */
final class BulkWishes implements Wishes {
    private static final long LOOK_MICROS = 400_000;
    private static final int LOOKS = 12;
    private static final int BEGUN_AT_MOST = 4;

    private final Desk desk;

    BulkWishes(Desk desk) {
        this.desk = desk;
    }

    @Override
    public void wish() {
        if (desk.chance.of(0.15)) {
            begin(desk.chance.pick(desk.chance.of(0.7) ? SimClient.PLAIN : SimClient.TYPES), BEGUN_AT_MOST);
        }
    }

    private record Begun(long number, Operation operation) {}

    private void begin(String type, int times) {
        if (times == 0) {
            return;
        }
        JobFilter filter = new JobFilter(desk.mine(), type, "", Set.of(), Map.of(), 0, 0);
        Controls.Bulk bulk = new Controls.Bulk(
                Controls.Deed.CANCEL,
                filter,
                JobChange.NOTHING,
                "all of type " + type,
                desk.name,
                "simulated",
                desk.chance.of(0.3) ? 20 : 0);
        desk.calls.<Begun>ask(
                (at, node) -> {
                    long number = desk.world.agenda().ran();
                    desk.world.say(desk.name + " cancels all of " + type + " at " + at);
                    desk.saw(new Sighting.BulkCancelArrived(number, desk.mine(), type));
                    return node.controls()
                            .start(bulk, desk.author("bulk-" + number))
                            .thenApply(begun -> new Begun(number, begun));
                },
                (at, begun) -> {},
                begun -> look(type, begun, LOOKS, times),
                () -> begin(type, times - 1),
                at -> {});
    }

    private void look(String type, Begun begun, int looks, int times) {
        if (looks == 0) {
            return;
        }
        String id = begun.operation().id();
        desk.world
                .agenda()
                .after(
                        LOOK_MICROS,
                        () -> desk.calls.<Optional<Operation>>ask(
                                node -> node.operations().get(desk.mine(), id),
                                (at, found) -> found.filter(is -> is.state() == Operation.State.DONE && at.tellsNews())
                                        .ifPresent(is -> {
                                            desk.world.say(at + " is done with " + is);
                                            desk.saw(new Sighting.BulkCancelDone(begun.number(), is.endedAt()));
                                        }),
                                found -> {
                                    if (found.isEmpty()) {
                                        begin(type, times - 1);
                                    } else if (!found.get().state().ended()) {
                                        look(type, begun, looks - 1, times);
                                    }
                                },
                                () -> look(type, begun, looks - 1, times)));
    }
}
