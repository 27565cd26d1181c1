package dev.fairlane.core.shard;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Which slots of a table are in use, and which of its pages there have to be. The lowest free slot is taken first, so that the upper
 * pages become empty when a flood has gone, and pages that are empty go, the uppermost first. A few stay: a load that swings around the
 * end of a page does not make and drop one each time. All in O(1) but for making and dropping a page, which is rare.
 */
final class SlotPages {
    /** Three levels of 64: a page has as many longs of bits as a long has bits. */
    static final int BITS = 12;

    /** Slots of a page. */
    static final int SLOTS = 1 << BITS;

    static final int MASK = SLOTS - 1;

    /** Empty pages that stay. */
    static final int SPARE = 8;

    private static final int NONE = -1;

    private final IntConsumer make;
    private final IntConsumer drop;
    /** Of each page a bit for each slot, set if it is free. Null for a page that is not there. */
    private long[][] free = new long[16][];
    /** Of each page a bit for each of those longs, set if any of it is free. */
    private long[] freeLongs = new long[16];
    /** A bit for each page, set if it is there and any of it is free. */
    private long[] open = new long[1];
    /** The longs of {@link #open} before this one are 0. */
    private int firstOpen;
    /** Slots in use, by page. */
    private int[] used = new int[16];
    /** Beyond are no pages. */
    private int end;

    private int made;
    private int empty;

    /**
     * @param make is told of a page before the first of its slots is taken
     * @param drop is told of a page none of whose slots is in use; it may be made again later
     */
    SlotPages(IntConsumer make, IntConsumer drop) {
        this.make = make;
        this.drop = drop;
    }

    int take() {
        int page = lowestOpen();
        if (page == NONE) {
            page = makePage();
        }
        if (used[page]++ == 0) {
            empty--;
        }
        int number = Long.numberOfTrailingZeros(freeLongs[page]);
        long bits = free[page][number];
        free[page][number] = bits & bits - 1;
        if ((bits & bits - 1) == 0) {
            freeLongs[page] &= freeLongs[page] - 1;
            if (freeLongs[page] == 0) {
                open[page >>> 6] &= ~(1L << page);
            }
        }
        return page << BITS | number << 6 | Long.numberOfTrailingZeros(bits);
    }

    /** The slot is free again; its page may go with this call. */
    void giveBack(int slot) {
        int page = slot >>> BITS;
        int number = (slot & MASK) >>> 6;
        free[page][number] |= 1L << slot;
        freeLongs[page] |= 1L << number;
        open[page >>> 6] |= 1L << page;
        firstOpen = Math.min(firstOpen, page >>> 6);
        if (--used[page] == 0 && ++empty > SPARE) {
            dropPage();
        }
    }

    /** Whether no other slot of its page is in use. */
    boolean alone(int slot) {
        return used[slot >>> BITS] == 1;
    }

    /** The slot behind the last one in use; pages before it may be missing. */
    int bound() {
        int page = end - 1;
        while (page >= 0 && used[page] == 0) {
            page--;
        }
        if (page < 0) {
            return 0;
        }
        int number = free[page].length - 1;
        while (free[page][number] == -1L) {
            number--;
        }
        return (page << BITS | number << 6) + 64 - Long.numberOfLeadingZeros(~free[page][number]);
    }

    /** Pages that are there. */
    int pages() {
        return made;
    }

    private int lowestOpen() {
        while (firstOpen < open.length) {
            long bits = open[firstOpen];
            if (bits != 0) {
                return firstOpen << 6 | Long.numberOfTrailingZeros(bits);
            }
            firstOpen++;
        }
        return NONE;
    }

    /** Makes the lowest page that is not there. */
    private int makePage() {
        int page = 0;
        while (page < end && free[page] != null) {
            page++;
        }
        if (page == free.length) {
            free = Arrays.copyOf(free, page * 2);
            freeLongs = Arrays.copyOf(freeLongs, page * 2);
            used = Arrays.copyOf(used, page * 2);
        }
        if (page >>> 6 >= open.length) {
            open = Arrays.copyOf(open, open.length * 2);
        }
        make.accept(page);
        long[] bits = new long[SLOTS >>> 6];
        Arrays.fill(bits, -1L);
        free[page] = bits;
        freeLongs[page] = -1L >>> 64 - bits.length;
        open[page >>> 6] |= 1L << page;
        firstOpen = Math.min(firstOpen, page >>> 6);
        end = Math.max(end, page + 1);
        made++;
        empty++;
        return page;
    }

    /** Drops the uppermost page that is empty. */
    @SuppressWarnings("NullAway") // none of its slots is asked for until it is made again
    private void dropPage() {
        int page = end - 1;
        while (free[page] == null || used[page] > 0) {
            page--;
        }
        free[page] = null;
        freeLongs[page] = 0;
        open[page >>> 6] &= ~(1L << page);
        made--;
        empty--;
        while (end > 0 && free[end - 1] == null) {
            end--;
        }
        drop.accept(page);
    }
}
