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
    }

    @Test
    void aLeapIsBelievedOnlyWhenItLasts() {
        long day = 86_400_000_000L;
        long second = 1_000_000_000L;
        NodeClock clock = new NodeClock(() -> ticks, 1_000_000, 0);
        assertThat(clock.adjust(1_000_000 + day, ticks)).isZero();
        assertThat(clock.now()).isEqualTo(1_000_000);
        assertThat(clock.aheadMicros()).isEqualTo(-day);
        ticks += 120 * second;
        assertThat(clock.adjust(121_000_000, ticks)).as("set right again").isZero();
        assertThat(clock.aheadMicros()).isZero();
        assertThat(clock.now()).isEqualTo(121_000_000);

        for (int minute = 2; minute < 7; minute++) {
            assertThat(clock.adjust(1_000_000 + minute * 60_000_000L + day, ticks))
                    .isZero();
            assertThat(clock.doubtedMicros()).isEqualTo(day);
            ticks += 60 * second;
        }
        assertThat(clock.adjust(421_000_000 + day, ticks)).isEqualTo(day);
        assertThat(clock.now()).isEqualTo(421_000_000 + day);
        assertThat(clock.adjust(421_000_000, ticks)).isEqualTo(-day);
        assertThat(clock.aheadMicros()).isEqualTo(day);
    }

    @Test
    void aheadOfTheStoreItWalksSlowerAndNeverStandsStill() {
        long hour = 3_600_000_000L;
        NodeClock clock = new NodeClock(() -> ticks, 1_000_000, 1_000_000 + hour);
        for (long before = clock.now(), second = 1; second <= 3_600; second++) {
            ticks += 1_000_000_000L;
            assertThat(clock.now()).isEqualTo(before + second * 875_000);
        }
    }

    @Test
    void itMeetsTheStoreAndGoesOnWithIt() {
        NodeClock clock = new NodeClock(() -> ticks, 1_000_000, 1_100_000);
        ticks += 700_000_000L;
        assertThat(clock.now()).isEqualTo(1_100_000 + 612_500);
        ticks += 300_000_000L;
        assertThat(clock.now()).isEqualTo(2_000_000);
        ticks += 1_000_000L;
        assertThat(clock.now()).isEqualTo(2_001_000);
    }

    @Test
    void manySmallLooksCountAsMuchAsOne() {
        NodeClock clock = new NodeClock(() -> ticks, 0, 10_000_000);
        for (int i = 0; i < 1_000; i++) {
            ticks += 999;
            clock.now();
        }
        assertThat(clock.now()).isBetween(10_000_868L, 10_000_875L);
    }
}
