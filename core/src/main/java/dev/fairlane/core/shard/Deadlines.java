package dev.fairlane.core.shard;

import dev.fairlane.core.model.Command;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Timers of things that are not jobs: breakers, budgets, quarantines, throttles. Each has one at most, which knows its place among the others:
 * one that is set again and again, or given up, leaves nothing behind.
 */
final class Deadlines {
    /** Something with a timer. */
    abstract static class Timed {
        private long dueAt = Long.MAX_VALUE;
        /** Settles ties by the order of setting. */
        private long order;
        /** Place in the heap, or −1. */
        private int place = -1;

        final boolean waits() {
            return dueAt != Long.MAX_VALUE;
        }

        /** When it is due; {@code Long.MAX_VALUE} if it is not set. */
        final long dueAt() {
            return dueAt;
        }

        private boolean before(Timed other) {
            return dueAt != other.dueAt ? dueAt < other.dueAt : order < other.order;
        }

        /** The timer is due; it is set again by whoever needs it again. */
        abstract void fire(long now, Consumer<Command> sink);
    }

    /** A heap that is filled less than this part of it is made half as large. */
    private static final int SPARSE = 8;

    /** One of so many places does not shrink. */
    private static final int SMALL = 1_024;

    private Timed[] heap = new Timed[16];
    private int size;
    private long order;

    /** Sets the timer, in place of any it had. */
    void set(Timed timed, long at) {
        if (timed.dueAt == at) {
            return;
        }
        if (at == Long.MAX_VALUE) {
            cancel(timed);
            return;
        }
        timed.dueAt = at;
        timed.order = order++;
        if (timed.place < 0) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, size * 2);
            }
            put(timed, size++);
        }
        down(up(timed.place));
    }

    void cancel(Timed timed) {
        timed.dueAt = Long.MAX_VALUE;
        int place = timed.place;
        if (place < 0) {
            return;
        }
        timed.place = -1;
        Timed last = takeLast();
        if (last != timed) {
            put(last, place);
            down(up(place));
        }
    }

    @SuppressWarnings("NullAway") // beyond the size
    private Timed takeLast() {
        Timed last = heap[--size];
        heap[size] = null;
        if (heap.length > SMALL && size < heap.length / SPARSE) {
            heap = Arrays.copyOf(heap, heap.length / 2);
        }
        return last;
    }

    /** Places in the heap. */
    int capacity() {
        return heap.length;
    }

    int size() {
        return size;
    }

    long nextAt() {
        return size == 0 ? Long.MAX_VALUE : heap[0].dueAt;
    }

    void fire(long now, Consumer<Command> sink) {
        while (size > 0 && heap[0].dueAt <= now) {
            Timed timed = heap[0];
            cancel(timed);
            timed.fire(now, sink);
        }
    }

    private void put(Timed timed, int place) {
        heap[place] = timed;
        timed.place = place;
    }

    private int up(int start) {
        int place = start;
        Timed timed = heap[place];
        while (place > 0 && timed.before(heap[(place - 1) / 2])) {
            put(heap[(place - 1) / 2], place);
            place = (place - 1) / 2;
        }
        put(timed, place);
        return place;
    }

    private void down(int start) {
        int place = start;
        Timed timed = heap[place];
        for (int child = 2 * place + 1; child < size; child = 2 * place + 1) {
            if (child + 1 < size && heap[child + 1].before(heap[child])) {
                child++;
            }
            if (!heap[child].before(timed)) {
                break;
            }
            put(heap[child], place);
            place = child;
        }
        put(timed, place);
    }
}
