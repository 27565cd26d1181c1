package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlotNotesProperty {
    private static final int PAGES = 40;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void hasWhatAMapHasAndForgetsPages(long seed) {
        Random random = new Random(seed);
        SlotNotes<String> notes = new SlotNotes<>();
        Map<Integer, String> model = new HashMap<>();
        for (int step = 0; step < 20_000; step++) {
            int slot = random.nextInt(PAGES * SlotPages.SLOTS);
            // few of each page, so that they are met again
            slot -= slot % 64;
            if (random.nextInt(5) < 3) {
                notes.put(slot, "note " + step);
                model.put(slot, "note " + step);
            } else {
                assertThat(notes.remove(slot)).isEqualTo(model.remove(slot));
            }
            if (random.nextInt(500) == 0) {
                int page = slot >>> SlotPages.BITS;
                model.keySet().removeIf(other -> {
                    boolean gone = other >>> SlotPages.BITS == page;
                    if (gone) {
                        notes.remove(other);
                    }
                    return gone;
                });
                int before = notes.pages();
                notes.forget(page << SlotPages.BITS, SlotPages.SLOTS);
                assertThat(notes.pages()).isEqualTo(before - 1);
            }
            assertThat(notes.get(slot)).isEqualTo(model.get(slot));
            assertThat(notes.isEmpty()).isEqualTo(model.isEmpty());
        }
        model.forEach((slot, note) -> assertThat(notes.get(slot)).isEqualTo(note));
    }
}
