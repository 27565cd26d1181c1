package dev.fairlane.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.run.Guard.Part;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GuardTest {
    private static final Map<String, Double> BEFORE = Map.of("ratio_to_floor_by_cpu", 0.4, "wal_bytes_per_job", 500.0);

    @Test
    void aSmallLossPasses() throws Exception {
        Figures judged = judged(Map.of("ratio_to_floor_by_cpu", 0.36, "wal_bytes_per_job", 550.0));
        assertThat(judged.failed()).isFalse();
        assertThat(Figures.numbers(judged.json()))
                .containsEntry("loss.ratio_to_floor_by_cpu", 0.1)
                .containsEntry("loss.wal_bytes_per_job", 0.1);
    }

    @Test
    void lessOfWhatShouldBeMuchFails() throws Exception {
        Map<String, Double> less = Map.of("ratio_to_floor_by_cpu", 0.33, "wal_bytes_per_job", 500.0);
        assertThat(judged(less, less).failed()).isTrue();
    }

    @Test
    void moreOfWhatShouldBeLittleFails() throws Exception {
        Map<String, Double> more = Map.of("ratio_to_floor_by_cpu", 0.4, "wal_bytes_per_job", 600.0);
        assertThat(judged(more, more).failed()).isTrue();
    }

    @Test
    void aLossThatDoesNotShowAgainPasses() throws Exception {
        Figures judged = judged(
                Map.of("ratio_to_floor_by_cpu", 0.3, "wal_bytes_per_job", 510.0),
                Map.of("ratio_to_floor_by_cpu", 0.41, "wal_bytes_per_job", 700.0));
        assertThat(judged.failed()).isFalse();
        assertThat(Figures.numbers(judged.json()))
                .containsEntry("guarded.ratio_to_floor_by_cpu", 0.41)
                .containsEntry("guarded.wal_bytes_per_job", 510.0);
        assertThat(judged.json()).contains("\"repeated\":{\"part\":\"ratio_to_floor_by_cpu\"}");
    }

    @Test
    void whatIsNoLongerMeasuredFails() throws Exception {
        assertThat(judged(Map.of("wal_bytes_per_job", 500.0)).failed()).isTrue();
    }

    @Test
    void whatSwingsByItselfIsOnlyReported() throws Exception {
        Figures judged =
                judged(Map.of("ratio_to_floor_by_cpu", 0.4, "wal_bytes_per_job", 500.0, "ratio_to_floor", 0.01));
        assertThat(judged.failed()).isFalse();
        assertThat(Figures.numbers(judged.json())).containsEntry("reported.ratio_to_floor", 0.01);
    }

    @Test
    void withoutAReleaseNothingIsJudged() throws Exception {
        Figures judged = Guard.judged(Map.of("part", () -> Map.of("ratio_to_floor_by_cpu", 0.1)), Map.of());
        assertThat(judged.failed()).isFalse();
        assertThat(judged.unjudged()).isTrue();
    }

    @SafeVarargs
    private static Figures judged(Map<String, Double>... runs) throws Exception {
        Deque<Map<String, Double>> left = new ArrayDeque<>(List.of(runs));
        Part part = left::remove;
        return Guard.judged(Map.of("part", part), BEFORE);
    }
}
