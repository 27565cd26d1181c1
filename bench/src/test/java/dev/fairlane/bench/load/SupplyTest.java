package dev.fairlane.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SupplyTest {
    @Test
    void aTenthOfTheKeyedJobsAreSentAgain() {
        Supply supply = new Supply.Keyed("order-", 10);
        int submits = 20_000;
        for (int i = 0; i < submits; i++) {
            supply.next(i % 100, 0);
        }
        assertThat(supply.fresh() / (double) submits).isCloseTo(0.9, within(0.01));
    }

    @Test
    void plainJobsAreAllFresh() {
        Supply supply = new Supply.Plain(0, true);
        for (int i = 0; i < 100; i++) {
            supply.next(i, 42);
        }
        assertThat(supply.fresh()).isEqualTo(100);
    }
}
