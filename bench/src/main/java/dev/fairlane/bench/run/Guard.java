package dev.fairlane.bench.run;

import dev.fairlane.bench.page.Results;
import dev.fairlane.bench.page.Results.Result;
import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Has it become slower? A short run of what is stable on a shared machine: ratios of things measured in turns, and counts. Each is held
 * against the last result of this benchmark that was kept, and a loss above 15 % fails.
 */
public final class Guard implements Benchmark {
    static final double LOSS_MAX = 0.15;
    private static final int SECONDS = 15;
    private static final int ROUNDS = 3;
    private static final long DEPTH = 100_000;

    /** What is guarded, and whether more of it is better. */
    private static final Map<String, Boolean> GUARDED = new LinkedHashMap<>();

    static {
        GUARDED.put("ratio_to_floor", true);
        GUARDED.put("ratio_to_floor_by_cpu", true);
        GUARDED.put("wal_bytes_per_job", false);
        GUARDED.put("ratio_to_unkeyed", true);
        GUARDED.put("flatness", true);
    }

    @Override
    public Figures run(Options given, List<String> arguments) throws Exception {
        Options options = given.otherwise(SECONDS, ROUNDS);
        Map<String, Double> now = new LinkedHashMap<>();
        for (Benchmark part : List.<Benchmark>of(
                (o, a) -> new Throughput().run(o, a), new Keyed(), (o, a) -> Backlog.byDepthOnly(o, DEPTH))) {
            Map<String, Double> numbers =
                    Figures.numbers(part.run(options, List.of()).json());
            GUARDED.keySet().stream()
                    .filter(numbers::containsKey)
                    .forEach(name -> now.putIfAbsent(name, numbers.getOrDefault(name, 0.0)));
        }
        Optional<Result> before = Results.of(options.programs().root()).last("guard", "guarded.ratio_to_floor");
        return judged(now, before.map(Guard::guarded).orElse(Map.of()))
                .put("baseline", before.map(Result::file).orElse("none: keep this one with --save"));
    }

    private static Map<String, Double> guarded(Result result) {
        Map<String, Double> figures = new LinkedHashMap<>();
        GUARDED.keySet().forEach(name -> figures.put(name, result.number("guarded." + name)));
        return figures;
    }

    /** @param before empty: nothing to compare with */
    static Figures judged(Map<String, Double> now, Map<String, Double> before) {
        Figures guarded = new Figures();
        Figures losses = new Figures();
        boolean failed = false;
        for (Map.Entry<String, Double> figure : now.entrySet()) {
            String name = figure.getKey();
            guarded.put(name, figure.getValue());
            double base = before.getOrDefault(name, 0.0);
            if (base > 0) {
                double ratio = figure.getValue() / base;
                double loss = GUARDED.getOrDefault(name, true) ? 1 - ratio : ratio - 1;
                losses.put(name, loss);
                if (loss > LOSS_MAX) {
                    failed = true;
                    Progress.say(
                            "%s was %.4g and is %.4g: a loss of %.0f %%", name, base, figure.getValue(), 100 * loss);
                }
            }
        }
        for (String name : before.keySet()) {
            if (!now.containsKey(name)) {
                failed = true;
                Progress.say("%s was guarded and is no longer measured", name);
            }
        }
        String verdict = failed ? Figures.FAILED : before.isEmpty() ? "nothing to compare with" : "passed";
        return new Figures().put("guarded", guarded).put("loss", losses).put("verdict", verdict);
    }
}
