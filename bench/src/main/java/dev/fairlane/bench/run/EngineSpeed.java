package dev.fairlane.bench.run;

import dev.fairlane.bench.engine.EngineDecisions;
import dev.fairlane.bench.engine.IdleTenants;
import dev.fairlane.bench.report.Figures;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Decisions a second of the pure core, measured by JMH in processes of its own. */
public final class EngineSpeed implements Benchmark {
    private static final String SAID_TENANTS = "1000";
    private static final int IDLE = 100_000;

    /** @param arguments numbers of tenants, each perhaps with a slash and how many jobs wait */
    @Override
    public Figures run(Options options, List<String> arguments) throws Exception {
        int rounds = options.rounds(3);
        int seconds = Math.max(1, options.seconds(6) / rounds);
        var jmh = new OptionsBuilder()
                .include(EngineDecisions.class.getName().replace(".", "\\.") + "\\..*")
                .forks(1)
                .warmupIterations(rounds)
                .warmupTime(TimeValue.seconds(seconds))
                .measurementIterations(rounds)
                .measurementTime(TimeValue.seconds(seconds))
                .jvmArgs("-Xms4g", "-Xmx4g", "-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders");
        if (!arguments.isEmpty()) {
            jmh.param("tenants", arguments.stream().map(EngineSpeed::tenants).toArray(String[]::new));
            jmh.param("waiting", arguments.stream().map(EngineSpeed::waiting).distinct().toArray(String[]::new));
        }
        Collection<RunResult> results =
                new Runner(jmh.build(), OutputFormatFactory.createFormatInstance(System.err, VerboseMode.NORMAL)).run();
        Figures decisions = new Figures();
        Figures picks = new Figures();
        double said = 0;
        for (RunResult result : results) {
            String tenants = result.getParams().getParam("tenants");
            if (result.getParams().getBenchmark().endsWith(".pick")) {
                double p99 = result.getPrimaryResult().getStatistics().getPercentile(99);
                picks.put(tenants, p99);
                said = said == 0 || tenants.equals(SAID_TENANTS) ? p99 : said;
            } else {
                decisions.put(tenants, result.getPrimaryResult().getStatistics().getPercentile(50));
            }
        }
        return new Figures()
                .put("decisions_per_s", decisions)
                .put("pick_p99_us", said)
                .put("pick_p99_us_by_tenants", picks)
                .put("bytes_per_idle_tenant", IdleTenants.bytesEach(IDLE));
    }

    private static String tenants(String argument) {
        return argument.split("/", 2)[0];
    }

    private static String waiting(String argument) {
        return argument.contains("/") ? argument.split("/", 2)[1] : "0";
    }
}
