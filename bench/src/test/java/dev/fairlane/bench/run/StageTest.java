package dev.fairlane.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StageTest {
    @Test
    void aDeepBacklogHasLongerThanAFlood() {
        assertThat(Stage.secondsFor(20_000)).isEqualTo(240);
        assertThat(Stage.secondsFor(10_000_000)).isEqualTo(2_000);
    }
}
