package dev.fairlane.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LatencyTest {
    @Test
    void theRatesOfTheCurveGrow() {
        assertThat(Latency.next(500)).isEqualTo(700);
        assertThat(Latency.next(700)).isEqualTo(1_000);
        assertThat(Latency.next(10_000)).isEqualTo(14_000);
    }

    @Test
    void aSecondOfWaitingIsSaturation() {
        assertThat(Latency.saturated(Map.of("pickup_p99_ms", 900.0, "submit_p99_ms", 5.0)))
                .isFalse();
        assertThat(Latency.saturated(Map.of("pickup_p99_ms", 5.0, "submit_p99_ms", 1_100.0)))
                .isTrue();
    }
}
