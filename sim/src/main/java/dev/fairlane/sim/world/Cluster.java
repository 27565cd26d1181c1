package dev.fairlane.sim.world;

import dev.fairlane.journal.memory.InMemoryStore;
import dev.fairlane.journal.memory.StoreOperation;
import dev.fairlane.sim.event.Chance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The starts of nodes over one store: sees to it that there is one, and knows who owns the log. */
public final class Cluster {
    private static final long CHECK_MICROS = 500_000;
    private static final long RESTART_MOST_MICROS = 1_500_000;

    private final World world;
    private final Chance chance;
    private final SimStorage storage;
    private final InMemoryStore store;
    private final List<SimNode> nodes = new ArrayList<>();
    private final Map<String, Long> lastProofs = new HashMap<>();
    private String owner = "";
    private int starts;
    private boolean stopping;
    private boolean orderly;

    public Cluster(World world, Chance chance, SimStorage storage, InMemoryStore store) {
        this.world = world;
        this.chance = chance;
        this.storage = storage;
        this.store = store;
        storage.onCommit(this::committed);
        storage.killWith(this::kill);
    }

    public void begin() {
        start();
        check();
    }

    private void check() {
        if (!stopping && nodes.isEmpty()) {
            start();
        }
        world.agenda().after(CHECK_MICROS, this::check);
    }

    SimNode start() {
        SimNode[] self = new SimNode[1];
        SimNode node = new SimNode("n" + ++starts, world, chance.split(), store, () -> left(self[0]));
        self[0] = node;
        nodes.add(node);
        node.start();
        return node;
    }

    private void left(SimNode node) {
        nodes.remove(node);
        orderly = owns(node) && node.endedOrderly();
        storage.callerDied(node.name);
        world.agenda().after(chance.between(0, RESTART_MOST_MICROS), () -> {
            if (nodes.isEmpty() && !stopping) {
                start();
            }
        });
    }

    private void kill(String name) {
        nodes.stream().filter(node -> node.name.equals(name)).findFirst().ifPresent(SimNode::crash);
    }

    /** Whatever commits under the fence of a log proves that its node still owns it. */
    private void committed(StoreOperation<?> operation) {
        if (operation.name().startsWith("open ")) {
            for (SimNode node : nodes) {
                boolean fresh = world.now() - lastProofs.getOrDefault(node.name, 0L) < Scenario.OWNER_LEASE_MICROS;
                if (!node.name.equals(operation.node()) && fresh) {
                    node.superseded();
                }
            }
            owner = operation.node();
            world.say(owner + " owns the log");
        }
        lastProofs.put(operation.node(), world.now());
    }

    boolean owns(SimNode node) {
        return node.name.equals(owner);
    }

    /** How long ago the store last heard of the node under its fence. */
    long silentMicros(SimNode node) {
        return world.now() - lastProofs.getOrDefault(node.name, 0L);
    }

    /** The owner, unless it is gone or not yet up. */
    @Nullable SimNode owner() {
        return nodes.stream()
                .filter(node -> owns(node) && node.local() != null)
                .findFirst()
                .orElse(null);
    }

    /** Where a caller would try: mostly the newest start, at times any that is there, a zombie too. */
    @Nullable SimNode route(Chance caller) {
        if (nodes.isEmpty()) {
            return null;
        }
        return caller.of(0.15) ? caller.pick(nodes) : nodes.getLast();
    }

    /** Some other node than this one, if there is one. */
    @Nullable SimNode other(@Nullable SimNode than, Chance caller) {
        List<SimNode> others = nodes.stream().filter(node -> node != than).toList();
        return others.isEmpty() ? than : caller.pick(others);
    }

    public void heal() {
        List.copyOf(nodes).forEach(SimNode::resume);
    }

    /**
     * Stops in good order whoever is left; true once nobody is, and the last owner stopped so: one that lost its log meanwhile, to a
     * start that is long dead perhaps, is followed by another.
     */
    public boolean stop() {
        if (!stopping) {
            stopping = true;
            List.copyOf(nodes).forEach(SimNode::stop);
        }
        if (nodes.isEmpty() && !orderly) {
            start().stop();
        }
        return nodes.isEmpty();
    }
}
