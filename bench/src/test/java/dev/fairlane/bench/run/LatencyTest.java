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
        assertThat(Latency.saturation(Map.of("pickup_p99_ms", 900.0, "submit_p99_ms", 5.0)))
                .isEmpty();
        assertThat(Latency.saturation(Map.of("pickup_p99_ms", 5.0, "submit_p99_ms", 1_100.0)))
                .contains("waits above a second");
    }

    @Test
    void soIsAClientThatIsLateAndACallThatFails() {
        assertThat(Latency.saturation(Map.of("pickup_p99_ms", 1_500.0, "late_p99_ms", 1_400.0)))
                .contains("the client, which was late itself");
        assertThat(Latency.saturation(Map.of("failed", 3.0))).contains("calls that failed");
        assertThat(Latency.saturation(Map.of("given_up", 1.0))).contains("more open calls than the client can hold");
    }
}
