package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The index against a plain map, while it grows and shrinks. */
class SlotIndexProperty {
    private static final int MOST = 200_000;

    private final long[] keys = new long[MOST];
    private final SlotIndex index = new SlotIndex(slot -> keys[slot]);
    private final Map<Long, Integer> model = new HashMap<>();
    private final List<Integer> free = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void findsWhatAMapFindsAndFollowsItsSizeBothWays(long seed) {
        Random random = new Random(seed);
        for (int slot = 0; slot < MOST; slot++) {
            free.add(slot);
        }
        List<Long> here = new ArrayList<>();
        int floor = index.capacity();
        for (int size : new int[] {MOST, 5_000, 60_000, 0, 20_000, 100, MOST / 2, 0}) {
            while (here.size() != size) {
                boolean more = here.size() < size;
                if (here.isEmpty() || random.nextInt(10) < (more ? 9 : 1) && !free.isEmpty()) {
                    add(random.nextLong(), here);
                } else {
                    remove(here, random.nextInt(here.size()));
                }
            }
            model.forEach((key, slot) -> assertThat(index.find(key)).isEqualTo(slot));
            assertThat(index.find(random.nextLong())).isEqualTo(SlotIndex.NONE);
            // eight times what is in it, or the small parts that stay
            assertThat(index.capacity()).isLessThanOrEqualTo(Math.max(1_024 * 64, 16 * size) + floor);
        }
    }

    /** As jobs are numbered: those of one start one after the other, those of the next from one on again. */
    @Test
    void numbersOfSeveralStartsAreFoundWhileTheyComeAndGoInTurns() {
        for (int slot = 0; slot < MOST; slot++) {
            free.add(slot);
        }
        List<Long> here = new ArrayList<>();
        for (int turn = 0; turn < 30; turn++) {
            for (long epoch = 1; epoch <= 3; epoch++) {
                for (int i = 0; i < 2_000; i++) {
                    add(1L << 63 | epoch << 40 | turn * 2_000L + i, here);
                }
            }
            // tenants take turns, each with a few that lie together
            for (int i = 0; i < 4_000 && turn > 3; i++) {
                remove(here, i * 100 % here.size());
            }
        }
        model.forEach((key, slot) -> assertThat(index.find(key)).isEqualTo(slot));
        assertThat(index.find(1L << 63 | 4L << 40)).isEqualTo(SlotIndex.NONE);
        while (!here.isEmpty()) {
            remove(here, here.size() - 1);
        }
        assertThat(index.capacity()).isLessThanOrEqualTo(1_024 * 64);
    }

    private void add(long key, List<Long> here) {
        int slot = free.removeLast();
        keys[slot] = key;
        index.add(slot);
        model.put(key, slot);
        here.add(key);
    }

    private void remove(List<Long> here, int at) {
        long key = here.get(at);
        here.set(at, here.getLast());
        here.removeLast();
        int slot = index.find(key);
        assertThat(slot).isEqualTo(model.remove(key));
        index.remove(slot);
        keys[slot] = 0;
        free.add(slot);
    }
}
