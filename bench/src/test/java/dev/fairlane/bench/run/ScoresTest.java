package dev.fairlane.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.bench.report.Figures;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScoresTest {
    private final Scores scores = new Scores("fairlane", List.of("fast", "slow"));

    @Test
    void ratiosAreAgainstTheBestOfEachFigureAndOfJavaAlone() {
        add("fairlane", true, 100, 5);
        add("fast", false, 40, 20);
        add("slow", true, 10, 10);

        assertThat(Figures.numbers(scores.figures(false).json()))
                .containsEntry("ratio_to_best_peer", 2.5)
                .containsEntry("ratio_to_best_java_peer", 10.0)
                .containsEntry("pickup_p99_ratio_to_best_peer", 0.5)
                .containsEntry("drain_settled_ratio_to_best_peer", 1.25)
                .containsEntry("peers.fast.jobs_per_s", 40.0)
                .containsEntry("fairlane.jobs_per_s", 100.0);
    }

    @Test
    void withoutTheWholeFieldThereAreNoRatiosAndNoSuccess() {
        add("fairlane", true, 100, 5);
        add("slow", true, 10, 10);

        Figures figures = scores.figures(false);

        assertThat(figures.failed()).isTrue();
        assertThat(Figures.numbers(figures.json()))
                .doesNotContainKeys("ratio_to_best_peer", "ratio_to_best_java_peer")
                .containsEntry("among_present.ratio_to_best_peer", 10.0);
        assertThat(figures.json()).contains("\"missing\":\"fast\"");
    }

    @Test
    void askedForSomeThereIsNoFailureButNoRatioToTheBestEither() {
        add("fairlane", true, 100, 5);
        add("slow", true, 10, 10);

        Figures figures = scores.figures(true);

        assertThat(figures.failed()).isFalse();
        assertThat(Figures.numbers(figures.json())).doesNotContainKey("ratio_to_best_peer");
    }

    @Test
    void ofTwoWaysToSubmitTheOneWithTheLowerMedianCountsAndNotTheLowerOfEachTurn() {
        for (double[] turn : new double[][] {{4, 9}, {9, 5}, {8, 6}}) {
            scores.add("fast", false, Map.of("pickup_apart_p99_ms", turn[0], "pickup_together_p99_ms", turn[1]));
        }

        assertThat(Figures.numbers(scores.figures(true).json()))
                .containsEntry("peers.fast.pickup_apart_p99_ms", 8.0)
                .containsEntry("peers.fast.pickup_together_p99_ms", 6.0)
                .containsEntry("peers.fast.pickup_p99_ms", 6.0);
    }

    private void add(String name, boolean java, double rate, double p99) {
        scores.add(
                name,
                java,
                Map.of(
                        "jobs_per_s",
                        rate,
                        "drain_jobs_per_s",
                        rate,
                        "drain_settled_jobs_per_s",
                        name.equals("fairlane") ? rate / 2 : rate,
                        "single_jobs_per_s",
                        rate,
                        "pickup_apart_p99_ms",
                        p99));
    }
}
