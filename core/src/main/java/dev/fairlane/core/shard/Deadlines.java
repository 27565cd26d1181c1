package dev.fairlane.core.shard;

import dev.fairlane.core.model.Command;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/** Timers of the few things that are not jobs: breakers, budgets, quarantines, throttles. Each has one at most. */
final class Deadlines {
    /** Something with a timer. */
    abstract static class Timed {
        private long dueAt = Long.MAX_VALUE;

        final boolean waits() {
            return dueAt != Long.MAX_VALUE;
        }

        /** When it is due; {@code Long.MAX_VALUE} if it is not set. */
        final long dueAt() {
            return dueAt;
        }

        /** The timer is due; it is set again by whoever needs it again. */
        abstract void fire(long now, Consumer<Command> sink);
    }

    private record Entry(long at, long order, Timed timed) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Entry> queue = new PriorityQueue<>();
    private long order;

    /** Sets the timer, in place of any it had. */
    void set(Timed timed, long at) {
        if (timed.dueAt != at) {
            timed.dueAt = at;
            queue.add(new Entry(at, order++, timed));
        }
    }

    void cancel(Timed timed) {
        timed.dueAt = Long.MAX_VALUE;
    }

    long nextAt() {
        dropStale();
        Entry first = queue.peek();
        return first == null ? Long.MAX_VALUE : first.at;
    }

    void fire(long now, Consumer<Command> sink) {
        for (dropStale(); !queue.isEmpty() && queue.peek().at <= now; dropStale()) {
            Timed timed = queue.remove().timed;
            timed.dueAt = Long.MAX_VALUE;
            timed.fire(now, sink);
        }
    }

    private void dropStale() {
        while (!queue.isEmpty() && queue.peek().at != queue.peek().timed.dueAt) {
            queue.remove();
        }
    }
}
