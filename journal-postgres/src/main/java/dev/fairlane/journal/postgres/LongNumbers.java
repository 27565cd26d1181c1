package dev.fairlane.journal.postgres;

import java.util.Arrays;

/** A map from the low half of an id to a number, without an object per entry. Numbers are positive; what is not in has 0. */
final class LongNumbers {
    private long[] keys;
    private long[] values;
    private int size;

    LongNumbers(int expected) {
        int capacity = Integer.highestOneBit(Math.max(8, expected)) << 2;
        keys = new long[capacity];
        values = new long[capacity];
    }

    int size() {
        return size;
    }

    long get(long key) {
        int at = slot(key);
        return values[at];
    }

    /** Keeps the greater. */
    void raise(long key, long number) {
        int at = slot(key);
        if (values[at] == 0) {
            keys[at] = key;
            values[at] = number;
            if (++size * 2 > keys.length) {
                grow();
            }
        } else if (values[at] < number) {
            values[at] = number;
        }
    }

    private int slot(long key) {
        int mask = keys.length - 1;
        int at = (int) (key * 0x9E3779B97F4A7C15L >>> 32) & mask;
        while (values[at] != 0 && keys[at] != key) {
            at = at + 1 & mask;
        }
        return at;
    }

    private void grow() {
        long[] oldKeys = keys;
        long[] oldValues = values;
        keys = new long[oldKeys.length * 2];
        values = new long[oldKeys.length * 2];
        Arrays.fill(values, 0);
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldValues[i] != 0) {
                int at = slot(oldKeys[i]);
                keys[at] = oldKeys[i];
                values[at] = oldValues[i];
            }
        }
    }
}
