package dev.fairlane.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every number is found by the name it has, and by no other, whoever came and went. */
class NameIndexProperty {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void findsWhatIsThere(long seed) {
        Random random = new Random(seed);
        String[] names = new String[500];
        NameIndex index = new NameIndex(number -> names[number]);
        Map<String, Integer> model = new HashMap<>();
        for (int step = 0; step < 20_000; step++) {
            int number = random.nextInt(names.length);
            String name = "name-" + random.nextInt(1_000);
            if (names[number] != null) {
                index.remove(number);
                model.remove(names[number]);
                names[number] = null;
            } else if (!model.containsKey(name)) {
                names[number] = name;
                index.add(number);
                model.put(name, number);
            }
            assertThat(index.size()).isEqualTo(model.size());
            String asked = "name-" + random.nextInt(1_000);
            assertThat(index.find(asked)).isEqualTo(model.getOrDefault(asked, NameIndex.NONE));
        }
        model.forEach((name, number) -> assertThat(index.find(name)).isEqualTo(number));
    }
}
