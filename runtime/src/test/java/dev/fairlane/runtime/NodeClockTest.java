package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NodeClockTest {
    private long ticks = 5_000_000;

    @Test
    void timeIsTheStoresPlusWhatTheTickerCounted() {
        NodeClock clock = new NodeClock(() -> ticks, 1_000_000, 0);
        ticks += 250_000;
        assertThat(clock.now()).isEqualTo(1_000_250);
    }

    @Test
    void timeIsNeverBelowWhatTheJournalHasSeen() {
        NodeClock clock = new NodeClock(() -> ticks, 1_000_000, 3_000_000);
        assertThat(clock.now()).isEqualTo(3_000_000);
        ticks += 2_500_000_000L;
        assertThat(clock.now()).isEqualTo(3_500_000);
    }

    @Test
    void aReadingInsideTheRoundTripIsNoSkew() {
        NodeClock clock = new NodeClock(() -> ticks, 1_000_000, 0);
        long asked = ticks;
        ticks += 1_000_000;
        assertThat(clock.adjust(1_000_500, asked)).isZero();
    }

    @Test
    void itFollowsAStoreThatIsAheadAndNeverGoesBackWithOneBehind() {
        NodeClock clock = new NodeClock(() -> ticks, 1_000_000, 0);
        assertThat(clock.adjust(1_500_000, ticks)).isEqualTo(500_000);
        assertThat(clock.now()).isEqualTo(1_500_000);
        assertThat(clock.adjust(1_200_000, ticks)).isEqualTo(-300_000);
        assertThat(clock.now()).isEqualTo(1_500_000);
        ticks += 400_000_000;
        assertThat(clock.now()).isEqualTo(1_600_000);
    }
}
