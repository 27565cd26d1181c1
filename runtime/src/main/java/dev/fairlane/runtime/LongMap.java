package dev.fairlane.runtime;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A hash map from {@code long} to objects without boxing: open addressing, linear probing, backward-shift deletion. Iteration order
 * depends on the keys and the history of the map only, so a simulation repeats itself. Not thread-safe.
 */
final class LongMap<T> {
    private static final int MIN_CAPACITY = 16;

    private long[] keys = new long[MIN_CAPACITY];
    private @Nullable Object[] values = new Object[MIN_CAPACITY];
    private int mask = MIN_CAPACITY - 1;
    private int size;

    int size() {
        return size;
    }

    /** Places in its table. */
    int capacity() {
        return keys.length;
    }

    boolean isEmpty() {
        return size == 0;
    }

    @SuppressWarnings("unchecked")
    @Nullable T get(long key) {
        for (int i = slot(key); values[i] != null; i = i + 1 & mask) {
            if (keys[i] == key) {
                return (T) values[i];
            }
        }
        return null;
    }

    /** The value that was there before. */
    @SuppressWarnings("unchecked")
    @Nullable T put(long key, T value) {
        int i = slot(key);
        for (; values[i] != null; i = i + 1 & mask) {
            if (keys[i] == key) {
                T before = (T) values[i];
                values[i] = value;
                return before;
            }
        }
        keys[i] = key;
        values[i] = value;
        if (++size * 2 > mask) {
            grow();
        }
        return null;
    }

    @SuppressWarnings("unchecked")
    @Nullable T remove(long key) {
        for (int i = slot(key); values[i] != null; i = i + 1 & mask) {
            if (keys[i] == key) {
                T before = (T) values[i];
                closeGap(i);
                size--;
                return before;
            }
        }
        return null;
    }

    @SuppressWarnings("unchecked")
    void forEach(Consumer<T> action) {
        for (Object value : values) {
            if (value != null) {
                action.accept((T) value);
            }
        }
    }

    void clear() {
        Arrays.fill(values, null);
        size = 0;
    }

    private void closeGap(int gap) {
        int i = gap;
        int next = i;
        while (true) {
            next = next + 1 & mask;
            if (values[next] == null) {
                break;
            }
            int home = slot(keys[next]);
            boolean mayMove = i <= next ? home <= i || home > next : home <= i && home > next;
            if (mayMove) {
                keys[i] = keys[next];
                values[i] = values[next];
                i = next;
            }
        }
        values[i] = null;
    }

    private void grow() {
        long[] oldKeys = keys;
        @Nullable Object[] oldValues = values;
        keys = new long[oldKeys.length * 2];
        values = new Object[oldKeys.length * 2];
        mask = keys.length - 1;
        for (int j = 0; j < oldKeys.length; j++) {
            Object value = oldValues[j];
            if (value != null) {
                int i = slot(oldKeys[j]);
                while (values[i] != null) {
                    i = i + 1 & mask;
                }
                keys[i] = oldKeys[j];
                values[i] = value;
            }
        }
    }

    private int slot(long key) {
        long mixed = key * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 32) & mask;
    }
}
