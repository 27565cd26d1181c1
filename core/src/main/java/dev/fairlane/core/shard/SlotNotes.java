package dev.fairlane.core.shard;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What some of the job slots have and most have not: references in pages that are made when a slot of theirs first has one. */
final class SlotNotes<T> {
    private @Nullable Object[] @Nullable [] pages = new Object[16][];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    @SuppressWarnings("unchecked")
    @Nullable T get(int slot) {
        @Nullable Object[] page = page(slot);
        return page == null ? null : (T) page[slot & SlotPages.MASK];
    }

    void put(int slot, T note) {
        int number = slot >>> SlotPages.BITS;
        if (number >= pages.length) {
            pages = Arrays.copyOf(pages, Math.max(number + 1, pages.length * 2));
        }
        @Nullable Object[] page = pages[number];
        if (page == null) {
            page = new Object[SlotPages.SLOTS];
            pages[number] = page;
        }
        size += page[slot & SlotPages.MASK] == null ? 1 : 0;
        page[slot & SlotPages.MASK] = note;
    }

    /** What the slot had. */
    @SuppressWarnings("unchecked")
    @Nullable T remove(int slot) {
        @Nullable Object[] page = page(slot);
        if (page == null) {
            return null;
        }
        T note = (T) page[slot & SlotPages.MASK];
        size -= note == null ? 0 : 1;
        page[slot & SlotPages.MASK] = null;
        return note;
    }

    /** None of these slots is in use: pages that have no others go. */
    void forget(int first, int count) {
        int end = Math.min(first + count >>> SlotPages.BITS, pages.length);
        for (int page = first + SlotPages.MASK >>> SlotPages.BITS; page < end; page++) {
            pages[page] = null;
        }
    }

    /** Pages in memory. */
    int pages() {
        return (int) Arrays.stream(pages).filter(Objects::nonNull).count();
    }

    private @Nullable Object @Nullable [] page(int slot) {
        return slot >>> SlotPages.BITS < pages.length ? pages[slot >>> SlotPages.BITS] : null;
    }
}
