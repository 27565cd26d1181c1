package dev.fairlane.core.share;

import java.util.Arrays;
import java.util.Objects;

/**
 * All queues by number, and the links of their lists by job slot: a waiting job is in one list at most, so two ints a slot serve
 * every list of every pool.
 */
public final class Queues {
    static final int NONE = -1;

    private static final int PAGE_BITS = 12;
    private static final int PAGE = 1 << PAGE_BITS;
    private static final int MASK = PAGE - 1;

    private int[][] pages = new int[16][];
    private Queue[] queues = new Queue[64];
    private int made;
    /** Numbers of queues that are gone. */
    private int[] free = new int[16];

    private int freeCount;

    public Queue get(int number) {
        return queues[number];
    }

    int nextNumber() {
        return freeCount > 0 ? free[freeCount - 1] : made;
    }

    /** Takes in a queue that has the next number. */
    void add(Queue queue) {
        if (freeCount > 0) {
            freeCount--;
        } else if (++made > queues.length) {
            queues = Arrays.copyOf(queues, queues.length * 2);
        }
        queues[queue.number()] = queue;
    }

    @SuppressWarnings("NullAway") // nobody has the number any more
    void remove(Queue queue) {
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, freeCount * 2);
        }
        free[freeCount++] = queue.number();
        queues[queue.number()] = null;
    }

    int next(int slot) {
        return pages[slot >>> PAGE_BITS][(slot & MASK) << 1];
    }

    int prev(int slot) {
        return pages[slot >>> PAGE_BITS][((slot & MASK) << 1) + 1];
    }

    void setNext(int slot, int next) {
        pages[slot >>> PAGE_BITS][(slot & MASK) << 1] = next;
    }

    void setPrev(int slot, int prev) {
        pages[slot >>> PAGE_BITS][((slot & MASK) << 1) + 1] = prev;
    }

    void set(int slot, int prev, int next) {
        int[] page = page(slot >>> PAGE_BITS);
        int at = (slot & MASK) << 1;
        page[at] = next;
        page[at + 1] = prev;
    }

    /** None of these slots is in a list: pages that have no others go. */
    @SuppressWarnings("NullAway") // nobody asks for a slot of it until it is in a list again
    public void forget(int first, int count) {
        int end = Math.min(first + count >>> PAGE_BITS, pages.length);
        for (int page = first + MASK >>> PAGE_BITS; page < end; page++) {
            pages[page] = null;
        }
    }

    /** Pages of links in memory. */
    public int pages() {
        return (int) Arrays.stream(pages).filter(Objects::nonNull).count();
    }

    private int[] page(int index) {
        if (index >= pages.length) {
            pages = Arrays.copyOf(pages, Math.max(index + 1, pages.length * 2));
        }
        int[] page = pages[index];
        if (page == null) {
            page = new int[2 * PAGE];
            pages[index] = page;
        }
        return page;
    }
}
