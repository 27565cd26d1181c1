package dev.fairlane.bench.run;

import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import dev.fairlane.bench.report.Statistics;
import dev.fairlane.bench.rig.LiveHeap;
import dev.fairlane.bench.rig.Proc;
import java.io.IOException;
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
    /** What is surely submitted and stored in a second. */
    private static final int SURE_RATE = 20_000;

    /** For the tables to have them all, and for waits to compare with. */
    private static final int SETTLING_SECONDS = 65;

    /** Some 25 s of promotions: behind a rehearsal of six a sixth of a processor compiled code in the rush. */
    private static final int REHEARSED_PART = 2;

    private static final Duration GIVING_BACK = Duration.ofSeconds(2);

    private static final int STREAM_RATE = 10_000;
    private static final Duration LEAD_IN = Duration.ofSeconds(1);

    /** A hundredth of all processors: beyond it the host of a virtual machine decides how long a job waits. */
    private static final long STOLEN_MAX_MICROS =
            10_000L * WINDOW_SECONDS * Runtime.getRuntime().availableProcessors();

    private static final int WINDOWS_MIN = 3;

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
        try (Stage stage = Stage.set(options)) {
            stage.startWorker();
            // Long enough for the database to have the files of its log that it uses again: making one stops all
            // commits.
            stage.warmUp(options.warmUp(40));
            String key = stage.keyOf("later");
            stage.rest();
            Memory empty = Memory.of(stage);
            Progress.say("a small crowd first, so that all code has run and the heap has its size");
            new Crowd(stage, key, jobs / REHEARSED_PART, false).run();
            stage.rest();
            Progress.say("submitting %,d jobs that are due at once", jobs);
            Crowd crowd = new Crowd(stage, key, jobs, true).run();
            Figures settings = stage.settings();
            stage.succeeded();
            return new Figures()
                    .put("jobs", jobs)
                    .put("resident_growth_mb", (crowd.then.resident - empty.resident) / 1e6)
                    .put("resident_peak_growth_mb", (crowd.peak - empty.resident) / 1e6)
                    .put("heap_growth_mb", (crowd.then.heap - empty.heap) / 1e6)
                    .putMedian("pickup_p99_ms", crowd.before.single.kept())
                    .putMedian("loading_pickup_p99_ms", crowd.loading.single.kept())
                    .putMedian("due_pickup_p99_ms", crowd.due.single.kept())
                    .put("loading_pickup_factor", crowd.loading.single.factor(crowd.before.single))
                    .put("pickup_factor", crowd.due.single.factor(crowd.before.single))
                    .putMedian("busy_pickup_p99_ms", crowd.before.stream.kept())
                    .putMedian("busy_due_pickup_p99_ms", crowd.due.stream.kept())
                    .put("busy_pickup_factor", crowd.due.stream.factor(crowd.before.stream))
                    .put("windows_left_out", crowd.leftOut())
                    .put("disturbed_windows_counted", crowd.disturbed())
                    .put("finished_after_s", crowd.seconds)
                    .put("fastest_per_s", crowd.fastest)
                    .put("stored_jobs_per_s", crowd.stored)
                    .put("other_jobs_per_s", RATE)
                    .put("busy_other_jobs_per_s", STREAM_RATE)
                    .put("settings", settings);
        }
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
     * Jobs that are due at once, from their submission to the last one's end, and how long jobs of the other tenant wait meanwhile: while
     * they are only stored, while they are within the horizon, while they are promoted. The first begins when the store has made a
     * checkpoint and vacuumed, as it has in the ten minutes or more for which nobody waits here.
     *
     * <p>Memory is measured when three quarters are started: it takes full collections, after which the heap is small and pauses are many, so the
     * waits of the last quarter do not count.
     */
    private static final class Crowd {
        final Stage stage;
        final String key;
        final long jobs;
        final boolean weighed;
        double stored;
        final Others before = new Others();
        final Others loading = new Others();
        final Others due = new Others();
        Memory then = new Memory(0, 0);
        long peak;
        double fastest;
        double seconds;

        /** @param weighed whether memory is measured */
        Crowd(Stage stage, String key, long jobs, boolean weighed) {
            this.stage = stage;
            this.key = key;
            this.jobs = jobs;
            this.weighed = weighed;
        }

        Crowd run() throws IOException, InterruptedException {
            long begin = System.nanoTime();
            long horizon = System.currentTimeMillis() + 1_000 * (jobs / SURE_RATE + SETTLING_SECONDS);
            long dueAt = horizon + 1_000 * HORIZON_SECONDS;
            later(stage, key, jobs, dueAt, 0, 0);
            stage.rest();
            stored = jobs * 1e9 / (System.nanoTime() - begin);
            before.watch(stage, horizon);
            if (before.none()) {
                throw new IllegalStateException(
                        "the jobs took longer to submit than expected: nothing to compare with");
            }
            awaitTime(horizon);
            loading.watch(stage, dueAt);
            awaitTime(dueAt);
            stage.acceptLater(jobs);
            watch(dueAt);
            stage.awaitFinished();
            return this;
        }

        long disturbed() {
            return before.disturbed() + loading.disturbed() + due.disturbed();
        }

        long leftOut() {
            return before.leftOut() + loading.leftOut() + due.leftOut();
        }

        private void watch(long dueAt) throws InterruptedException {
            long begin = System.nanoTime();
            long started = 0;
            while (started < jobs) {
                (then.heap == 0 ? due : new Others()).window(stage);
                peak = Math.max(peak, resident(stage));
                // those of the other tenant have all been started by now
                long now = stage.ask(stage.worker(), "counts").get("started").longValue() - stage.accepted() + jobs;
                long at = System.nanoTime();
                fastest = Math.max(fastest, (now - started) * 1e9 / (at - begin));
                started = now;
                begin = at;
                if (weighed && then.heap == 0 && started >= jobs * 3 / 4) {
                    then = Memory.of(stage);
                }
                if (System.currentTimeMillis() > dueAt + PATIENCE_MILLIS) {
                    throw new IllegalStateException(
                            "expected " + jobs + " jobs to be run, but only " + started + " were by now");
                }
            }
            seconds = (System.currentTimeMillis() - dueAt) / 1e3;
        }
    }

    /** How long jobs of the other tenant wait, which are to run at once: few on a server that is idle else, and many. In turns. */
    private static final class Others {
        final Windows single = new Windows();
        final Windows stream = new Windows();
        private int next;

        /** Windows that are over by then. */
        void watch(Stage stage, long millis) throws InterruptedException {
            while (System.currentTimeMillis() < millis - 1_000 * (WINDOW_SECONDS + 2)) {
                window(stage);
            }
        }

        void window(Stage stage) throws InterruptedException {
            long stolen = Proc.stolenMicros();
            boolean alone = next++ % 2 == 0;
            double p99 = alone ? single(stage) : stream(stage);
            (alone ? single : stream).add(p99, Proc.stolenMicros() - stolen);
        }

        boolean none() {
            return stream.all.isEmpty();
        }

        long disturbed() {
            return single.disturbed() + stream.disturbed();
        }

        long leftOut() {
            return single.leftOut() + stream.leftOut();
        }
    }

    /** Those in which the machine had its processors to itself count, as long as there are enough of them. */
    private static final class Windows {
        private final List<Double> all = new ArrayList<>();
        private final List<Double> quiet = new ArrayList<>();

        void add(double p99, long stolenMicros) {
            all.add(p99);
            if (stolenMicros <= STOLEN_MAX_MICROS) {
                quiet.add(p99);
            }
        }

        List<Double> kept() {
            return quiet.size() < WINDOWS_MIN ? all : quiet;
        }

        /** Too few were undisturbed, so that these count as well. */
        long disturbed() {
            return kept().size() - quiet.size();
        }

        long leftOut() {
            return all.size() - kept().size();
        }

        double factor(Windows before) {
            return Statistics.median(kept()) / Statistics.median(before.kept());
        }
    }

    /** Through the bulk stream. */
    private static double stream(Stage stage) throws InterruptedException {
        stage.flood(" rate=" + STREAM_RATE);
        Progress.pause(LEAD_IN);
        stage.ask(stage.worker(), "time pickup=on");
        Progress.pause(Duration.ofSeconds(WINDOW_SECONDS));
        JsonNode answer = stage.ask(stage.worker(), "time pickup=off");
        stage.pause();
        return answer.get("pickup_p99_ms").doubleValue();
    }

    /** Each in a call of its own. */
    private static double single(Stage stage) {
        stage.ask(stage.worker(), "time pickup=on");
        JsonNode submit = stage.ask(stage.client(), "offer rate=" + RATE + " seconds=" + WINDOW_SECONDS);
        if (submit.get("failed").longValue() > 0) {
            throw new IllegalStateException(submit.get("failed") + " calls failed, the last with "
                    + submit.get("last_failure").asString());
        }
        long offered = submit.get("offered").longValue();
        stage.acceptLater(offered);
        stage.ask(stage.worker(), "pickups count=" + offered + " seconds=60");
        JsonNode answer = stage.ask(stage.worker(), "time pickup=off");
        return answer.get("pickup_p99_ms").doubleValue();
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
