package dev.fairlane.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimingWheelTest {
    private final TimingWheel wheel = new TimingWheel();

    @Test
    void aTimerIsNeverEarlyAndAtMostATickLate() {
        wheel.set(3, 5_000);
        wheel.advance(4_999);
        assertThat(wheel.poll()).isEqualTo(TimingWheel.NONE);
        wheel.advance(5_000 + 1_024);
        assertThat(wheel.poll()).isEqualTo(3);
        assertThat(wheel.poll()).isEqualTo(TimingWheel.NONE);
    }

    @Test
    void pagesOfSlotsWithoutTimersGoWhenTheirOwnerSaysSo() {
        wheel.set(5, 5_000);
        wheel.set(5_000, 5_000);
        wheel.set(9_000, 5_000);
        assertThat(wheel.pages()).isEqualTo(3);
        wheel.cancel(5_000);
        wheel.forget(4_000, 4_192);
        assertThat(wheel.pages()).as("only what is wholly in the range").isEqualTo(2);
        wheel.cancel(5_000);
        wheel.set(4_500, 6_000);
        wheel.advance(10_000);
        assertThat(wheel.poll()).isEqualTo(5);
        assertThat(wheel.poll()).isEqualTo(9_000);
        assertThat(wheel.poll()).isEqualTo(4_500);
    }

    @Test
    void whatIsPutOffIsTakenInItsOrderAndCanBeCancelled() {
        for (int slot = 0; slot < 3; slot++) {
            wheel.set(slot, 10);
        }
        wheel.advance(10_000);
        for (int slot = wheel.poll(); slot != TimingWheel.NONE; slot = wheel.poll()) {
            wheel.putOff(slot);
        }
        assertThat(wheel.hasPutOff()).isTrue();
        wheel.cancel(1);
        assertThat(wheel.pollPutOff()).isZero();
        assertThat(wheel.pollPutOff()).isEqualTo(2);
        assertThat(wheel.hasPutOff()).isFalse();
        assertThat(wheel.size()).isZero();
    }

    @Test
    void aDeadlineBeyondAllTimeIsKept() {
        wheel.advance(1_700_000_000_000_000L);
        wheel.set(1, Long.MAX_VALUE);
        wheel.advance(1_800_000_000_000_000L);
        assertThat(wheel.poll()).isEqualTo(TimingWheel.NONE);
        assertThat(wheel.size()).isEqualTo(1);
    }

    @Test
    void withoutTimersThereIsNoNext() {
        assertThat(wheel.nextAt()).isEqualTo(Long.MAX_VALUE);
        wheel.set(0, 1L << 40);
        assertThat(wheel.nextAt()).isLessThanOrEqualTo(1L << 40);
        wheel.cancel(0);
        assertThat(wheel.nextAt()).isEqualTo(Long.MAX_VALUE);
    }
}
