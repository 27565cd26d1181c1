package dev.fairlane.sim.world;

import dev.fairlane.journal.memory.InMemoryJournal;
import dev.fairlane.journal.memory.InMemoryStore;
import dev.fairlane.runtime.LocalNode;
import dev.fairlane.runtime.NodeParts;
import dev.fairlane.sim.event.Chance;
import dev.fairlane.sim.seen.Sighting;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One start of a real node: gives it turns, time and a connection to the store, and takes them away. */
public final class SimNode {
    private static final long ENCODING_MICROS = 20;

    final String name;
    private final World world;
    private final Chance chance;
    private final InMemoryStore store;
    private final Runnable over;
    private final long tickerOffset;
    private final Deque<Runnable> outbox = new ArrayDeque<>();
    private final List<SimStream> streams = new ArrayList<>();
    private @Nullable LocalNode node;
    private boolean paused;
    private boolean gone;
    private boolean superseded;
    private boolean stopping;
    private boolean orderly;
    private long frozenUntil;
    private long encodedAt;
    private long turnAt = Long.MAX_VALUE;
    private long ticket;

    /** @param over called once, when this start has come to its end */
    SimNode(String name, World world, Chance chance, InMemoryStore store, Runnable over) {
        this.name = name;
        this.world = world;
        this.chance = chance;
        this.store = store;
        this.over = over;
        this.tickerOffset = chance.between(0, 1L << 40);
    }

    void start() {
        world.say(name + " starts");
        NodeParts parts =
                new NodeParts(() -> (world.now() + tickerOffset) * 1_000, this::encode, chance::any, this::wake);
        LocalNode.open(new InMemoryJournal(store, name), world.scenario().node(), parts)
                .whenComplete((opened, fault) -> {
                    if (gone) {
                        return;
                    }
                    if (opened == null) {
                        world.say(name + " could not start: " + fault);
                        leave();
                    } else {
                        began(opened);
                    }
                });
    }

    private void began(LocalNode opened) {
        node = opened;
        world.say(name + " is up");
        world.observer().saw(new Sighting.Opened(name));
        opened.ended().thenAccept(why -> {
            world.say(name + " ended: " + why);
            orderly = why.isEmpty();
            if (!why.isEmpty() && !why.contains("another start took over")) {
                world.observer().saw(new Sighting.Trouble(name, "stopped: " + why));
            }
        });
        wake();
        if (stopping) {
            opened.stop();
        }
    }

    /** The real node, if it could take a call now. */
    @Nullable LocalNode local() {
        return gone ? null : node;
    }

    boolean isGone() {
        return gone;
    }

    /** It stopped as it was told to. */
    boolean endedOrderly() {
        return orderly;
    }

    boolean isPaused() {
        return paused;
    }

    boolean isUp() {
        return !gone && !paused && node != null;
    }

    /** It lost its log while its own lease had not lapsed: until it hears of that, its news may be old. */
    void superseded() {
        superseded = true;
    }

    boolean tellsNews() {
        return !superseded;
    }

    void add(SimStream stream) {
        streams.add(stream);
    }

    void remove(SimStream stream) {
        streams.remove(stream);
    }

    List<SimStream> streams() {
        return List.copyOf(streams);
    }

    /** Something leaves the process: now, or when it gets its processor back, or never. */
    void send(Runnable message) {
        if (gone) {
            return;
        }
        if (paused) {
            outbox.add(message);
        } else {
            message.run();
        }
    }

    private void encode(Runnable task) {
        encodedAt = Math.max(encodedAt, world.now()) + 1 + chance.below((int) ENCODING_MICROS);
        world.agenda().at(encodedAt, () -> whenRunning(task));
    }

    private void whenRunning(Runnable task) {
        if (paused) {
            outbox.add(task);
        } else if (!gone) {
            task.run();
        }
    }

    private void wake() {
        turnBy(world.now() + 1 + chance.below(60));
    }

    private void turnBy(long at) {
        if (at < turnAt) {
            turnAt = at;
            long mine = ++ticket;
            world.agenda().at(at, () -> {
                if (mine == ticket) {
                    turn();
                }
            });
        }
    }

    private void turn() {
        turnAt = Long.MAX_VALUE;
        LocalNode running = node;
        if (gone || paused || running == null) {
            return;
        }
        if (world.now() < frozenUntil) {
            turnBy(frozenUntil);
            return;
        }
        boolean more = running.turn();
        if (running.ended().isDone()) {
            leave();
        } else if (more) {
            turnBy(world.now() + 1 + chance.below(30));
        } else {
            turnBy(world.now() + Math.max(1, running.nextTurnAt() - running.now()));
        }
    }

    /** Its loop gets no turn for a while; everything else of the process goes on. */
    void freeze(long micros) {
        world.say(name + " hiccups for " + micros / 1_000 + " ms");
        frozenUntil = world.now() + micros;
    }

    void pause() {
        if (!gone) {
            world.say(name + " is paused");
            paused = true;
        }
    }

    void resume() {
        if (paused) {
            world.say(name + " wakes");
            paused = false;
            while (!outbox.isEmpty()) {
                outbox.removeFirst().run();
            }
            wake();
        }
    }

    void crash() {
        if (!gone) {
            world.say(name + " crashes");
            leave();
        }
    }

    /** An orderly end, as soon as it is up. */
    void stop() {
        stopping = true;
        if (node != null) {
            node.stop();
        }
    }

    private void leave() {
        gone = true;
        outbox.clear();
        streams().forEach(SimStream::nodeGone);
        over.run();
    }

    @Override
    public String toString() {
        return name;
    }
}
