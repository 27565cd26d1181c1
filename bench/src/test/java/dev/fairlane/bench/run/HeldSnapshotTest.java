package dev.fairlane.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.bench.report.Figures;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldSnapshotTest {
    @Test
    void onlyTheSlicesOfTheLastMinuteCount() {
        assertThat(HeldSnapshot.lastOf(List.of(1.0, 2.0, 3.0, 4.0, 5.0), 20)).containsExactly(3.0, 4.0, 5.0);
        assertThat(HeldSnapshot.lastOf(List.of(1.0, 2.0), 20)).containsExactly(1.0, 2.0);
        assertThat(HeldSnapshot.lastOf(List.of(1.0, 2.0), 90)).containsExactly(2.0);
    }

    @Test
    void theRatioIsTheMedianOfThePairsOfThatMinute() {
        // The machine got faster by half between the second pair and the third.
        Figures figures =
                HeldSnapshot.figures(List.of(100.0, 100.0, 100.0, 200.0), List.of(50.0, 90.0, 95.0, 190.0), 20);
        assertThat(Figures.numbers(figures.json()))
                .containsEntry("ratio_to_clean", 0.95)
                .containsEntry("ratio_to_clean_all", 0.925)
                .containsEntry("jobs_per_s", 95.0)
                .containsEntry("clean_jobs_per_s", 100.0);
    }
}
