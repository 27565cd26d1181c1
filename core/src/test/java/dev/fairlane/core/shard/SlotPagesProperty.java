package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slots and pages against plain sets of them. */
class SlotPagesProperty {
    private static final int FLOOD = 12 * SlotPages.SLOTS;

    private final BitSet used = new BitSet();
    private final BitSet there = new BitSet();
    private int made;
    private final SlotPages pages = new SlotPages(this::make, this::drop);

    private void make(int page) {
        assertThat(there.get(page)).as("page %s is there", page).isFalse();
        there.set(page);
        made++;
    }

    private void drop(int page) {
        assertThat(there.get(page)).as("page %s is there", page).isTrue();
        assertThat(isEmpty(page)).as("page %s is empty", page).isTrue();
        there.clear(page);
    }

    private boolean isEmpty(int page) {
        int next = used.nextSetBit(page << SlotPages.BITS);
        return next < 0 || next >>> SlotPages.BITS != page;
    }

    private int lowestFree() {
        for (int page = there.nextSetBit(0); page >= 0; page = there.nextSetBit(page + 1)) {
            int slot = used.nextClearBit(page << SlotPages.BITS);
            if (slot >>> SlotPages.BITS == page) {
                return slot;
            }
        }
        return there.nextClearBit(0) << SlotPages.BITS;
    }

    private int take() {
        int expected = lowestFree();
        int slot = pages.take();
        assertThat(slot).isEqualTo(expected);
        assertThat(there.get(slot >>> SlotPages.BITS)).isTrue();
        used.set(slot);
        return slot;
    }

    private void giveBack(int slot) {
        used.clear(slot);
        pages.giveBack(slot);
    }

    private void check() {
        assertThat(pages.pages()).isEqualTo(there.cardinality());
        assertThat(pages.bound()).isEqualTo(used.length());
        long empty = there.stream().filter(this::isEmpty).count();
        assertThat(empty).isLessThanOrEqualTo(SlotPages.SPARE);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void theLowestFreeSlotIsTakenAndEmptyPagesGo(long seed) {
        Random random = new Random(seed);
        List<Integer> slots = new ArrayList<>();
        for (int tide = 0; tide < 4; tide++) {
            int high = random.nextInt(FLOOD);
            int low = random.nextInt(FLOOD / 50);
            while (slots.size() < high) {
                step(random, slots, 9, false);
            }
            // Some floods leave as they came, some anyhow.
            boolean inOrder = random.nextBoolean();
            while (slots.size() > low) {
                step(random, slots, 1, inOrder);
            }
            check();
        }
        slots.forEach(this::giveBack);
        check();
        assertThat(pages.bound()).isZero();
        assertThat(pages.pages()).isLessThanOrEqualTo(SlotPages.SPARE);
    }

    private void step(Random random, List<Integer> slots, int tenthsTaken, boolean newestFirst) {
        if (slots.isEmpty() || random.nextInt(10) < tenthsTaken) {
            slots.add(take());
        } else {
            int last = slots.size() - 1;
            int at = newestFirst ? last : random.nextInt(slots.size());
            int slot = slots.get(at);
            slots.set(at, slots.get(last));
            slots.remove(last);
            giveBack(slot);
        }
        if (random.nextInt(1_000) == 0) {
            check();
        }
    }

    @Test
    void aLoadThatSwingsAroundTheEndOfAPageMakesNoPages() {
        for (int i = 0; i < FLOOD; i++) {
            take();
        }
        int before = made;
        for (int swing = 0; swing < 1_000; swing++) {
            int slot = take();
            giveBack(slot);
            giveBack(FLOOD - 1);
            assertThat(take()).isEqualTo(FLOOD - 1);
        }
        assertThat(made).isLessThanOrEqualTo(before + 1);
    }

    @Test
    void aFloodThatLeftButForItsLastLeavesOnePageAndTheSpare() {
        for (int i = 0; i < FLOOD; i++) {
            take();
        }
        for (int slot = 0; slot < FLOOD - 1; slot++) {
            giveBack(slot);
        }
        assertThat(pages.pages()).isEqualTo(SlotPages.SPARE + 1);
        assertThat(pages.bound()).isEqualTo(FLOOD);
        assertThat(take()).as("taken below").isZero();
    }
}
