package dev.fairlane.sim.world;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.sim.event.Chance;
import dev.fairlane.sim.seen.Sighting;
import org.jspecify.annotations.Nullable;

/** What the wishes of one client share: who it is, how it asks, and what it was promised. */
final class Desk {
    /** Longer than anything sent by now can be under way. */
    static final long UNDER_WAY_MICROS = 6_000_000;

    final String name;
    final World world;
    final Chance chance;
    final Calls calls;
    final Promises promises = new Promises();
    private final int number;
    private int requests;
    private @Nullable TenantId tenant;

    Desk(int number, World world, Chance chance, Cluster cluster, Network network) {
        this.number = number;
        this.name = "c" + number;
        this.world = world;
        this.chance = chance;
        this.calls = new Calls(name, world, chance.split(), cluster, network);
    }

    /** Who it is in the audit. */
    Author author(String request) {
        return new Author("key-" + name, name, "admin", request, "", "");
    }

    /** Of a request no other client and no other request of this one has. */
    int nextNumber() {
        return number * 1_000_000 + ++requests;
    }

    void have(TenantId id) {
        tenant = id;
    }

    @Nullable TenantId tenant() {
        return tenant;
    }

    TenantId mine() {
        if (tenant == null) {
            throw new IllegalStateException("no tenant yet");
        }
        return tenant;
    }

    void saw(Sighting sighting) {
        world.observer().saw(sighting);
    }

    /** What a node does not know that has just lost its log while it was well proves nothing. */
    static boolean isNews(SimNode at, Answer answer) {
        return at.tellsNews() || !(answer instanceof Answer.Refused);
    }
}
