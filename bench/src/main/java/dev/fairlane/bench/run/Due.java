package dev.fairlane.bench.run;

import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import dev.fairlane.bench.report.Statistics;
import dev.fairlane.bench.rig.LiveHeap;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Jobs that run later. {@code same-second}: very many are due at once. How much memory do they take, and how long do jobs of another
 * tenant wait that are to run at once, before and while the crowd is promoted? {@code month}: very many are spread over thirty days. What do they leave
 * on the heap, and does it become slower to submit them, compared with the first of them and with jobs that run at once?
 */
public final class Due implements Benchmark {
    private static final String SAME_SECOND = "same-second";
    private static final String MONTH = "month";
    private static final long CROWD = 1_000_000;
    private static final long MONTH_JOBS = 5_000_000;
    private static final int BATCH = 1_000;
    private static final int RATE = 500;
    private static final int WINDOW_SECONDS = 5;
    private static final int HORIZON_SECONDS = 30;
    /** What is surely submitted and stored in a second. */
    private static final int SURE_RATE = 12_000;

    /** For the tables to have them all. */
    private static final int SETTLING_SECONDS = 10;

    /** Ten seconds of promotions: less leaves code to be compiled in the rush. */
    private static final int REHEARSED_PART = 5;

    private static final Duration GIVING_BACK = Duration.ofSeconds(2);

    private static final int CALM_FACTOR = 2;
    private static final int MOST_CALM_WINDOWS = 15;

    private static final long PATIENCE_MILLIS = 600_000;

    private static final int SLICES = 9;
    private static final long DAYS_30_MILLIS = Duration.ofDays(30).toMillis();

    /** @param arguments which of the two, and how many jobs instead of the usual */
    @Override
    public Figures run(Options options, List<String> arguments) throws Exception {
        String which = arguments.isEmpty() ? SAME_SECOND : arguments.getFirst();
        return switch (which) {
            case SAME_SECOND ->
                sameSecond(options.withSettingOtherwise("node.horizon", HORIZON_SECONDS + "s"), jobs(arguments, CROWD));
            case MONTH -> month(options, jobs(arguments, MONTH_JOBS));
            default ->
                throw new IllegalArgumentException(
                        "expected " + SAME_SECOND + " or " + MONTH + ", but got '" + which + "'");
        };
    }

    private static long jobs(List<String> arguments, long usual) {
        return arguments.size() > 1 ? Long.parseLong(arguments.get(1)) : usual;
    }

    // ---- all at once

    private static Figures sameSecond(Options options, long jobs) throws Exception {
        int rounds = options.rounds(4);
        try (Stage stage = Stage.set(options)) {
            stage.startWorker();
            stage.warmUp(options.warmUp(10));
            String key = stage.keyOf("later");
            Progress.say("a small crowd first, so that all code has run");
            long rehearsal = jobs / REHEARSED_PART;
            awaitTime(submitted(stage, key, rehearsal));
            stage.acceptLater(rehearsal);
            stage.awaitFinished();
            stage.rest();
            Memory empty = Memory.of(stage);
            List<Double> before = calmPickups(stage, rounds);
            Progress.say("submitting %,d jobs that are due at once", jobs);
            long begin = System.nanoTime();
            long dueAt = submitted(stage, key, jobs);
            double seconds = (System.nanoTime() - begin) / 1e9;
            awaitTime(dueAt - 1_000 * HORIZON_SECONDS);
            List<Double> loading = new ArrayList<>();
            while (System.currentTimeMillis() < dueAt - 1_000 * (WINDOW_SECONDS + 1)) {
                loading.add(pickup(stage));
            }
            awaitTime(dueAt);
            stage.acceptLater(jobs);
            Rush rush = new Rush(stage, jobs);
            rush.watch(dueAt);
            stage.awaitFinished();
            Progress.say("before %s, while loading %s, while due %s ms", before, loading, rush.pickups);
            Figures settings = stage.settings();
            stage.succeeded();
            return new Figures()
                    .put("jobs", jobs)
                    .put("resident_growth_mb", (rush.half.resident - empty.resident) / 1e6)
                    .put("resident_peak_growth_mb", (rush.peak - empty.resident) / 1e6)
                    .put("heap_growth_mb", (rush.half.heap - empty.heap) / 1e6)
                    .putMedian("pickup_p99_ms", before)
                    .putMedian("loading_pickup_p99_ms", loading)
                    .putMedian("due_pickup_p99_ms", rush.pickups)
                    .put("loading_pickup_factor", Statistics.median(loading) / Statistics.median(before))
                    .put("pickup_factor", Statistics.median(rush.pickups) / Statistics.median(before))
                    .put("finished_after_s", rush.seconds)
                    .put("fastest_per_s", rush.fastest)
                    .put("stored_jobs_per_s", jobs / seconds)
                    .put("other_jobs_per_s", RATE)
                    .put("settings", settings);
        }
    }

    /**
     * Submits jobs that are due at once, and returns when that is; until the horizon they are all in the store, and the store has made
     * a checkpoint and vacuumed, as it has in the ten minutes or more for which nobody waits here.
     */
    private static long submitted(Stage stage, String key, long jobs) throws IOException, InterruptedException {
        long dueAt = System.currentTimeMillis() + 1_000 * (jobs / SURE_RATE + HORIZON_SECONDS + SETTLING_SECONDS);
        later(stage, key, jobs, dueAt, 0, 0);
        stage.rest();
        if (System.currentTimeMillis() > dueAt - 1_000 * HORIZON_SECONDS) {
            throw new IllegalStateException("the jobs took longer to submit than expected: nothing was measured");
        }
        return dueAt;
    }

    /** What the server holds after full collections. The collector gives memory back piece by piece behind them. */
    private record Memory(long heap, long resident) {
        static Memory of(Stage stage) throws InterruptedException {
            long heap = LiveHeap.bytes(stage.server().child().pid());
            Progress.pause(GIVING_BACK);
            return new Memory(heap, Due.resident(stage));
        }
    }

    /**
     * From when the jobs are due until the last of them is done. Memory is measured when half of them are: it takes full collections, after
     * which the heap is small and pauses are many, so the waits of the second half do not count.
     */
    private static final class Rush {
        final List<Double> pickups = new ArrayList<>();
        final Stage stage;
        final long jobs;
        Memory half = new Memory(0, 0);
        long peak;
        double fastest;
        double seconds;

        Rush(Stage stage, long jobs) {
            this.stage = stage;
            this.jobs = jobs;
        }

        void watch(long dueAt) throws InterruptedException {
            long begin = System.nanoTime();
            long started = 0;
            while (started < jobs) {
                double pickup = pickup(stage);
                if (half.heap == 0) {
                    pickups.add(pickup);
                }
                peak = Math.max(peak, resident(stage));
                // those of the other tenant have all been started by now
                long now = stage.ask(stage.worker(), "counts").get("started").longValue() - stage.accepted() + jobs;
                long at = System.nanoTime();
                fastest = Math.max(fastest, (now - started) * 1e9 / (at - begin));
                started = now;
                begin = at;
                if (half.heap == 0 && started >= jobs / 2) {
                    half = Memory.of(stage);
                }
                if (System.currentTimeMillis() > dueAt + PATIENCE_MILLIS) {
                    throw new IllegalStateException(
                            "expected " + jobs + " jobs to be run, but only " + started + " were by now");
                }
            }
            seconds = (System.currentTimeMillis() - dueAt) / 1e3;
        }
    }

    /** Waits of a server at rest: after a flood the disk is busy for a while, and what is measured then is no measure for later. */
    private static List<Double> calmPickups(Stage stage, int rounds) {
        List<Double> windows = new ArrayList<>();
        while (true) {
            windows.add(pickup(stage));
            List<Double> last = windows.subList(Math.max(0, windows.size() - rounds), windows.size());
            boolean calm = last.size() == rounds && Collections.max(last) < CALM_FACTOR * Collections.min(last);
            if (calm || windows.size() == MOST_CALM_WINDOWS) {
                return List.copyOf(last);
            }
        }
    }

    /** How long jobs of the other tenant wait, which are to run at once. */
    private static double pickup(Stage stage) {
        stage.ask(stage.worker(), "time pickup=on");
        JsonNode submit = stage.ask(stage.client(), "offer rate=" + RATE + " seconds=" + WINDOW_SECONDS);
        if (submit.get("failed").longValue() > 0) {
            throw new IllegalStateException(submit.get("failed") + " calls failed, the last with "
                    + submit.get("last_failure").asString());
        }
        long offered = submit.get("offered").longValue();
        stage.acceptLater(offered);
        stage.ask(stage.worker(), "pickups count=" + offered + " seconds=60");
        return stage.ask(stage.worker(), "time pickup=off").get("pickup_p99_ms").doubleValue();
    }

    private static void awaitTime(long millis) throws InterruptedException {
        long left = millis - System.currentTimeMillis();
        if (left > 0) {
            Progress.pause(Duration.ofMillis(left));
        }
    }

    // ---- over a month

    private static Figures month(Options options, long jobs) throws Exception {
        long slice = jobs / SLICES;
        List<Double> atOnce = new ArrayList<>();
        List<Double> later = new ArrayList<>();
        List<Double> stored = new ArrayList<>();
        try (Stage stage = Stage.set(options)) {
            stage.startWorker();
            stage.warmUp(options.warmUp(10));
            stage.stopWorker();
            String key = stage.keyOf("later");
            long from = System.currentTimeMillis() + Duration.ofHours(1).toMillis();
            stage.settle();
            Memory empty = Memory.of(stage);
            atOnce(stage, slice);
            stage.settle();
            for (int i = 0; i < SLICES; i++) {
                atOnce.add(atOnce(stage, slice));
                stage.settle();
                long begin = System.nanoTime();
                JsonNode filled = later(stage, key, slice, from, DAYS_30_MILLIS, i * slice);
                later.add(slice / filled.get("seconds").doubleValue());
                stage.settle();
                stored.add(slice * 1e9 / (System.nanoTime() - begin));
                Progress.say(
                        "slice %d: %,.0f jobs/s, stored %,.0f jobs/s; at once %,.0f jobs/s",
                        i + 1, later.getLast(), stored.getLast(), atOnce.getLast());
            }
            // until the last of them has left memory
            Progress.pause(Duration.ofSeconds(3));
            Memory full = Memory.of(stage);
            Figures settings = stage.settings();
            stage.succeeded();
            return new Figures()
                    .put("jobs", slice * SLICES)
                    .put("heap_growth_mb", (full.heap - empty.heap) / 1e6)
                    .putMedian("submit_later_jobs_per_s", later)
                    .putMedian("stored_later_jobs_per_s", stored)
                    .putMedian("submit_at_once_jobs_per_s", atOnce)
                    .put("last_to_first", third(later, 2) / third(later, 0))
                    .put("at_once_last_to_first", third(atOnce, 2) / third(atOnce, 0))
                    .put("later_to_at_once", Statistics.median(later) / Statistics.median(atOnce))
                    .put("settings", settings);
        }
    }

    private static double third(List<Double> values, int which) {
        int length = values.size() / 3;
        return Statistics.median(values.subList(which * length, (which + 1) * length));
    }

    /** Submits as many that wait for a worker, and has them done. */
    private static double atOnce(Stage stage, long jobs) {
        JsonNode filled = stage.ask(stage.client(), "fill jobs=" + jobs + " batch=" + BATCH);
        stage.startWorker();
        stage.accept(jobs);
        stage.stopWorker();
        return jobs / filled.get("seconds").doubleValue();
    }

    private static JsonNode later(Stage stage, String key, long jobs, long from, long over, long numbered) {
        return stage.client()
                .ask(
                        "later key=" + key + " jobs=" + jobs + " batch=" + BATCH + " from=" + from + " over=" + over
                                + " numbered=" + numbered,
                        Duration.ofMinutes(20));
    }

    private static long resident(Stage stage) {
        return stage.rig().use().residentBytes().getOrDefault("server", 0L);
    }
}
