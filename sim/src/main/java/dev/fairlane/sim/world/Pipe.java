package dev.fairlane.sim.world;

import java.util.ArrayDeque;
import java.util.Deque;

/** One direction of a stream: what is put in comes out in order, later, or not at all. */
final class Pipe {
    private static final long BLOCKED_CHECK_MICROS = 50_000;

    private final World world;
    private final Network network;
    private final String from;
    private final String to;
    private final Deque<Message> messages = new ArrayDeque<>();
    private long lastAt;
    private boolean pumping;
    private boolean closed;

    private record Message(long at, Runnable arrival) {}

    Pipe(World world, Network network, String from, String to) {
        this.world = world;
        this.network = network;
        this.from = from;
        this.to = to;
    }

    void send(Runnable arrival) {
        if (!closed) {
            lastAt = Math.max(lastAt, world.now() + network.delayMicros());
            messages.add(new Message(lastAt, arrival));
            pump();
        }
    }

    private void pump() {
        if (!pumping && !messages.isEmpty()) {
            pumping = true;
            world.agenda().at(messages.getFirst().at(), this::deliver);
        }
    }

    private void deliver() {
        pumping = false;
        if (messages.isEmpty()) {
            return;
        }
        if (network.blocked(from, to)) {
            pumping = true;
            world.agenda().after(BLOCKED_CHECK_MICROS, this::deliver);
            return;
        }
        messages.removeFirst().arrival().run();
        pump();
    }

    /** Takes nothing more; what is under way still comes. */
    void finish() {
        closed = true;
    }

    /** Takes nothing more and loses what is under way. */
    void cut() {
        closed = true;
        messages.clear();
    }
}
