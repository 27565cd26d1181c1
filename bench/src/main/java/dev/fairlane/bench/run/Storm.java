package dev.fairlane.bench.run;

import dev.fairlane.bench.load.Stormy;
import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import dev.fairlane.bench.report.Statistics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * A retry storm: one type runs at a fixed rate against a dependency that is up, then down, then up again. How long do jobs of another
 * type of the same tenant wait meanwhile, how soon does the breaker open, does it hold the retries back, how soon does it close?
 *
 * <p>Both phases of a round offer the same load, so what differs is the failing alone.
 */
public final class Storm implements Benchmark {
    private static final int STORM_RATE = 2_000;
    private static final int OTHER_RATE = 500;
    private static final Duration CLOSING = Duration.ofSeconds(60);

    @Override
    public Figures run(Options options, List<String> arguments) throws Exception {
        int rounds = options.rounds(3);
        int seconds = Math.max(5, options.seconds(60) / rounds);
        List<Double> calm = new ArrayList<>();
        List<Double> stormy = new ArrayList<>();
        List<Double> opened = new ArrayList<>();
        List<Double> closed = new ArrayList<>();
        long early = 0;
        try (Stage stage = Stage.set(options)) {
            stage.startWorker();
            stage.warmUp(options.warmUp(10));
            try (Stormy storm = Stormy.begin(
                    stage.server().url(),
                    stage.keyOf(Stage.TENANT),
                    stage.workerKey(),
                    stage.server().adminKey(),
                    Stage.TENANT,
                    STORM_RATE)) {
                pickup(stage, Math.min(5, options.warmUp(5)));
                for (int round = 0; round < rounds; round++) {
                    calm.add(pickup(stage, seconds));
                    storm.down();
                    stormy.add(pickup(stage, seconds));
                    opened.add(storm.openedAfterSeconds());
                    early += storm.up();
                    closed.add(storm.awaitClosed(CLOSING));
                    Progress.say(
                            "round %d: pickup p99 %.2f ms, in the storm %.2f ms; open after %.1f s, closed after %.1f s",
                            round + 1, calm.getLast(), stormy.getLast(), opened.getLast(), closed.getLast());
                    storm.settle();
                }
            }
            Figures settings = stage.settings();
            stage.succeeded();
            return new Figures()
                    .putMedian("pickup_p99_ms", calm)
                    .putMedian("storm_pickup_p99_ms", stormy)
                    .put("pickup_factor", Statistics.median(stormy) / Statistics.median(calm))
                    .putMedian("breaker_open_s", opened)
                    .putMedian("breaker_closed_s", closed)
                    .put("retries_past_the_breaker", early)
                    .put("storm_jobs_per_s", STORM_RATE)
                    .put("other_jobs_per_s", OTHER_RATE)
                    .put("settings", settings);
        }
    }

    private static double pickup(Stage stage, int seconds) {
        stage.ask(stage.worker(), "time pickup=on");
        JsonNode submit = stage.ask(stage.client(), "offer rate=" + OTHER_RATE + " seconds=" + seconds);
        stage.accept(submit.get("offered").longValue());
        return stage.ask(stage.worker(), "time pickup=off").get("pickup_p99_ms").doubleValue();
    }
}
