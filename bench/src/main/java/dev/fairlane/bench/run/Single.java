package dev.fairlane.bench.run;

import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Eight clients that submit one job per call and wait for its answer, with a worker running beside them; in turns with eight threads that share one
 * client, as the threads of one program do.
 */
public final class Single implements Benchmark {
    private static final int CLIENTS = 8;

    @Override
    public Figures run(Options options, List<String> arguments) throws Exception {
        int rounds = options.rounds(3);
        int seconds = Math.max(1, options.seconds(60) / (2 * rounds));
        Side apart = new Side("clients", 0);
        Side shared = new Side("threads of one", 1);
        try (Stage stage = Stage.set(options)) {
            stage.startWorker();
            stage.warmUp(options.warmUp(10));
            for (Side side : List.of(apart, shared)) {
                side.submit(stage, Math.min(5, options.warmUp(5)));
            }
            for (int round = 1; round <= rounds; round++) {
                apart.measure(stage, seconds, round);
                shared.measure(stage, seconds, round);
            }
            Figures settings = stage.settings();
            stage.succeeded();
            return shared.put(apart.put(new Figures(), ""), "shared_")
                    .put("clients", CLIENTS)
                    .put("settings", settings);
        }
    }

    /** One of the two shapes, and what it came to. */
    private static final class Side {
        private final String name;
        private final int shared;
        private final List<Double> rates = new ArrayList<>();
        private final List<Double> p50 = new ArrayList<>();
        private final List<Double> p99 = new ArrayList<>();

        Side(String name, int shared) {
            this.name = name;
            this.shared = shared;
        }

        JsonNode submit(Stage stage, int seconds) {
            JsonNode figures = stage.ask(
                    stage.client(), "single clients=" + CLIENTS + " shared=" + shared + " seconds=" + seconds);
            stage.accept(figures.get("submit_count").longValue());
            return figures;
        }

        void measure(Stage stage, int seconds, int round) {
            JsonNode figures = submit(stage, seconds);
            rates.add(figures.get("jobs_per_s").doubleValue());
            p50.add(figures.get("submit_p50_ms").doubleValue());
            p99.add(figures.get("submit_p99_ms").doubleValue());
            Progress.say(
                    "round %d, %d %s: %,.0f jobs/s, p99 %.2f ms", round, CLIENTS, name, rates.getLast(), p99.getLast());
        }

        Figures put(Figures into, String prefix) {
            return into.putMedian(prefix + "jobs_per_s", rates)
                    .putMedian(prefix + "submit_p50_ms", p50)
                    .putMedian(prefix + "submit_p99_ms", p99);
        }
    }
}
