package dev.fairlane.bench.run;

import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import dev.fairlane.bench.rig.Child;
import dev.fairlane.bench.rig.RigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * A deep backlog over many tenants: throughput by depth, memory of a waiting job, and what a restart takes: from the start of the server's
 * process to the first job in a worker's hands, after kill −9 of the server (its PostgreSQL lives on and is adopted), after an orderly stop,
 * and once after kill −9 of both.
 */
public final class Backlog implements Benchmark {
    private static final int TENANTS = 1_000;
    private static final long WAITING = 1_000_000;
    private static final int FILL_BATCH = 1_000;
    private static final long DEEP_WAITING = 10_000_000;
    private static final String DEEP_HEAP = "-Xmx4g";
    private static final Duration FIRST_PATIENCE = Duration.ofMinutes(10);

    /** @param arguments how many jobs wait, instead of a million (ten, when it is deep) */
    @Override
    public Figures run(Options options, List<String> arguments) throws Exception {
        long usual = options.deep() ? DEEP_WAITING : WAITING;
        long waiting = arguments.isEmpty() ? usual : Long.parseLong(arguments.getFirst());
        boolean heapGiven = options.programs().serverJvm().stream().anyMatch(option -> option.startsWith("-Xmx"));
        return measure(options.deep() && !heapGiven ? options.withServerJvm(DEEP_HEAP) : options, waiting);
    }

    private static Figures measure(Options options, long waiting) throws Exception {
        int rounds = rounds(options);
        List<Double> killed = new ArrayList<>();
        List<Double> stopped = new ArrayList<>();
        try (Stage stage = Stage.set(options)) {
            Path keys = tenantKeys(stage);
            Figures byDepth = byDepth(stage, options, keys, waiting);
            Progress.say("submitting %,d jobs of %,d tenants", waiting, TENANTS);
            JsonNode filled = stage.fill(waiting, " batch=" + FILL_BATCH + " keys=" + keys);
            long resident = stage.rig().use().residentBytes().getOrDefault("server", 0L);
            for (int round = 0; round < rounds; round++) {
                stage.server().child().kill();
                killed.add(restart(stage));
                stage.server().child().stop(Duration.ofMinutes(2));
                stopped.add(restart(stage));
                Progress.say(
                        "round %d: first dispatch %.2f s after a kill, %.2f s after a stop",
                        round + 1, killed.getLast(), stopped.getLast());
            }
            Figures settings = stage.settings();
            Figures withDatabase = restartWithDatabase(stage);
            stage.succeeded();
            return byDepth.putMedian("recovery_s", killed)
                    .putMedian("recovery_after_stop_s", stopped)
                    .putAll(withDatabase)
                    .put("waiting", waiting)
                    .put("tenants", TENANTS)
                    .put("fill_jobs_per_s", waiting / filled.get("seconds").doubleValue())
                    .put("server_rss_mb", resident / 1e6)
                    .put("settings", settings);
        }
    }

    private static int rounds(Options options) {
        return options.rounds(options.deep() ? 1 : 3);
    }

    private static Figures byDepth(Stage stage, Options options, Path keys, long waiting) throws InterruptedException {
        Duration window = Duration.ofSeconds(Math.max(3, options.seconds(30) / 3));
        stage.startWorker();
        stage.warmUp(options.warmUp(15));
        stage.stopWorker();
        Depths depths = new Depths(stage, keys, options.load().bound());
        depths.youngRound(Depths.upTo(waiting), window);
        for (int round = 0; round < rounds(options); round++) {
            depths.round(Depths.order(Depths.upTo(waiting), round), window);
        }
        return depths.figures();
    }

    /** Without the restarts. */
    static Figures byDepthOnly(Options options, long waiting) throws Exception {
        try (Stage stage = Stage.set(options)) {
            Figures figures = byDepth(stage, options, tenantKeys(stage), waiting);
            stage.succeeded();
            return figures;
        }
    }

    /** As if the machine had gone: PostgreSQL has to recover too. Whatever comes of it, the other figures stand. */
    private static Figures restartWithDatabase(Stage stage) throws InterruptedException {
        try {
            stage.server().child().kill();
            stage.rig().killPostgres();
            return new Figures().put("recovery_with_database_s", restart(stage));
        } catch (RigException | IllegalStateException e) {
            Progress.say("no restart after both were killed: %s", e);
            return new Figures().put("recovery_with_database", "failed: " + e.getMessage());
        }
    }

    private static double restart(Stage stage) throws InterruptedException {
        long begin = System.nanoTime();
        stage.startServerAgain();
        Child worker = stage.worker();
        // One slot: the backlog stays what it is.
        worker.ask("start slots=1", Stage.PATIENCE);
        long end = begin + FIRST_PATIENCE.toNanos();
        long first = 0;
        while (first == 0) {
            first = worker.ask("first", Stage.PATIENCE).get("first").longValue();
            if (first == 0 && System.nanoTime() - end > 0) {
                throw new IllegalStateException("expected a first job within " + FIRST_PATIENCE + ", but none came");
            }
            Progress.pause(Duration.ofMillis(2));
        }
        stage.stopWorker();
        return (first - begin) / 1e9;
    }

    private static Path tenantKeys(Stage stage) throws IOException {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < TENANTS; i++) {
            keys.add(stage.keyOf("tenant-" + i));
        }
        return Files.write(stage.rig().folder().resolve("keys"), keys);
    }
}
