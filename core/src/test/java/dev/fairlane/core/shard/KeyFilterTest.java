package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeyFilterTest {
    private static final int KEYS = 200_000;

    @Test
    void whatWasPutInIsFoundAndNearlyNothingElse() {
        SplittableRandom random = new SplittableRandom(1);
        KeyFilter filter = new KeyFilter(KEYS);
        long[] keys = random.longs(KEYS).toArray();
        for (long key : keys) {
            filter.add(key);
        }
        for (long key : keys) {
            assertThat(filter.mayHave(key)).isTrue();
        }
        long wrong = random.longs(1_000_000).filter(filter::mayHave).count();
        assertThat(wrong).as("needless look-ups of a million").isLessThan(3_000);
        assertThat(filter.bytes()).isLessThan(KEYS * 2 + 128);
    }

    @Test
    void aFilterOfNothingHasNothing() {
        assertThat(new KeyFilter(0).mayHave(7)).isFalse();
    }
}
