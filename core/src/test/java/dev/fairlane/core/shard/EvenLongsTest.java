package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EvenLongsTest {
    @Test
    void whatAllHaveInCommonIsKeptOnce() {
        EvenLongs numbers = new EvenLongs();
        numbers.set(5, 17, true);
        for (int at = 6; at < 1_000; at++) {
            numbers.set(at, 17, false);
        }
        assertThat(numbers.get(999)).isEqualTo(17);
        assertThat(numbers.isEven()).isTrue();

        numbers.set(7, 18, false);
        assertThat(numbers.isEven()).isFalse();
        assertThat(numbers.get(7)).isEqualTo(18);
        assertThat(numbers.get(8)).isEqualTo(17);
    }

    @Test
    void oneThatIsAloneMayHaveAnotherEachTime() {
        EvenLongs numbers = new EvenLongs();
        for (int number = 1; number < 10; number++) {
            numbers.set(3, number, true);
            assertThat(numbers.get(3)).isEqualTo(number);
        }
        assertThat(numbers.isEven()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void hasWhatAnArrayHas(long seed) {
        Random random = new Random(seed);
        EvenLongs numbers = new EvenLongs();
        long[] model = new long[SlotPages.SLOTS];
        for (int step = 0; step < 20_000; step++) {
            int at = random.nextInt(model.length);
            model[at] = step < 10_000 ? 0 : random.nextInt(3);
            numbers.set(at, model[at], false);
            assertThat(numbers.get(at)).isEqualTo(model[at]);
        }
        for (int at = 0; at < model.length; at++) {
            assertThat(numbers.get(at)).isEqualTo(model[at]);
        }
    }
}
