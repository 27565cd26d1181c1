package dev.fairlane.core.time;

import java.util.Arrays;

/** Whose turn it is: a ring of lanes, each of which comes once a round. All in O(1). */
final class Turns {
    private static final int NONE = TimingWheel.NONE;

    private int[] after = new int[16];
    private int[] before = new int[16];
    private int next = NONE;

    /** The lane whose turn it is, or {@link TimingWheel#NONE}. */
    int next() {
        return next;
    }

    int after(int lane) {
        return after[lane];
    }

    /** The lane whose turn it is; it has had it now. */
    int take() {
        int lane = next;
        if (lane != NONE) {
            next = after[lane];
        }
        return lane;
    }

    /** A lane that is not in the ring: its turn is last. */
    void add(int lane) {
        if (lane >= after.length) {
            int length = Math.max(lane + 1, after.length * 2);
            after = Arrays.copyOf(after, length);
            before = Arrays.copyOf(before, length);
        }
        if (next == NONE) {
            after[lane] = lane;
            before[lane] = lane;
            next = lane;
            return;
        }
        int last = before[next];
        after[last] = lane;
        before[lane] = last;
        after[lane] = next;
        before[next] = lane;
    }

    void remove(int lane) {
        if (after[lane] == lane) {
            next = NONE;
            return;
        }
        after[before[lane]] = after[lane];
        before[after[lane]] = before[lane];
        if (next == lane) {
            next = after[lane];
        }
    }
}
