package dev.fairlane.sim.event;

import java.util.Comparator;
import java.util.PriorityQueue;

/** Everything that is going to happen, by time and then by who came first. The only clock there is. */
public final class Agenda {
    private final PriorityQueue<Entry> queue =
            new PriorityQueue<>(Comparator.comparingLong(Entry::at).thenComparingLong(Entry::number));
    private long now;
    private long made;
    private long ran;

    private record Entry(long at, long number, Runnable deed) {}

    /** Microseconds since the world began. Never goes back, never jumps. */
    public long now() {
        return now;
    }

    /** How many have happened. */
    public long ran() {
        return ran;
    }

    public void at(long at, Runnable deed) {
        queue.add(new Entry(Math.max(at, now), made++, deed));
    }

    public void after(long micros, Runnable deed) {
        at(now + micros, deed);
    }

    /** Lets the next thing happen; false when there is none. */
    public boolean next() {
        Entry entry = queue.poll();
        if (entry == null) {
            return false;
        }
        now = entry.at();
        ran++;
        entry.deed().run();
        return true;
    }
}
