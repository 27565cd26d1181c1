package dev.fairlane.bench.run;

import dev.fairlane.bench.fairness.Conformance;
import dev.fairlane.bench.report.Figures;
import java.util.List;

/** Shares and waits in every scenario, in virtual time and on the server. */
public final class Fairness implements Benchmark {
    /** A quarter of an hour on the server takes three quarters of a minute. */
    private static final int PACE = 20;

    /** @param arguments {@code virtual} or {@code server} for one of them only */
    @Override
    public Figures run(Options options, List<String> arguments) throws Exception {
        Figures figures = new Figures();
        if (!arguments.equals(List.of("server"))) {
            figures.put("virtual", Conformance.virtual());
        }
        if (!arguments.equals(List.of("virtual"))) {
            figures.put("server", Conformance.server(PACE, options.programs(), options.settings()));
        }
        return figures;
    }
}
