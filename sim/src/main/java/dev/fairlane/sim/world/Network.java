package dev.fairlane.sim.world;

import dev.fairlane.sim.event.Chance;
import java.util.HashSet;
import java.util.Set;

/**
 * Between clients or workers and nodes. Calls are delayed, lost, doubled and overtake each other; what goes over a stream keeps its
 * order and waits while the way is blocked.
 */
public final class Network {
    private final World world;
    private final Chance chance;
    private final Set<Way> blocked = new HashSet<>();
    private boolean healed;

    record Way(String from, String to) {}

    public Network(World world, Chance chance) {
        this.world = world;
        this.chance = chance;
    }

    /** One message of a call, either way: it comes once, twice or never. */
    void call(String from, String to, Runnable arrival) {
        Scenario.Calls usual = world.scenario().calls();
        if (blocked(from, to) || !healed && chance.of(usual.loss())) {
            return;
        }
        world.agenda().after(delayMicros(), arrival);
    }

    /** Whether a call is to arrive twice. */
    boolean doubles() {
        return !healed && chance.of(world.scenario().calls().duplicates());
    }

    long delayMicros() {
        return 1 + chance.around(healed ? 500 : world.scenario().calls().mostMicros() / 12);
    }

    boolean blocked(String from, String to) {
        return blocked.contains(new Way(from, to));
    }

    void block(String from, String to) {
        world.say("nothing goes from " + from + " to " + to);
        blocked.add(new Way(from, to));
    }

    void unblock(String from, String to) {
        blocked.remove(new Way(from, to));
    }

    public void heal() {
        healed = true;
        blocked.clear();
    }
}
