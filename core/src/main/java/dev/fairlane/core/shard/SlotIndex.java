package dev.fairlane.core.shard;

import java.util.Arrays;

/**
 * From a long to the slot that carries it: open addressing. The table is cut into parts that grow and shrink one by one, so that no single
 * insertion or removal copies more than a thousandth of it. Eight keys that follow each other lie side by side, in one line of the processor's
 * cache: jobs are numbered one after the other and mostly come and go so, and a table of millions is in no cache. Beside a slot lies what tells
 * its key from nearly all others, so that who is passed on the way is not looked at: that would be another miss each.
 */
final class SlotIndex {
    static final int NONE = -1;

    private static final int PART_BITS = 10;
    private static final int FIRST_CAPACITY = 8;
    /** A part that is filled less than this part of it is made half as large: then it is still far from growing again. */
    private static final int SPARSE = 8;

    /** What is not larger does not shrink: together that is half a megabyte. */
    private static final int SMALL = 64;

    private static final long MIX = 0x9E3779B97F4A7C15L;
    /** The last bits of a key, by which neighbours differ. */
    private static final long BESIDE = 7;

    /** What the slots carry. */
    interface Keys {
        long key(int slot);

        /** Whether a slot with the right key is the one asked for; for those whose long is only a part of the key. */
        default boolean matches(int slot) {
            return true;
        }
    }

    private final Keys keys;
    /** Above the {@link #home} of its key, below slot + 1; 0 is free. */
    private final long[][] parts = new long[1 << PART_BITS][];

    private final int[] sizes = new int[1 << PART_BITS];

    SlotIndex(Keys keys) {
        this.keys = keys;
        for (int part = 0; part < parts.length; part++) {
            parts[part] = new long[FIRST_CAPACITY];
        }
    }

    int find(long key) {
        long[] part = parts[part(key)];
        int mask = part.length - 1;
        int home = home(key);
        for (int at = home & mask; ; at = at + 1 & mask) {
            long cell = part[at];
            if (cell == 0) {
                return NONE;
            }
            int slot = slot(cell);
            if (tag(cell) == home && keys.key(slot) == key && keys.matches(slot)) {
                return slot;
            }
        }
    }

    /** Reads where the key would be found; of no meaning. */
    long glance(long key) {
        long[] part = parts[part(key)];
        return part[home(key) & part.length - 1];
    }

    /** The slot must not be in the index. */
    void add(int slot) {
        long key = keys.key(slot);
        int number = part(key);
        long[] part = parts[number];
        if (++sizes[number] * 5L > part.length * 3L) {
            part = resize(number, part.length * 2);
        }
        insert(part, (long) home(key) << Integer.SIZE | slot + 1);
    }

    private static int slot(long cell) {
        return (int) cell - 1;
    }

    /** The {@link #home} of the key of its slot. */
    private static int tag(long cell) {
        return (int) (cell >>> Integer.SIZE);
    }

    private static int part(long key) {
        return (int) ((key & ~BESIDE) * MIX >>> 64 - PART_BITS);
    }

    /** Its place, in as many of the last bits as the part has. */
    private static int home(long key) {
        return (int) ((key & ~BESIDE) * MIX >>> 22 & ~BESIDE | key & BESIDE);
    }

    private static void insert(long[] part, long cell) {
        int mask = part.length - 1;
        int at = tag(cell) & mask;
        while (part[at] != 0) {
            at = at + 1 & mask;
        }
        part[at] = cell;
    }

    private long[] resize(int number, int capacity) {
        long[] part = new long[capacity];
        for (long cell : parts[number]) {
            if (cell != 0) {
                insert(part, cell);
            }
        }
        parts[number] = part;
        return part;
    }

    /** Takes the slot out; its key must still be readable. */
    void remove(int slot) {
        long key = keys.key(slot);
        int number = part(key);
        long[] part = parts[number];
        int mask = part.length - 1;
        int hole = home(key) & mask;
        while (slot(part[hole]) != slot) {
            if (part[hole] == 0) {
                throw new IllegalStateException("slot " + slot + " is not in the index");
            }
            hole = hole + 1 & mask;
        }
        sizes[number]--;
        // move back what would no longer be found behind the hole
        for (int at = hole + 1 & mask; part[at] != 0; at = at + 1 & mask) {
            if ((at - tag(part[at]) & mask) >= (at - hole & mask)) {
                part[hole] = part[at];
                hole = at;
            }
        }
        part[hole] = 0;
        if (part.length > SMALL && sizes[number] < part.length / SPARSE) {
            resize(number, part.length / 2);
        }
    }

    /** Places in all its parts. */
    int capacity() {
        return Arrays.stream(parts).mapToInt(part -> part.length).sum();
    }
}
