package dev.fairlane.sim.world;

import dev.fairlane.runtime.LocalNode;
import dev.fairlane.runtime.NodeFault;
import dev.fairlane.sim.event.Chance;
import dev.fairlane.sim.seen.Sighting;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One party's calls to nodes, over a network that loses and doubles them. A call that is not heard of in time has failed. */
final class Calls {
    private static final long TIMEOUT_MICROS = 4_000_000;

    private final String party;
    private final World world;
    private final Chance chance;
    private final Cluster cluster;
    private final Network network;
    private @Nullable SimNode home;

    Calls(String party, World world, Chance chance, Cluster cluster, Network network) {
        this.party = party;
        this.world = world;
        this.chance = chance;
        this.cluster = cluster;
        this.network = network;
    }

    <R> void ask(
            Function<LocalNode, CompletableFuture<R>> deed,
            BiConsumer<SimNode, R> left,
            Consumer<R> heard,
            Runnable failed) {
        ask((at, node) -> deed.apply(node), left, heard, failed, at -> {});
    }

    /**
     * @param deed what the call does when it arrives, once or twice
     * @param left the answer leaves the node
     * @param heard the answer reaches the party, at most once
     * @param failed no answer was heard in time, or one that says that it failed; at most once
     * @param declined the node says that it did nothing
     */
    <R> void ask(
            BiFunction<SimNode, LocalNode, CompletableFuture<R>> deed,
            BiConsumer<SimNode, R> left,
            Consumer<R> heard,
            Runnable failed,
            Consumer<SimNode> declined) {
        boolean[] over = new boolean[1];
        Runnable fail = () -> {
            if (!over[0]) {
                over[0] = true;
                home = null;
                failed.run();
            }
        };
        world.agenda().after(TIMEOUT_MICROS, fail);
        SimNode target = target();
        if (target == null) {
            return;
        }
        Runnable arrival = () -> arrive(target, deed, left, declined, (value, fault) -> {
            if (value == null) {
                fail.run();
            } else if (!over[0]) {
                over[0] = true;
                heard.accept(value);
            }
        });
        network.call(party, target.name, arrival);
        if (network.doubles()) {
            network.call(party, target.name, arrival);
        }
    }

    /** The next call goes to another node than the last, if there is one. */
    void elsewhere() {
        home = cluster.other(home, chance);
    }

    /** A connection is kept until a call over it fails. */
    private @Nullable SimNode target() {
        if (home == null || home.isGone() || chance.of(0.1)) {
            home = cluster.route(chance);
        }
        return home;
    }

    private <R> void arrive(
            SimNode at,
            BiFunction<SimNode, LocalNode, CompletableFuture<R>> deed,
            BiConsumer<SimNode, R> left,
            Consumer<SimNode> declined,
            BiConsumer<@Nullable R, @Nullable Throwable> answer) {
        LocalNode node = at.local();
        if (node == null) {
            network.call(at.name, party, () -> answer.accept(null, null));
            return;
        }
        deed.apply(at, node)
                .whenComplete((value, fault) -> at.send(() -> {
                    if (fault == null) {
                        left.accept(at, value);
                    } else if (kind(at, fault)) {
                        declined.accept(at);
                    }
                    network.call(at.name, party, () -> answer.accept(value, fault));
                }));
    }

    /** Whether the fault says that nothing was done. */
    private boolean kind(SimNode at, Throwable fault) {
        Throwable cause = fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
        if (cause instanceof NodeFault known && known.kind() != NodeFault.Kind.INTERNAL) {
            world.say(at + " does not answer " + party + ": " + known.kind());
            return known.kind() == NodeFault.Kind.OVERLOADED || known.kind() == NodeFault.Kind.NOT_SERVING;
        }
        world.observer().saw(new Sighting.Trouble(at.name, "a call failed with " + cause));
        return false;
    }
}
