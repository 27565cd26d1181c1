package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LongMapProperty {

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
        model.forEach((key, value) -> assertThat(map.get(key)).isEqualTo(value));
        List<String> seen = new ArrayList<>();
        map.forEach(seen::add);
        assertThat(seen).containsExactlyInAnyOrderElementsOf(model.values());
    }
}
