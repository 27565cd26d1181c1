package dev.fairlane.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SurroundingsTest {
    @Test
    void aMachineIsBusyWhenMoreRunsThanItHasProcessors() {
        assertThat(Surroundings.busy(2.0, 2)).isFalse();
        assertThat(Surroundings.busy(2.1, 2)).isTrue();
        assertThat(Surroundings.busy(-1, 2)).as("a system that does not say").isFalse();
    }
}
