package dev.fairlane.bench.run;

import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import dev.fairlane.bench.report.Statistics;
import dev.fairlane.bench.rig.LiveHeap;
import java.time.Duration;
import java.util.ArrayList;
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
    /** What is surely submitted in a second. */
    private static final int SURE_RATE = 12_000;

    private static final int SLICES = 10;
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
        List<Double> before = new ArrayList<>();
        List<Double> during = new ArrayList<>();
        try (Stage stage = Stage.set(options)) {
            stage.startWorker();
            stage.warmUp(options.warmUp(10));
            pickup(stage);
            long heap = live(stage);
            long resident = resident(stage);
            long dueAt = System.currentTimeMillis()
                    + 1_000 * (5 + jobs / SURE_RATE + (long) rounds * (WINDOW_SECONDS + 2) + HORIZON_SECONDS);
            Progress.say("submitting %,d jobs that are due at once", jobs);
            JsonNode filled = later(stage, stage.keyOf("later"), jobs, dueAt, 0, 0);
            stage.acceptLater(jobs);
            long heapFar = live(stage);
            for (int round = 0; round < rounds; round++) {
                before.add(pickup(stage));
            }
            long most = resident(stage);
            awaitTime(dueAt);
            long done = acked(stage);
            long target = done + jobs;
            long offered = 0;
            double fastest = 0;
            while (during.isEmpty() || done < target + offered) {
                long begin = System.nanoTime();
                during.add(pickup(stage));
                offered += (long) RATE * WINDOW_SECONDS;
                long now = acked(stage);
                double seconds = (System.nanoTime() - begin) / 1e9;
                fastest = Math.max(fastest, (now - done - (long) RATE * WINDOW_SECONDS) / seconds);
                done = now;
                most = Math.max(most, resident(stage));
            }
            double promoted = (System.currentTimeMillis() - dueAt) / 1e3;
            stage.awaitFinished();
            Figures settings = stage.settings();
            stage.succeeded();
            return new Figures()
                    .put("jobs", jobs)
                    .put("resident_growth_mb", (most - resident) / 1e6)
                    .put("heap_growth_far_mb", (heapFar - heap) / 1e6)
                    .putMedian("pickup_p99_ms", before)
                    .putMedian("due_pickup_p99_ms", during)
                    .put("pickup_factor", Statistics.median(during) / Statistics.median(before))
                    .put("finished_after_s", promoted)
                    .put("fastest_per_s", fastest)
                    .put("submit_jobs_per_s", jobs / filled.get("seconds").doubleValue())
                    .put("other_jobs_per_s", RATE)
                    .put("settings", settings);
        }
    }

    /** How long jobs of the other tenant wait, which are to run at once. */
    private static double pickup(Stage stage) {
        stage.ask(stage.worker(), "time pickup=on");
        JsonNode submit = stage.ask(stage.client(), "offer rate=" + RATE + " seconds=" + WINDOW_SECONDS);
        stage.acceptLater(submit.get("offered").longValue());
        return stage.ask(stage.worker(), "time pickup=off").get("pickup_p99_ms").doubleValue();
    }

    private static long acked(Stage stage) {
        return stage.ask(stage.worker(), "counts").get("acked").longValue();
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
        try (Stage stage = Stage.set(options)) {
            stage.startWorker();
            stage.warmUp(options.warmUp(10));
            stage.stopWorker();
            String key = stage.keyOf("later");
            long from = System.currentTimeMillis() + Duration.ofHours(1).toMillis();
            atOnce(stage, slice);
            long heap = live(stage);
            for (int i = 0; i < SLICES; i++) {
                JsonNode filled = later(stage, key, slice, from, DAYS_30_MILLIS, i * slice);
                later.add(slice / filled.get("seconds").doubleValue());
                if (i % 3 == 0) {
                    atOnce.add(atOnce(stage, slice));
                }
                Progress.say("slice %d: %,.0f jobs/s; at once %,.0f jobs/s", i + 1, later.getLast(), atOnce.getLast());
            }
            // until the last of them is stored and has left memory
            Progress.pause(Duration.ofSeconds(3));
            long heapThen = live(stage);
            Figures settings = stage.settings();
            stage.succeeded();
            return new Figures()
                    .put("jobs", slice * SLICES)
                    .put("heap_growth_mb", (heapThen - heap) / 1e6)
                    .putMedian("submit_later_jobs_per_s", later)
                    .putMedian("submit_at_once_jobs_per_s", atOnce)
                    .put("first_slice_jobs_per_s", later.getFirst())
                    .put("last_slice_jobs_per_s", later.getLast())
                    .put("last_to_first", later.getLast() / later.getFirst())
                    .put("later_to_at_once", Statistics.median(later) / Statistics.median(atOnce))
                    .put("settings", settings);
        }
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

    private static long live(Stage stage) {
        return LiveHeap.bytes(stage.server().child().pid());
    }

    private static long resident(Stage stage) {
        return stage.rig().use().residentBytes().getOrDefault("server", 0L);
    }
}
