package dev.fairlane.core.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.EngineConfig;
import org.junit.jupiter.api.Test;

class AgingTest {
    private static final long MINUTE = 60_000_000;
    private static final long HOUR = 60 * MINUTE;

    private final Aging aging = new Aging(EngineConfig.DEFAULT.share().agingMicros());

    @Test
    void p9ReachesP0InADayP5InAnHourP1InFiveMinutes() {
        assertThat(aging.tier(9, 24 * HOUR - 1)).isEqualTo(1);
        assertThat(aging.tier(9, 24 * HOUR)).isZero();
        assertThat(aging.tier(5, HOUR - 1)).isEqualTo(1);
        assertThat(aging.tier(5, HOUR)).isZero();
        assertThat(aging.tier(1, 5 * MINUTE - 1)).isEqualTo(1);
        assertThat(aging.tier(1, 5 * MINUTE)).isZero();
    }

    @Test
    void tiersAreLostEvenly() {
        assertThat(aging.tier(5, 0)).isEqualTo(5);
        assertThat(aging.tier(5, 12 * MINUTE - 1)).isEqualTo(5);
        assertThat(aging.tier(5, 12 * MINUTE)).isEqualTo(4);
        assertThat(aging.tier(5, 36 * MINUTE)).isEqualTo(2);
    }

    @Test
    void p0StaysAndAClockBehindChangesNothing() {
        assertThat(aging.tier(0, 0)).isZero();
        assertThat(aging.tier(7, -5)).isEqualTo(7);
    }
}
