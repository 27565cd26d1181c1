package dev.fairlane.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DriftTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void aMegabyteAMinuteIsSixtyAnHour() {
        assertThat(Drift.perHour(List.of(100.0, 101.0, 102.0, 103.0), MINUTE)).isCloseTo(60, within(1e-9));
    }

    @Test
    void oneBadMinuteIsNoTrend() {
        assertThat(Drift.perHour(List.of(100.0, 100.0, 500.0, 100.0, 100.0), MINUTE))
                .isZero();
    }

    @Test
    void theLastThirdIsComparedWithTheFirst() {
        assertThat(Drift.change(List.of(10.0, 10.0, 90.0, 1.0, 12.0, 12.0))).isCloseTo(0.2, within(1e-9));
    }

    @Test
    void oneSampleHasNoDrift() {
        assertThat(Drift.change(List.of(10.0))).isZero();
        assertThat(Drift.perHour(List.of(10.0), MINUTE)).isZero();
    }
}
