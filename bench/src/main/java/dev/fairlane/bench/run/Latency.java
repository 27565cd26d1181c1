package dev.fairlane.bench.run;

import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Jobs offered at fixed rates, one call each: how long until the caller has its answer, and until the handler runs? Both count from when
 * the call was due. Medians over the rounds, of which each offers every rate once.
 */
public final class Latency implements Benchmark {
    private static final List<Integer> RATES = List.of(500, 2_000);
    private static final List<String> SUBMIT = List.of(
            "submit_p50_ms", "submit_p90_ms", "submit_p99_ms", "submit_p999_ms", "submit_max_ms", "late_p99_ms");
    private static final List<String> PICKUP =
            List.of("pickup_p50_ms", "pickup_p90_ms", "pickup_p99_ms", "pickup_p999_ms", "pickup_max_ms");

    @Override
    public Figures run(Options options, List<String> arguments) throws Exception {
        int rounds = options.rounds(3);
        int seconds = Math.max(1, options.seconds(30) / rounds);
        Map<Integer, Map<String, List<Double>>> found = new LinkedHashMap<>();
        try (Stage stage = Stage.set(options)) {
            stage.startWorker();
            stage.warmUp(options.warmUp(10));
            // The calls of this benchmark are other code than the flood's.
            offer(stage, 2_000, Math.min(5, options.warmUp(5)));
            for (int round = 0; round < rounds; round++) {
                for (int rate : RATES) {
                    Map<String, Double> figures = offer(stage, rate, seconds);
                    Map<String, List<Double>> of = found.computeIfAbsent(rate, r -> new LinkedHashMap<>());
                    figures.forEach((name, value) ->
                            of.computeIfAbsent(name, n -> new ArrayList<>()).add(value));
                    Progress.say("%d jobs/s: %s", rate, figures);
                }
            }
            Figures rates = new Figures();
            found.forEach((rate, figures) -> {
                Figures group = new Figures();
                figures.forEach(group::putMedian);
                rates.put(Integer.toString(rate), group);
            });
            Figures settings = stage.settings();
            stage.succeeded();
            return new Figures()
                    .put("rates", rates)
                    .put("seconds_per_rate", (long) seconds * rounds)
                    .put("settings", settings);
        }
    }

    private static Map<String, Double> offer(Stage stage, int rate, int seconds) {
        stage.ask(stage.worker(), "time pickup=on");
        JsonNode submit = stage.ask(stage.client(), "offer rate=" + rate + " seconds=" + seconds);
        if (submit.get("failed").longValue() > 0) {
            throw new IllegalStateException(submit.get("failed") + " of " + submit.get("offered") + " calls failed");
        }
        stage.accept(submit.get("offered").longValue());
        JsonNode pickup = stage.ask(stage.worker(), "time pickup=off");
        Map<String, Double> figures = new LinkedHashMap<>();
        SUBMIT.forEach(name -> figures.put(name, submit.get(name).doubleValue()));
        PICKUP.forEach(name -> figures.put(name, pickup.get(name).doubleValue()));
        return figures;
    }
}
