package dev.fairlane.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.run.Peers.Score;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PeersTest {
    @Test
    void ratiosAreAgainstTheBestOfEachFigureAndOfJavaAlone() {
        Map<String, Score> scores = new LinkedHashMap<>();
        scores.put("fairlane", score(true, 100, 5));
        scores.put("fast", score(false, 40, 20));
        scores.put("slow", score(true, 10, 10));

        Map<String, Double> numbers =
                Figures.numbers(Peers.figures("fairlane", scores).json());

        assertThat(numbers)
                .containsEntry("ratio_to_best_peer", 2.5)
                .containsEntry("ratio_to_best_java_peer", 10.0)
                .containsEntry("pickup_p99_ratio_to_best_peer", 0.5)
                .containsEntry("peers.fast.jobs_per_s", 40.0)
                .containsEntry("fairlane.jobs_per_s", 100.0);
    }

    @Test
    void aPeerThatFailedEarlyHasNoSay() {
        Map<String, Score> scores = new LinkedHashMap<>();
        scores.put("fairlane", score(true, 100, 5));
        scores.put("broken", Score.of(true));

        assertThat(Figures.numbers(Peers.figures("fairlane", scores).json()))
                .doesNotContainKeys("ratio_to_best_peer", "ratio_to_best_java_peer");
    }

    private static Score score(boolean java, double rate, double p99) {
        Score score = Score.of(java);
        score.add("jobs_per_s", rate);
        score.add("pickup_p99_ms", p99);
        return score;
    }
}
