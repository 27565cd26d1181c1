package dev.fairlane.bench.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fairlane.bench.fairness.Scenario.Phase;
import dev.fairlane.core.model.Resources;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShareErrorsTest {
    private static final long SECOND = 1_000_000;

    private final UsedTime used = new UsedTime(900);

    @Test
    void shares_as_due_are_no_error() {
        used.ran("a", 30, 0, 900 * SECOND);
        used.ran("b", 70, 0, 900 * SECOND);

        ShareErrors errors = ShareErrors.of(scenario(0.3, 0.7, false), used, 1);
        assertThat(errors.points()).isCloseTo(0, within(1e-9));
        assertThat(errors.relative()).isCloseTo(0, within(1e-9));
    }

    @Test
    void one_bad_minute_is_seen_in_points_and_hardly_over_ten() {
        used.ran("a", 50, 0, 400 * SECOND);
        used.ran("b", 50, 0, 400 * SECOND);
        used.ran("a", 80, 400 * SECOND, 460 * SECOND);
        used.ran("b", 20, 400 * SECOND, 460 * SECOND);
        used.ran("a", 50, 460 * SECOND, 900 * SECOND);
        used.ran("b", 50, 460 * SECOND, 900 * SECOND);

        ShareErrors errors = ShareErrors.of(scenario(0.5, 0.5, true), used, 1);
        assertThat(errors.points()).isCloseTo(30, within(1e-9));
        assertThat(errors.relative()).isCloseTo(0.06, within(1e-9));
        assertThat(errors.jain()).isBetween(0.995, 0.9999);
    }

    @Test
    void the_first_minute_does_not_count() {
        used.ran("a", 100, 0, 60 * SECOND);
        used.ran("a", 50, 60 * SECOND, 900 * SECOND);
        used.ran("b", 50, 60 * SECOND, 900 * SECOND);

        assertThat(ShareErrors.of(scenario(0.5, 0.5, false), used, 1).points()).isCloseTo(0, within(1e-9));
    }

    @Test
    void a_world_of_shorter_time_is_measured_in_shorter_windows() {
        UsedTime brief = new UsedTime(90);
        brief.ran("a", 50, 0, 90 * SECOND);
        brief.ran("b", 50, 0, 40 * SECOND);
        brief.ran("b", 50, 46 * SECOND, 90 * SECOND);

        // six seconds in which only a ran
        assertThat(ShareErrors.of(scenario(0.5, 0.5, false), brief, 10).points())
                .isCloseTo(50, within(1e-9));
    }

    @Test
    void the_virtual_world_repeats_itself_and_shares_evenly() throws Exception {
        Scenario scenario = Scenarios.all().getFirst();
        UsedTime first = VirtualWorld.play(scenario);
        UsedTime second = VirtualWorld.play(scenario);

        assertThat(first.share("quick", 60, 900)).isEqualTo(second.share("quick", 60, 900));
        assertThat(ShareErrors.of(scenario, first, 1).points()).isLessThan(1);
    }

    private static Scenario scenario(double a, double b, boolean equal) {
        return new Scenario(
                "test",
                900,
                1,
                100,
                Resources.NONE,
                List.of(),
                List.of(),
                List.of(new Phase(0, 900, Map.of("a", a, "b", b))),
                false,
                equal);
    }
}
