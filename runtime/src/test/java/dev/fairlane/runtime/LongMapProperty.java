package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LongMapProperty {
    private static final int[] TIDES = {200_000, 3_000, 40_000, 0, 90_000, 20_000, 10};

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void behavesLikeAHashMapUnderRandomPutsAndRemoves(long seed) {
        Random random = new Random(seed);
        LongMap<String> map = new LongMap<>();
        Map<Long, String> model = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            // Few distinct keys with equal low bits, so that probe chains are long and wrap around.
            long key = (long) random.nextInt(300) << 40 | random.nextInt(3);
            if (random.nextInt(5) < 3) {
                assertThat(map.put(key, "v" + i)).isEqualTo(model.put(key, "v" + i));
            } else {
                assertThat(map.remove(key)).isEqualTo(model.remove(key));
            }
            assertThat(map.size()).isEqualTo(model.size());
        }
        assertSame(map, model);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void followsItsSizeBothWays(long seed) {
        Random random = new Random(seed);
        LongMap<String> map = new LongMap<>();
        Map<Long, String> model = new HashMap<>();
        List<Long> keys = new ArrayList<>();
        for (int size : TIDES) {
            while (keys.size() != size) {
                boolean more = keys.size() < size;
                if (keys.isEmpty() || random.nextInt(10) < (more ? 9 : 1)) {
                    long key = seed % 2 == 0 ? random.nextLong() : (long) model.size() << 20 | random.nextInt(1 << 20);
                    if (model.putIfAbsent(key, "v" + key) == null) {
                        assertThat(map.put(key, "v" + key)).isNull();
                        keys.add(key);
                    }
                } else {
                    int at = random.nextInt(keys.size());
                    long key = keys.get(at);
                    keys.set(at, keys.getLast());
                    keys.removeLast();
                    assertThat(map.remove(key)).isEqualTo(model.remove(key));
                    assertThat(map.get(key)).isNull();
                }
            }
            assertSame(map, model);
            assertThat(map.capacity()).isBetween(4 * size / 3, Math.max(LongMap.PART, 16 * size));
        }
    }

    @Test
    void keysWhoseHashesBeginAlikeAreKeptApart() {
        // By the inverse of the multiplier: hashes whose first bits are all 0, so that no split tells them apart.
        long inverse = 0xF1DE83E19937733DL;
        LongMap<Long> map = new LongMap<>();
        for (long hash = 0; hash < 6_000; hash++) {
            map.put(inverse * (hash << 32), hash);
        }
        for (long hash = 0; hash < 6_000; hash++) {
            assertThat(map.get(inverse * (hash << 32))).isEqualTo(hash);
        }
        for (long hash = 0; hash < 6_000; hash++) {
            assertThat(map.remove(inverse * (hash << 32))).isEqualTo(hash);
        }
        assertThat(map.isEmpty()).isTrue();
        assertThat(map.capacity()).isLessThanOrEqualTo(4 * LongMap.PART);
    }

    @Test
    void theSameHistoryIsIteratedInTheSameOrder() {
        assertThat(afterTides(7)).isEqualTo(afterTides(7)).hasSizeGreaterThan(1_000);
    }

    private static List<Long> afterTides(long seed) {
        Random random = new Random(seed);
        LongMap<Long> map = new LongMap<>();
        for (int i = 0; i < 300_000; i++) {
            long key = random.nextInt(100_000);
            if (random.nextInt(300_000) > i) {
                map.put(key, key);
            } else {
                map.remove(key);
            }
        }
        List<Long> seen = new ArrayList<>();
        map.forEach(seen::add);
        return seen;
    }

    @Test
    void oneThatIsClearedKeepsItsTables() {
        LongMap<Long> map = new LongMap<>();
        for (long key = 0; key < 50_000; key++) {
            map.put(key, key);
        }
        int capacity = map.capacity();
        map.clear();
        assertThat(map.isEmpty()).isTrue();
        assertThat(map.get(17)).isNull();
        map.forEach(value -> assertThat(value).as("left behind").isNull());
        for (long key = 50_000; key < 90_000; key++) {
            map.put(key, key);
        }
        assertThat(map.size()).isEqualTo(40_000);
        assertThat(map.capacity()).isBetween(capacity, 2 * capacity);
    }

    private static void assertSame(LongMap<String> map, Map<Long, String> model) {
        assertThat(map.size()).isEqualTo(model.size());
        model.forEach((key, value) -> assertThat(map.get(key)).isEqualTo(value));
        List<String> seen = new ArrayList<>();
        map.forEach(seen::add);
        assertThat(seen).hasSameSizeAs(model.values());
        assertThat(new HashSet<>(seen)).isEqualTo(new HashSet<>(model.values()));
    }
}
