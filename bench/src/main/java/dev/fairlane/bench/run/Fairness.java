package dev.fairlane.bench.run;

import dev.fairlane.bench.fairness.Conformance;
import dev.fairlane.bench.report.Figures;
import java.util.List;

/** Shares and waits in every scenario, in virtual time and on the server. */
public final class Fairness implements Benchmark {
    /** A quarter of an hour on the server takes three quarters of a minute. */
    private static final int PACE = 20;

    /** @param arguments {@code virtual} or {@code server} for one of them only; behind it a part of the names of scenarios for these only */
    @Override
    public Figures run(Options options, List<String> arguments) throws Exception {
        String world = arguments.isEmpty() ? "" : arguments.getFirst();
        String named = String.join(" ", arguments.subList(Math.min(1, arguments.size()), arguments.size()));
        Figures figures = new Figures();
        if (!world.equals("server")) {
            figures.put("virtual", Conformance.virtual(named));
        }
        if (!world.equals("virtual")) {
            figures.put(
                    "server",
                    Conformance.server(named, PACE, options.rounds(3), options.programs(), options.settings()));
        }
        return figures;
    }
}
