package dev.fairlane.sdk.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReturningTest {
    private static final long SOON = 10_000;
    private static final long ROUND = 1_000_000;

    private long now = 1_000;
    private final Returning returning = new Returning(now);

    /** All of a burst come back soon. */
    private void round(int jobs) {
        now += ROUND;
        returning.answered(jobs, now);
        for (int i = 0; i < jobs; i++) {
            now += SOON;
            returning.came(false, now);
        }
    }

    @Test
    void whoComesByChanceIsNeverHeldUp() {
        for (int i = 0; i < 100; i++) {
            assertThat(returning.came(i % 2 == 0, now += ROUND)).isZero();
            returning.answered(1 + i % 3, now += SOON);
            assertThat(returning.came(true, now += SOON)).isZero();
        }
        assertThat(returning.worthIt()).isFalse();
    }

    @Test
    void whileAllComeBackEachWaitsForTheRestAndTheLastGoesAtOnce() {
        for (int i = 0; i < 5; i++) {
            round(8);
        }
        assertThat(returning.worthIt()).isTrue();
        returning.answered(8, now += ROUND);
        for (int i = 0; i < 7; i++) {
            assertThat(returning.came(false, now += SOON)).isEqualTo(Returning.MOMENT_NANOS - (i + 1) * SOON);
        }
        assertThat(returning.came(false, now += SOON)).isZero();
    }

    @Test
    void answersCloseToEachOtherBelongTogether() {
        for (int i = 0; i < 5; i++) {
            round(4);
        }
        returning.answered(2, now += ROUND);
        returning.answered(2, now += SOON);
        for (int i = 0; i < 3; i++) {
            assertThat(returning.came(false, now += SOON)).isPositive();
        }
        assertThat(returning.came(false, now += SOON)).isZero();
    }

    @Test
    void twoGroupsBecomeOneByWaitingForTheAnswerToTheOther() {
        for (int i = 0; i < 5; i++) {
            round(4);
        }
        assertThat(returning.came(true, now += ROUND)).isEqualTo(Returning.ANSWER_NANOS);
        assertThat(returning.came(false, now += ROUND)).isZero();
    }

    @Test
    void whenSomeStayAwayNobodyWaitsAnyMore() {
        for (int i = 0; i < 5; i++) {
            round(8);
        }
        for (int i = 0; i < 2; i++) {
            returning.answered(8, now += ROUND);
            returning.came(false, now += SOON);
        }
        returning.answered(8, now += ROUND);
        assertThat(returning.worthIt()).isFalse();
        assertThat(returning.came(true, now += SOON)).isZero();
    }

    @Test
    void whenOnlySomeByThemselvesAreLeftNobodyWaitsAnyMore() {
        for (int i = 0; i < 20; i++) {
            round(8);
        }
        for (int i = 0; i < 5; i++) {
            returning.answered(1, now += ROUND);
        }
        assertThat(returning.came(true, now += ROUND)).isZero();
    }

    @Test
    void whoIsToldSoonerThanOthersSeesToItAndWhatWasLetGoWaitsForNobody() {
        for (int i = 0; i < 5; i++) {
            round(8);
        }
        assertThat(returning.keepBack(Returning.ANSWER_NANOS, now)).isTrue();
        assertThat(returning.keepBack(Returning.ANSWER_NANOS, now + 1)).isFalse();
        assertThat(returning.keepBack(Returning.MOMENT_NANOS, now + 1)).isTrue();
        assertThat(returning.keepsBack()).isTrue();
        assertThat(returning.keptLongEnough(now + Returning.MOMENT_NANOS)).isFalse();
        assertThat(returning.keptLongEnough(now + 1 + Returning.MOMENT_NANOS)).isTrue();

        returning.letGo();
        assertThat(returning.keepsBack()).isFalse();
        assertThat(returning.keepBack(Returning.ANSWER_NANOS, now + 2)).isTrue();
    }
}
