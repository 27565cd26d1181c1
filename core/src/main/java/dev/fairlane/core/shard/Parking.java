package dev.fairlane.core.shard;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Jobs held back, in order of coming: lists over job slots with links in pages that are made when a slot of theirs is first held back.
 * A job is in one list at most. Soft: after a restart every retry that is due asks again.
 */
final class Parking {
    static final int NONE = -1;

    private static final int PAGE_BITS = 12;
    private static final int PAGE = 1 << PAGE_BITS;
    private static final int MASK = PAGE - 1;
    private static final int STRIDE = 3;

    /** In place of a list: the job was held back and has been let through. */
    private static final int PASSED = -1;

    /** One list. */
    static final class Lot {
        private int number = NONE;
        private int head = NONE;
        private int tail = NONE;
        private int size;

        boolean isEmpty() {
            return head == NONE;
        }

        int size() {
            return size;
        }
    }

    private int[] @Nullable [] links = new int[16][];
    private long[] @Nullable [] since = new long[16][];
    /** Lots that have jobs, by number; 0 stays free. */
    private @Nullable Lot[] lots = new Lot[16];

    private int[] freeNumbers = new int[16];
    private int freeCount;
    private int made = 1;

    /** Puts a job that is in no list at the end of one. */
    void park(int slot, Lot lot, long now) {
        int[] page = page(slot);
        int at = (slot & MASK) * STRIDE;
        if (page[at + 2] > 0) {
            throw new IllegalStateException("expected slot " + slot + " in no list, but it is in one");
        }
        if (lot.isEmpty()) {
            take(lot);
        }
        page[at] = NONE;
        page[at + 1] = lot.tail;
        page[at + 2] = lot.number;
        if (lot.tail == NONE) {
            lot.head = slot;
        } else {
            page(lot.tail)[(lot.tail & MASK) * STRIDE] = slot;
        }
        lot.tail = slot;
        lot.size++;
        long[] times = since[slot >>> PAGE_BITS];
        if (times != null) {
            times[slot & MASK] = now;
        }
    }

    /** The first of a list, or NONE. */
    static int first(Lot lot) {
        return lot.head;
    }

    /** The one behind it in its list, or NONE. */
    int next(int slot) {
        return page(slot)[(slot & MASK) * STRIDE];
    }

    /** Takes the first of a list, which is not empty. */
    int poll(Lot lot) {
        int slot = lot.head;
        clear(slot);
        return slot;
    }

    /** Lets a job go on: it is not held back a second time. */
    void pass(int slot) {
        clear(slot);
        page(slot)[(slot & MASK) * STRIDE + 2] = PASSED;
    }

    /** The job is no longer what it was held back as. */
    void clear(int slot) {
        int[] page = slot >>> PAGE_BITS < links.length ? links[slot >>> PAGE_BITS] : null;
        if (page == null) {
            return;
        }
        int at = (slot & MASK) * STRIDE;
        int number = page[at + 2];
        page[at + 2] = 0;
        if (number <= 0) {
            return;
        }
        Lot lot = lots[number];
        if (lot == null) {
            throw new IllegalStateException("expected a list number " + number + ", but there is none");
        }
        int next = page[at];
        int prev = page[at + 1];
        if (prev == NONE) {
            lot.head = next;
        } else {
            page(prev)[(prev & MASK) * STRIDE] = next;
        }
        if (next == NONE) {
            lot.tail = prev;
        } else {
            page(next)[(next & MASK) * STRIDE + 1] = prev;
        }
        lot.size--;
        if (lot.isEmpty()) {
            giveBack(lot);
        }
    }

    /** None of these slots is in use: pages that have no others go. */
    void forget(int first, int count) {
        int end = Math.min(first + count >>> PAGE_BITS, links.length);
        for (int page = first + MASK >>> PAGE_BITS; page < end; page++) {
            links[page] = null;
            since[page] = null;
        }
    }

    /** Pages in memory. */
    int pages() {
        return (int) Arrays.stream(links).filter(Objects::nonNull).count();
    }

    boolean passed(int slot) {
        return mark(slot) == PASSED;
    }

    boolean parked(int slot) {
        return mark(slot) > 0;
    }

    boolean parkedIn(int slot, Lot lot) {
        int mark = mark(slot);
        return mark > 0 && lots[mark] == lot;
    }

    /** Since when a job is in its list. */
    long since(int slot) {
        long[] times = since[slot >>> PAGE_BITS];
        return times == null ? 0 : times[slot & MASK];
    }

    private int mark(int slot) {
        int[] page = slot >>> PAGE_BITS < links.length ? links[slot >>> PAGE_BITS] : null;
        return page == null ? 0 : page[(slot & MASK) * STRIDE + 2];
    }

    private void take(Lot lot) {
        lot.number = freeCount > 0 ? freeNumbers[--freeCount] : made++;
        if (lot.number >= lots.length) {
            lots = Arrays.copyOf(lots, lots.length * 2);
        }
        lots[lot.number] = lot;
    }

    private void giveBack(Lot lot) {
        lots[lot.number] = null;
        if (freeCount == freeNumbers.length) {
            freeNumbers = Arrays.copyOf(freeNumbers, freeCount * 2);
        }
        freeNumbers[freeCount++] = lot.number;
        lot.number = NONE;
    }

    private int[] page(int slot) {
        int index = slot >>> PAGE_BITS;
        if (index >= links.length) {
            int length = Math.max(index + 1, links.length * 2);
            links = Arrays.copyOf(links, length);
            since = Arrays.copyOf(since, length);
        }
        int[] page = links[index];
        if (page == null) {
            page = new int[STRIDE * PAGE];
            links[index] = page;
            since[index] = new long[PAGE];
        }
        return page;
    }
}
