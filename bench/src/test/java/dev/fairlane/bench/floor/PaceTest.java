package dev.fairlane.bench.floor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PaceTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void whatIsFinishedOutsideTheWindowDoesNotCount() {
        Pace pace = new Pace(10 * SECOND, 20 * SECOND);
        pace.reached(50_000, 9 * SECOND);
        pace.reached(60_000, 11 * SECOND);
        pace.reached(100_000, 15 * SECOND);
        pace.reached(999_999, 21 * SECOND);

        assertThat(pace.perSecond()).isEqualTo(10_000);
    }

    @Test
    void oneThingFinishedSaysNothing() {
        Pace pace = new Pace(0, SECOND);
        pace.reached(5, 1);

        assertThatThrownBy(pace::perSecond).isInstanceOf(IllegalStateException.class);
    }
}
