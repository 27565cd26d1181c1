package dev.fairlane.core.time;

import java.util.Arrays;

/** Numbers for owners while they need one: small, and given again. */
final class Lanes {
    /** By owner: its lane + 1; 0: none. */
    private int[] laneOf = new int[64];

    private int[] ownerOf = new int[16];
    private int[] free = new int[16];
    private int freeCount;
    private int used;

    /** The lane of this owner, a new one if it has none. */
    int of(int owner) {
        if (owner >= laneOf.length) {
            laneOf = Arrays.copyOf(laneOf, Math.max(owner + 1, laneOf.length * 2));
        }
        int known = laneOf[owner];
        if (known > 0) {
            return known - 1;
        }
        int lane = freeCount > 0 ? free[--freeCount] : used++;
        if (lane >= ownerOf.length) {
            ownerOf = Arrays.copyOf(ownerOf, lane * 2);
        }
        ownerOf[lane] = owner;
        laneOf[owner] = lane + 1;
        return lane;
    }

    void free(int lane) {
        laneOf[ownerOf[lane]] = 0;
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, freeCount * 2);
        }
        free[freeCount++] = lane;
    }
}
