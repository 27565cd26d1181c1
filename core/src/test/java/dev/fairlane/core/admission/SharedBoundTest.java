package dev.fairlane.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SharedBoundTest {
    private final long[] has = new long[100];

    private long all() {
        long all = 0;
        for (long one : has) {
            all += one;
        }
        return all;
    }

    private void takeAllItCan(int tenant, long size) {
        while (SharedBound.full(size, all(), has[tenant], 1) == null) {
            has[tenant]++;
        }
    }

    @Test
    void oneAloneGetsAllButATenthAndIsToldSo() {
        takeAllItCan(0, 1_000);
        assertThat(has[0]).isEqualTo(900);
        assertThat(SharedBound.full(1_000, 900, 900, 1)).isEqualTo(new SharedBound.Full(900, 900, true));
    }

    @Test
    void whoeverComesNextFindsSome() {
        for (int tenant = 0; tenant < 10; tenant++) {
            takeAllItCan(tenant, 100_000);
            assertThat(has[tenant]).isPositive();
        }
        assertThat(all()).isLessThan(100_000);
    }

    @Test
    void nobodyGetsMoreThanThereIs() {
        assertThat(SharedBound.full(10, 8, 0, 2)).isNull();
        assertThat(SharedBound.full(10, 8, 0, 3)).isEqualTo(new SharedBound.Full(10, 8, false));
        assertThat(SharedBound.full(10, 12, 3, 1)).isEqualTo(new SharedBound.Full(10, 12, false));
        assertThat(SharedBound.full(10, 12, 3, 0)).as("nothing more").isNull();
    }
}
