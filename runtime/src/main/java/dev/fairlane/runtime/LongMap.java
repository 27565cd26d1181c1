package dev.fairlane.runtime;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A hash map from {@code long} to objects without boxing. Iteration order depends on the keys and the history of the map only, so a
 * simulation repeats itself. Not thread-safe. Eight keys that follow each other lie side by side: jobs are numbered one after the other and
 * mostly come and go so, and a table of millions is in no cache.
 *
 * <p>It is cut into parts by the first bits of the hash. A part that is full is split by one bit more, two neighbours that have become
 * nearly empty are put together again, and a small map is one part: so the map follows its size both ways, and no call moves more than
 * a part has. (Fagin et al., "Extendible hashing", 1979.)
 */
final class LongMap<T> {
    /** Places of a part at most, unless bits run out. Three quarters of them are used at most. */
    static final int PART = 8_192;

    /** The last bits of a key, by which neighbours differ. */
    private static final long BESIDE = 7;

    private static final int MAX_DEPTH = 16;
    private static final int MIN_CAPACITY = 16;
    /** A part that is filled less than this part of it shrinks; so it is far from growing again. */
    private static final int SPARSE = 8;

    /** A part of so many places does not shrink. */
    private static final int SMALL = 1_024;

    /** By the first bits of the hash, as many as the deepest part has; others are there several times. */
    private Part[] parts = {new Part(0, MIN_CAPACITY)};

    /** 64 − those bits. */
    private int shift = 64;

    private int size;
    private int capacity = MIN_CAPACITY;

    int size() {
        return size;
    }

    /** Places in its tables. */
    int capacity() {
        return capacity;
    }

    boolean isEmpty() {
        return size == 0;
    }

    @SuppressWarnings("unchecked")
    @Nullable T get(long key) {
        long hash = hash(key);
        Part part = parts[place(hash)];
        return (T) part.values[part.find(key, hash)];
    }

    /** The value that was there before. */
    @SuppressWarnings("unchecked")
    @Nullable T put(long key, T value) {
        long hash = hash(key);
        Part part = parts[place(hash)];
        int i = part.find(key, hash);
        T before = (T) part.values[i];
        part.keys[i] = key;
        part.values[i] = value;
        if (before == null) {
            size++;
            if (++part.size * 4L > part.values.length * 3L) {
                grow(part, place(hash));
            }
        }
        return before;
    }

    @SuppressWarnings("unchecked")
    @Nullable T remove(long key) {
        long hash = hash(key);
        Part part = parts[place(hash)];
        int i = part.find(key, hash);
        T before = (T) part.values[i];
        if (before != null) {
            part.closeGap(i);
            size--;
            if (--part.size < part.values.length / SPARSE && part.values.length > SMALL) {
                shrink(part, place(hash));
            }
        }
        return before;
    }

    @SuppressWarnings("unchecked")
    void forEach(Consumer<T> action) {
        for (int at = 0; at < parts.length; at += span(parts[at])) {
            for (Object value : parts[at].values) {
                if (value != null) {
                    action.accept((T) value);
                }
            }
        }
    }

    /** Its tables stay as they are. */
    void clear() {
        for (int at = 0; at < parts.length; at += span(parts[at])) {
            Arrays.fill(parts[at].values, null);
            parts[at].size = 0;
        }
        size = 0;
    }

    /** The same for neighbours. */
    private static long hash(long key) {
        return (key & ~BESIDE) * 0x9E3779B97F4A7C15L;
    }

    private int place(long hash) {
        // in two steps: shifting by 64 would shift by none
        return (int) (hash >>> 1 >>> shift - 1);
    }

    /** How many places a part has among {@link #parts}. */
    private int span(Part part) {
        return parts.length >>> part.depth;
    }

    private void grow(Part part, int place) {
        int places = part.values.length;
        if (places < PART || part.depth == MAX_DEPTH) {
            part.resize(places * 2);
            capacity += places;
            return;
        }
        int at = place;
        if (span(part) == 1) {
            deepen();
            at *= 2;
        }
        int half = span(part) / 2;
        int first = at & -2 * half;
        Part left = new Part(part.depth + 1, places);
        Part right = new Part(part.depth + 1, places);
        for (int i = 0; i < places; i++) {
            Object value = part.values[i];
            if (value != null) {
                (place(hash(part.keys[i])) < first + half ? left : right).add(part.keys[i], value);
            }
        }
        Arrays.fill(parts, first, first + half, left);
        Arrays.fill(parts, first + half, first + 2 * half, right);
        capacity += places;
    }

    private void deepen() {
        Part[] wider = new Part[parts.length * 2];
        for (int i = 0; i < wider.length; i++) {
            wider[i] = parts[i / 2];
        }
        parts = wider;
        shift--;
    }

    private void shrink(Part part, int place) {
        Part whole = part;
        for (Part other = neighbour(whole, place); other != null; other = neighbour(whole, place)) {
            whole = join(whole, other, place);
        }
        if (whole == part) {
            capacity -= part.values.length / 2;
            part.resize(part.values.length / 2);
        } else if (whole.depth == 0) {
            parts = new Part[] {whole};
            shift = 64;
        }
    }

    /** The other half of what the part was split from, if both have become small; else null. */
    private @Nullable Part neighbour(Part part, int place) {
        if (part.depth == 0) {
            return null;
        }
        Part other = parts[place ^ span(part)];
        return other.depth == part.depth && part.size + other.size <= PART / SPARSE ? other : null;
    }

    private Part join(Part part, Part other, int place) {
        Part whole = new Part(part.depth - 1, PART / 2);
        whole.addAll(part);
        whole.addAll(other);
        int first = place & -span(whole);
        Arrays.fill(parts, first, first + span(whole), whole);
        capacity += whole.values.length - part.values.length - other.values.length;
        return whole;
    }

    /** Open addressing, linear probing, backward-shift deletion. */
    private static final class Part {
        /** So many bits of the hash are the same for all in it. */
        final int depth;

        long[] keys;

        @Nullable Object[] values;

        int mask;
        int size;

        Part(int depth, int capacity) {
            this.depth = depth;
            keys = new long[capacity];
            values = new Object[capacity];
            mask = capacity - 1;
        }

        /** The place that has the key, or the free one that would get it. */
        int find(long key, long hash) {
            int i = home(key, hash);
            while (values[i] != null && keys[i] != key) {
                i = i + 1 & mask;
            }
            return i;
        }

        /** A key that is not in it. */
        void add(long key, Object value) {
            int i = find(key, hash(key));
            keys[i] = key;
            values[i] = value;
            size++;
        }

        void addAll(Part other) {
            for (int i = 0; i < other.values.length; i++) {
                Object value = other.values[i];
                if (value != null) {
                    add(other.keys[i], value);
                }
            }
        }

        void resize(int capacity) {
            Part resized = new Part(depth, capacity);
            resized.addAll(this);
            keys = resized.keys;
            values = resized.values;
            mask = resized.mask;
        }

        void closeGap(int gap) {
            int i = gap;
            int next = i;
            while (true) {
                next = next + 1 & mask;
                if (values[next] == null) {
                    break;
                }
                int home = home(keys[next], hash(keys[next]));
                boolean mayMove = i <= next ? home <= i || home > next : home <= i && home > next;
                if (mayMove) {
                    keys[i] = keys[next];
                    values[i] = values[next];
                    i = next;
                }
            }
            values[i] = null;
        }

        private int home(long key, long hash) {
            return (int) (hash >>> 32 & ~BESIDE | key & BESIDE) & mask;
        }
    }
}
