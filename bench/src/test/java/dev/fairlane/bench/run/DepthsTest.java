package dev.fairlane.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DepthsTest {
    @Test
    void depthsGoUpToWhatMayWait() {
        assertThat(Depths.upTo(1_000_000)).containsExactly(10_000L, 100_000L, 1_000_000L);
        assertThat(Depths.upTo(10_000_000)).hasSize(5);
        assertThat(Depths.upTo(500)).containsExactly(500L);
    }

    @Test
    void depthsGoUpAndDownInTurns() {
        assertThat(Depths.order(List.of(1L, 2L), 0)).containsExactly(1L, 2L);
        assertThat(Depths.order(List.of(1L, 2L), 1)).containsExactly(2L, 1L);
    }

    @Test
    void flatnessLooksUpToAMillionOnly() {
        assertThat(Depths.flatness(Map.of(10_000L, 100.0, 1_000_000L, 90.0, 10_000_000L, 10.0)))
                .isEqualTo(0.9);
    }

    @Test
    void bytesPerJobIsWhatTheJobsInBetweenTake() {
        assertThat(Depths.bytesPerJob(Map.of(10_000L, 50_000_000L, 1_000_000L, 149_000_000L, 10_000_000L, 1L)))
                .isEqualTo(100.0);
        assertThat(Depths.bytesPerJob(Map.of(10_000L, 50_000_000L))).isZero();
    }
}
