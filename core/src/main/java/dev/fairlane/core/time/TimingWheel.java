package dev.fairlane.core.time;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;

/**
 * Deadlines of job slots: adding, moving and cancelling are O(1), and time passing costs only what becomes due.
 *
 * <p>Ticks are 1,024 µs. Level 0 has a bucket for each of the 64 ticks of the present block, level 1 for each of the 64 blocks
 * of the present superblock, and so on: a deadline lives on the level of the highest six bits in which it differs from the
 * present. Everything on a level is due before anything on a higher one, and when the present enters a higher bucket its
 * timers are spread over the lower levels. (Varghese and Lauck, "Hashed and hierarchical timing wheels", 1987.)
 *
 * <p>A timer is due at the first tick that begins at or after its deadline: never early, at most a tick late. Due timers wait
 * until polled, in a line for each owner of slots; the lines take turns, so that one owner's million does not stand before another's one.
 * A due timer that may not be acted on yet can be put off into a second line of its owner, from which it is taken in the same order and in
 * the same turns. Lines exist while somebody stands in them. A slot has one timer; its links are ints in pages that are made when a slot of
 * theirs first gets a timer, and go when its owner says that none of theirs has one.
 */
public final class TimingWheel {
    public static final int NONE = -1;

    private static final int TICK_BITS = 10;
    private static final int LEVEL_BITS = 6;
    private static final int BUCKETS = 1 << LEVEL_BITS;
    /** 2^(10 + 48) µs: nine thousand years. */
    private static final int LEVELS = 8;

    private static final long FARTHEST = (1L << TICK_BITS + LEVELS * LEVEL_BITS) - (1L << TICK_BITS);

    /** From here on two lists for each lane: due and put off. */
    private static final int DUE = LEVELS * BUCKETS;

    private static final int PAGE_BITS = 12;
    private static final int PAGE = 1 << PAGE_BITS;
    private static final int MASK = PAGE - 1;

    /** Ints of a slot: next slot, previous slot, list + 1 (0: no timer). */
    private static final int STRIDE = 3;

    private int[][] links = new int[16][];
    private long[][] ticks = new long[16][];
    private int[] heads = new int[DUE + 2];
    private int[] tails = new int[DUE + 2];
    private final long[] filled = new long[LEVELS];
    private final IntUnaryOperator ownerOf;
    private final Lanes lanes = new Lanes();
    private final Turns due = new Turns();
    private final Turns putOff = new Turns();
    private long present;
    private int size;

    /** All slots have one owner. */
    public TimingWheel() {
        this(slot -> 0);
    }

    /** @param ownerOf a small number of whoever a slot with a timer belongs to */
    public TimingWheel(IntUnaryOperator ownerOf) {
        this.ownerOf = ownerOf;
        Arrays.fill(heads, NONE);
        Arrays.fill(tails, NONE);
    }

    public int size() {
        return size;
    }

    /** Sets the slot's timer, in place of any it had. */
    public void set(int slot, long deadline) {
        int page = slot >>> PAGE_BITS;
        if (page >= links.length || links[page] == null) {
            makePage(page);
        }
        long tick = (Math.clamp(deadline, 0, FARTHEST) + (1L << TICK_BITS) - 1) >>> TICK_BITS;
        int list = links[page][(slot & MASK) * STRIDE + 2] - 1;
        if (list >= 0) {
            if (ticks[page][slot & MASK] == tick && list < DUE) {
                return;
            }
            unlink(slot, list);
        }
        ticks[page][slot & MASK] = tick;
        link(slot, listOf(slot, tick));
    }

    /** Takes the slot's timer away; nothing happens if it has none. */
    public void cancel(int slot) {
        int page = slot >>> PAGE_BITS;
        if (page < links.length && links[page] != null) {
            int list = links[page][(slot & MASK) * STRIDE + 2] - 1;
            if (list >= 0) {
                unlink(slot, list);
            }
        }
    }

    /** None of these slots has a timer: pages that have no others go. */
    @SuppressWarnings("NullAway") // looked for before any use
    public void forget(int first, int count) {
        int end = Math.min(first + count >>> PAGE_BITS, links.length);
        for (int page = first + MASK >>> PAGE_BITS; page < end; page++) {
            links[page] = null;
            ticks[page] = null;
        }
    }

    /** Pages in memory. */
    public int pages() {
        return (int) Arrays.stream(links).filter(Objects::nonNull).count();
    }

    public int listOf(int slot) {
        int page = slot >>> PAGE_BITS;
        return page < links.length && links[page] != null ? links[page][(slot & MASK) * STRIDE + 2] : 0;
    }

    /** Brings the wheel to {@code now}; what became due waits to be polled. */
    public void advance(long now) {
        long target = now >>> TICK_BITS;
        while (present < target) {
            long next = nextTick();
            if (next > target) {
                present = target;
                return;
            }
            present = next;
            spread();
        }
    }

    /** Takes the slot whose timer is due longest of those of the owner whose turn it is, or {@link #NONE}. */
    public int poll() {
        return poll(due, 0);
    }

    /** Puts a slot just polled behind the others of its owner that were put off. */
    public void putOff(int slot) {
        link(slot, lane(slot) + 1);
    }

    public int pollPutOff() {
        return poll(putOff, 1);
    }

    /** Whether there is anything to {@link #poll}. */
    public boolean hasDue() {
        return due.next() != NONE;
    }

    public boolean hasPutOff() {
        return putOff.next() != NONE;
    }

    /**
     * The greatest of what is said about those who stand first in their lines.
     *
     * @param lines so many are looked at of each kind, those whose turn it is next
     */
    public long mostOfFirst(int lines, IntToLongFunction of) {
        return Math.max(mostOfFirst(due, 0, lines, of), mostOfFirst(putOff, 1, lines, of));
    }

    private long mostOfFirst(Turns turns, int kind, int lines, IntToLongFunction of) {
        long most = 0;
        int first = turns.next();
        int lane = first;
        for (int i = 0; i < lines && lane != NONE; i++) {
            most = Math.max(most, of.applyAsLong(heads[DUE + 2 * lane + kind]));
            lane = turns.after(lane) == first ? NONE : turns.after(lane);
        }
        return most;
    }

    /** When to call {@link #advance} next at the latest: at or before the earliest deadline's tick; MAX_VALUE for never. */
    public long nextAt() {
        if (due.next() != NONE) {
            return present << TICK_BITS;
        }
        long next = nextTick();
        return next == Long.MAX_VALUE ? Long.MAX_VALUE : next << TICK_BITS;
    }

    private int poll(Turns turns, int kind) {
        int lane = turns.take();
        if (lane == NONE) {
            return NONE;
        }
        int list = DUE + 2 * lane + kind;
        int slot = heads[list];
        unlink(slot, list);
        return slot;
    }

    /** The list of those of the slot's owner that are due; that of those put off is behind it. */
    private int lane(int slot) {
        int list = DUE + 2 * lanes.of(ownerOf.applyAsInt(slot));
        if (list + 1 >= heads.length) {
            int was = heads.length;
            heads = Arrays.copyOf(heads, Math.max(list + 2, was * 2));
            tails = Arrays.copyOf(tails, heads.length);
            Arrays.fill(heads, was, heads.length, NONE);
            Arrays.fill(tails, was, tails.length, NONE);
        }
        return list;
    }

    /** First tick of the nearest bucket that has timers. */
    private long nextTick() {
        for (int level = 0; level < LEVELS; level++) {
            int shift = level * LEVEL_BITS;
            int at = (int) (present >>> shift) & BUCKETS - 1;
            // buckets behind the present one; the present bucket of a higher level is empty, it was spread
            long ahead = at == BUCKETS - 1 ? 0 : filled[level] & -1L << at + 1;
            if (ahead != 0) {
                long block = present >>> shift + LEVEL_BITS << shift + LEVEL_BITS;
                return block | (long) Long.numberOfTrailingZeros(ahead) << shift;
            }
        }
        return Long.MAX_VALUE;
    }

    /** Moves the timers of the buckets the present has just entered to where they belong now. */
    private void spread() {
        for (int level = LEVELS - 1; level >= 0; level--) {
            int bucket = (int) (present >>> level * LEVEL_BITS) & BUCKETS - 1;
            int list = level * BUCKETS + bucket;
            while (heads[list] != NONE) {
                int slot = heads[list];
                unlink(slot, list);
                link(slot, listOf(slot, ticks[slot >>> PAGE_BITS][slot & MASK]));
            }
        }
    }

    private int listOf(int slot, long tick) {
        if (tick <= present) {
            return lane(slot);
        }
        int level = (63 - Long.numberOfLeadingZeros(tick ^ present)) / LEVEL_BITS;
        return level * BUCKETS + ((int) (tick >>> level * LEVEL_BITS) & BUCKETS - 1);
    }

    private void link(int slot, int list) {
        int[] page = links[slot >>> PAGE_BITS];
        int at = (slot & MASK) * STRIDE;
        int tail = tails[list];
        page[at] = NONE;
        page[at + 1] = tail;
        page[at + 2] = list + 1;
        if (tail == NONE) {
            heads[list] = slot;
            if (list < DUE) {
                filled[list >>> LEVEL_BITS] |= 1L << list;
            } else {
                turns(list).add(list - DUE >> 1);
            }
        } else {
            links[tail >>> PAGE_BITS][(tail & MASK) * STRIDE] = slot;
        }
        tails[list] = slot;
        size++;
    }

    private void unlink(int slot, int list) {
        int[] page = links[slot >>> PAGE_BITS];
        int at = (slot & MASK) * STRIDE;
        int next = page[at];
        int prev = page[at + 1];
        page[at + 2] = 0;
        if (prev == NONE) {
            heads[list] = next;
        } else {
            links[prev >>> PAGE_BITS][(prev & MASK) * STRIDE] = next;
        }
        if (next == NONE) {
            tails[list] = prev;
        } else {
            links[next >>> PAGE_BITS][(next & MASK) * STRIDE + 1] = prev;
        }
        if (heads[list] == NONE) {
            if (list < DUE) {
                filled[list >>> LEVEL_BITS] &= ~(1L << list);
            } else {
                leave(list);
            }
        }
        size--;
    }

    /** Nobody stands in the line any more. */
    private void leave(int list) {
        int lane = list - DUE >> 1;
        turns(list).remove(lane);
        if (heads[DUE + 2 * lane] == NONE && heads[DUE + 2 * lane + 1] == NONE) {
            lanes.free(lane);
        }
    }

    private Turns turns(int list) {
        return (list - DUE & 1) == 0 ? due : putOff;
    }

    private void makePage(int page) {
        if (page >= links.length) {
            int length = Math.max(page + 1, links.length * 2);
            links = Arrays.copyOf(links, length);
            ticks = Arrays.copyOf(ticks, length);
        }
        links[page] = new int[STRIDE * PAGE];
        ticks[page] = new long[PAGE];
    }
}
