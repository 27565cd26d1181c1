package dev.fairlane.bench.fairness;

import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import dev.fairlane.bench.rig.Programs;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Plays all scenarios in a world and says the worst of each figure, and every scenario's own. */
public final class Conformance {
    private static final int P99 = 99;

    /** Waits below this are no waits: nobody's are compared more finely. */
    private static final double LEAST_WAIT_MICROS = 1_000;

    @FunctionalInterface
    interface World {
        UsedTime play(Scenario scenario) throws Exception;
    }

    private Conformance() {}

    public static Figures virtual() throws Exception {
        return judge(VirtualWorld::play, 1);
    }

    /** @param pace how much faster than the scenarios say */
    public static Figures server(int pace, Programs programs, Map<String, String> settings) throws Exception {
        return judge(scenario -> ServerWorld.play(scenario, pace, programs, settings), pace);
    }

    static Figures judge(World world, int pace) throws Exception {
        double points = 0;
        double relative = 0;
        double jain = 1;
        double factor = 0;
        Figures scenarios = new Figures();
        for (Scenario scenario : Scenarios.all()) {
            UsedTime used = world.play(scenario);
            ShareErrors errors = ShareErrors.of(scenario, used, pace);
            Figures own = new Figures();
            if (!scenario.phases().isEmpty()) {
                own.put("share_error_points", errors.points()).put("share_error_relative", errors.relative());
                points = Math.max(points, errors.points());
                relative = Math.max(relative, errors.relative());
            }
            if (scenario.equal()) {
                own.put("jain_index", errors.jain());
                jain = Math.min(jain, errors.jain());
            }
            if (scenario.measuresWaits()) {
                double with = p99(used.waits("modest"));
                double without =
                        p99(world.play(scenario.without(Scenarios.FLOOD)).waits("modest"));
                double own99 = with / Math.max(without, LEAST_WAIT_MICROS);
                own.put("wait_p99_ms", with / 1e3)
                        .put("wait_p99_ms_without_flood", without / 1e3)
                        .put("noisy_neighbour_p99_factor", own99);
                factor = Math.max(factor, own99);
            }
            scenarios.put(scenario.name(), own);
            Progress.say("%s: %s", scenario.name(), own.json());
        }
        return new Figures()
                .put("max_share_error_points", points)
                .put("max_share_error_relative", relative)
                .put("jain_index", jain)
                .put("noisy_neighbour_p99_factor", factor)
                .put("scenarios", scenarios);
    }

    private static double p99(Histogram waits) {
        return waits.getValueAtPercentile(P99);
    }
}
