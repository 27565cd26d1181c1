package dev.fairlane.bench.fairness;

import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import dev.fairlane.bench.report.Statistics;
import dev.fairlane.bench.rig.Programs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Plays all scenarios in a world and says the worst of each figure, and every scenario's own. */
public final class Conformance {
    private static final int P99 = 99;

    /** Waits below this are no waits: nobody's are compared more finely. */
    private static final double LEAST_WAIT_MILLIS = 1;

    @FunctionalInterface
    interface World {
        UsedTime play(Scenario scenario) throws Exception;
    }

    private Conformance() {}

    /** @param named part of a scenario's name; empty for all of them */
    public static Figures virtual(String named) throws Exception {
        return judge(named, VirtualWorld::play, 1, 1);
    }

    /**
     * @param pace how much faster than the scenarios say
     * @param rounds how often waits are measured
     */
    public static Figures server(String named, int pace, int rounds, Programs programs, Map<String, String> settings)
            throws Exception {
        return judge(named, scenario -> ServerWorld.play(scenario, pace, programs, settings), pace, rounds);
    }

    private static Figures judge(String named, World world, int pace, int rounds) throws Exception {
        double points = 0;
        double relative = 0;
        double jain = 1;
        double factor = 0;
        Figures scenarios = new Figures();
        for (Scenario scenario : Scenarios.named(named)) {
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
                Waits waits = new Waits(scenario);
                waits.with.add(p99(used));
                waits.play(world, rounds);
                own.putMedian("wait_p99_ms", waits.with)
                        .putMedian("wait_p99_ms_without_flood", waits.without)
                        .put("noisy_neighbour_p99_factor", waits.factor());
                factor = Math.max(factor, waits.factor());
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

    /** How long the modest wait with the flood and without it, round by round in turns, in milliseconds. */
    private static final class Waits {
        final List<Double> with = new ArrayList<>();
        final List<Double> without = new ArrayList<>();
        final Scenario scenario;

        Waits(Scenario scenario) {
            this.scenario = scenario;
        }

        void play(World world, int rounds) throws Exception {
            Scenario quiet = scenario.without(Scenarios.FLOOD);
            while (without.size() < rounds) {
                without.add(p99(world.play(quiet)));
                if (with.size() < rounds) {
                    with.add(p99(world.play(scenario)));
                }
            }
        }

        double factor() {
            return Statistics.median(with) / Math.max(Statistics.median(without), LEAST_WAIT_MILLIS);
        }
    }

    private static double p99(UsedTime used) {
        return used.waits("modest").getValueAtPercentile(P99) / 1e3;
    }
}
