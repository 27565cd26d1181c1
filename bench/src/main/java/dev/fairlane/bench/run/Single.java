package dev.fairlane.bench.run;

import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Clients that submit one job per call and wait for its answer, with a worker running beside them. */
public final class Single implements Benchmark {
    private static final int CLIENTS = 8;

    @Override
    public Figures run(Options options, List<String> arguments) throws Exception {
        int rounds = options.rounds(3);
        int seconds = Math.max(1, options.seconds(30) / rounds);
        List<Double> rates = new ArrayList<>();
        List<Double> p50 = new ArrayList<>();
        List<Double> p99 = new ArrayList<>();
        try (Stage stage = Stage.set(options)) {
            stage.startWorker();
            stage.warmUp(options.warmUp(10));
            submit(stage, Math.min(5, options.warmUp(5)));
            for (int round = 0; round < rounds; round++) {
                JsonNode figures = submit(stage, seconds);
                rates.add(figures.get("jobs_per_s").doubleValue());
                p50.add(figures.get("submit_p50_ms").doubleValue());
                p99.add(figures.get("submit_p99_ms").doubleValue());
                Progress.say("round %d: %,.0f jobs/s, p99 %.2f ms", round + 1, rates.getLast(), p99.getLast());
            }
            Figures settings = stage.settings();
            stage.succeeded();
            return new Figures()
                    .putMedian("jobs_per_s", rates)
                    .putMedian("submit_p50_ms", p50)
                    .putMedian("submit_p99_ms", p99)
                    .put("clients", CLIENTS)
                    .put("settings", settings);
        }
    }

    private static JsonNode submit(Stage stage, int seconds) {
        JsonNode figures = stage.ask(stage.client(), "single clients=" + CLIENTS + " seconds=" + seconds);
        stage.accept(figures.get("submit_count").longValue());
        return figures;
    }
}
