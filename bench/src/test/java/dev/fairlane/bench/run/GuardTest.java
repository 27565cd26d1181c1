package dev.fairlane.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.bench.report.Figures;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GuardTest {
    private static final Map<String, Double> BEFORE = Map.of("ratio_to_floor", 0.4, "wal_bytes_per_job", 500.0);

    @Test
    void aSmallLossPasses() {
        Figures judged = Guard.judged(Map.of("ratio_to_floor", 0.36, "wal_bytes_per_job", 550.0), BEFORE);
        assertThat(judged.failed()).isFalse();
        assertThat(Figures.numbers(judged.json()))
                .containsEntry("loss.ratio_to_floor", 0.1)
                .containsEntry("loss.wal_bytes_per_job", 0.1);
    }

    @Test
    void lessOfWhatShouldBeMuchFails() {
        assertThat(Guard.judged(Map.of("ratio_to_floor", 0.33), BEFORE).failed())
                .isTrue();
    }

    @Test
    void moreOfWhatShouldBeLittleFails() {
        assertThat(Guard.judged(Map.of("wal_bytes_per_job", 600.0), BEFORE).failed())
                .isTrue();
    }

    @Test
    void withoutAReleaseThereIsNothingToLose() {
        Figures judged = Guard.judged(Map.of("ratio_to_floor", 0.1), Map.of());
        assertThat(judged.failed()).isFalse();
        assertThat(judged.json()).contains("nothing to compare with");
    }
}
