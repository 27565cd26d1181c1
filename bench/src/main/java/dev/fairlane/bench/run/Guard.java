package dev.fairlane.bench.run;

import dev.fairlane.bench.page.Results;
import dev.fairlane.bench.page.Results.Result;
import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Has it become slower? A short run of what is stable on a shared machine: counts, ratios of processor time, and rates of one server measured
 * in turns. Each is held against the last result of this benchmark that was kept, and a loss above 15 % fails. A part of the run in which
 * something was lost is repeated once, and the better of both counts: a loss shows again, a bad minute does not. What swings by itself is
 * reported and not judged.
 */
public final class Guard implements Benchmark {
    static final double LOSS_MAX = 0.15;
    private static final int SECONDS = 15;
    private static final int ROUNDS = 3;
    private static final long DEPTH = 100_000;

    /** What is guarded, and whether more of it is better. */
    private static final Map<String, Boolean> GUARDED = new TreeMap<>(Map.of(
            "ratio_to_floor_by_cpu", true,
            "wal_bytes_per_job", false,
            "commits_per_job", false,
            "ratio_to_unkeyed", true));

    /** By two clocks or over minutes: they differ by more than 15 % from run to run. */
    private static final List<String> REPORTED = List.of("ratio_to_floor", "submit_ratio_to_unkeyed", "flatness");

    /** One of the short runs: its numbers by name. */
    interface Part {
        Map<String, Double> measure() throws Exception;
    }

    @Override
    public Figures run(Options given, List<String> arguments) throws Exception {
        Options options = given.otherwise(SECONDS, ROUNDS);
        Optional<Result> before = Results.of(options.programs().root()).last("guard", "guarded.ratio_to_floor_by_cpu");
        Map<String, Part> parts = new LinkedHashMap<>();
        parts.put("throughput", () -> numbers(new Throughput().run(options, List.of())));
        parts.put("keyed", () -> numbers(new Keyed().run(options, List.of())));
        parts.put("backlog", () -> numbers(Backlog.byDepthOnly(options, DEPTH)));
        if (before.isEmpty()) {
            Progress.say("bench/results has no guard: this run has nothing to compare with and passes nothing");
        }
        return judged(parts, before.map(Guard::guarded).orElse(Map.of()))
                .put("baseline", before.map(Result::file).orElse("none: keep this one with --save"));
    }

    private static Map<String, Double> numbers(Figures figures) {
        return Figures.numbers(figures.json());
    }

    private static Map<String, Double> guarded(Result result) {
        Map<String, Double> figures = new LinkedHashMap<>();
        GUARDED.keySet().stream()
                .filter(name -> result.number("guarded." + name) > 0)
                .forEach(name -> figures.put(name, result.number("guarded." + name)));
        return figures;
    }

    /** @param before empty: nothing to compare with */
    static Figures judged(Map<String, Part> parts, Map<String, Double> before) throws Exception {
        Map<String, Double> now = new LinkedHashMap<>();
        Map<String, Double> reported = new LinkedHashMap<>();
        Figures repeated = new Figures();
        for (Map.Entry<String, Part> part : parts.entrySet()) {
            Map<String, Double> numbers = part.getValue().measure();
            if (!lost(numbers, before).isEmpty()) {
                Progress.say("%s has lost in %s: once more", part.getKey(), lost(numbers, before));
                Map<String, Double> again = part.getValue().measure();
                repeated.put(part.getKey(), String.join(", ", lost(numbers, before)));
                numbers = better(numbers, again);
            }
            Map<String, Double> found = numbers;
            GUARDED.keySet().stream()
                    .filter(found::containsKey)
                    .forEach(name -> now.putIfAbsent(name, found.getOrDefault(name, 0.0)));
            REPORTED.stream()
                    .filter(found::containsKey)
                    .forEach(name -> reported.putIfAbsent(name, found.getOrDefault(name, 0.0)));
        }
        return verdict(now, before).put("reported", figures(reported)).put("repeated", repeated);
    }

    private static Figures verdict(Map<String, Double> now, Map<String, Double> before) {
        Map<String, Double> losses = new LinkedHashMap<>();
        before.keySet().stream()
                .filter(now::containsKey)
                .forEach(name -> losses.put(name, loss(name, now.getOrDefault(name, 0.0), before)));
        List<String> lost = lost(now, before);
        lost.forEach(name -> Progress.say(
                "%s was %.4g and is %.4g: a loss of %.0f %%",
                name,
                before.getOrDefault(name, 0.0),
                now.getOrDefault(name, 0.0),
                100 * losses.getOrDefault(name, 0.0)));
        List<String> gone =
                before.keySet().stream().filter(name -> !now.containsKey(name)).toList();
        gone.forEach(name -> Progress.say("%s was guarded and is no longer measured", name));
        boolean failed = !lost.isEmpty() || !gone.isEmpty();
        String verdict = failed ? Figures.FAILED : before.isEmpty() ? Figures.UNJUDGED : "passed";
        return new Figures()
                .put("guarded", figures(now))
                .put("loss", figures(losses))
                .put("verdict", verdict);
    }

    /** The guarded figures that are worse than before by more than may be. */
    private static List<String> lost(Map<String, Double> now, Map<String, Double> before) {
        return before.keySet().stream()
                .filter(now::containsKey)
                .filter(name -> loss(name, now.getOrDefault(name, 0.0), before) > LOSS_MAX)
                .sorted()
                .toList();
    }

    private static double loss(String name, double value, Map<String, Double> before) {
        double ratio = value / before.getOrDefault(name, value);
        return GUARDED.getOrDefault(name, true) ? 1 - ratio : ratio - 1;
    }

    /** The second run, but of what is guarded the better value of both. */
    private static Map<String, Double> better(Map<String, Double> one, Map<String, Double> other) {
        Map<String, Double> best = new LinkedHashMap<>(other);
        GUARDED.forEach((name, more) -> {
            if (one.containsKey(name)) {
                best.merge(name, one.getOrDefault(name, 0.0), more ? Math::max : Math::min);
            }
        });
        return best;
    }

    private static Figures figures(Map<String, Double> values) {
        Figures figures = new Figures();
        values.forEach(figures::put);
        return figures;
    }
}
