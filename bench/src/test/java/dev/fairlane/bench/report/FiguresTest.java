package dev.fairlane.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FiguresTest {
    @Test
    void theMedianIsTheMiddleOrBetweenTheMiddleTwo() {
        assertThat(Statistics.median(List.of(9.0, 1.0, 5.0))).isEqualTo(5);
        assertThat(Statistics.median(List.of(9.0, 1.0, 5.0, 6.0))).isEqualTo(5.5);
        assertThatThrownBy(() -> Statistics.median(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void fourDigitsAreEnough() {
        assertThat(Statistics.rounded(123_456)).isEqualTo(123_500);
        assertThat(Statistics.rounded(0.0123456)).isEqualTo(0.01235);
        assertThat(Statistics.rounded(0)).isZero();
    }

    @Test
    void aResultIsOneLineOfJsonInTheOrderItWasPut() {
        Figures figures = new Figures()
                .put("name", "latency")
                .put(
                        "rates",
                        new Figures().put("500", new Figures().putMedian("submit_p99_ms", List.of(3.0, 1.0, 2.0))));

        assertThat(figures.json())
                .isEqualTo(
                        "{\"name\":\"latency\",\"rates\":{\"500\":{\"submit_p99_ms\":2.0,\"submit_p99_ms_rounds\":[3.0,1.0,2.0]}}}");
    }

    @Test
    void numbersAreFoundByTheirPathAndSettingsAreNotFigures() {
        String json = "{\"name\":\"x\",\"machine\":{\"cores\":2},\"jobs_per_s\":5,\"jobs_per_s_rounds\":[5,6],"
                + "\"rates\":{\"500\":{\"p99\":1.5}},\"settings\":{\"slots\":1}}";

        assertThat(Figures.numbers(json)).isEqualTo(Map.of("jobs_per_s", 5.0, "rates.500.p99", 1.5));
    }
}
