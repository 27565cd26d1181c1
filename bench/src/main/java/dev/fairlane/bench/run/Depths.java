package dev.fairlane.bench.run;

import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import dev.fairlane.bench.report.Statistics;
import dev.fairlane.bench.rig.LiveHeap;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Throughput while very many jobs of very many tenants wait. The client submits until so many wait, then a worker comes, and as fast as it
 * finishes jobs the client makes others: the depth stays what it is while the window is measured.
 */
final class Depths {
    private static final List<Long> ALL = List.of(10_000L, 100_000L, 1_000_000L, 5_000_000L, 10_000_000L);
    private static final long FLAT_UP_TO = 1_000_000;
    private static final Duration RAMP = Duration.ofSeconds(3);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration SETTLE = Duration.ofSeconds(10);
    private static final Duration FILL_PATIENCE = Duration.ofMinutes(20);

    private final Stage stage;
    private final Path keys;
    private final long bound;
    private final Map<Long, List<Double>> rates = new TreeMap<>();
    private final Map<Long, List<Double>> young = new TreeMap<>();
    private final Map<Long, Long> heaps = new TreeMap<>();
    private final Map<Long, Long> residents = new TreeMap<>();

    Depths(Stage stage, Path keys, long bound) {
        this.stage = stage;
        this.keys = keys;
        this.bound = bound;
    }

    /** The depths that are measured when so many jobs may wait. */
    static List<Long> upTo(long waiting) {
        List<Long> depths = ALL.stream().filter(depth -> depth <= waiting).toList();
        return depths.isEmpty() ? List.of(waiting) : depths;
    }

    /** The order of a round: up and down in turns, so that no depth always has the coldest server or the fullest history. */
    static List<Long> order(List<Long> depths, int round) {
        return round % 2 == 0 ? depths : depths.reversed();
    }

    /**
     * The same as a {@link #round}, for those up to a million, but its rates are kept beside the others': in it code is compiled and pages of the database are
     * touched for the first time, which is what a young server costs and not what depth does.
     */
    void youngRound(List<Long> depths, Duration window) throws InterruptedException {
        round(depths.stream().filter(depth -> depth <= FLAT_UP_TO).toList(), window, young);
    }

    /** All depths once, and nothing waits any more. No worker may be running. */
    void round(List<Long> depths, Duration window) throws InterruptedException {
        round(depths, window, rates);
    }

    private void round(List<Long> depths, Duration window, Map<Long, List<Double>> found) throws InterruptedException {
        for (long depth : depths) {
            if (waiting() > depth) {
                drain();
            }
            found.computeIfAbsent(depth, d -> new ArrayList<>()).add(measure(depth, window));
        }
        drain();
    }

    private void drain() {
        stage.startWorker();
        stage.awaitFinished();
        stage.stopWorker();
    }

    private double measure(long depth, Duration window) throws InterruptedException {
        long waiting = waiting();
        long missing = Math.max(stage.batch(), depth + bound - waiting);
        stage.flood(" bound=" + missing + " keys=" + keys);
        awaitSubmitted(missing - stage.batch());
        if (!heaps.containsKey(depth)) {
            // What was submitted last is still being written down, and what was written last stays at hand for a
            // moment.
            Progress.pause(SETTLE);
            heaps.put(depth, LiveHeap.bytes(stage.server().child().pid()));
            residents.put(depth, stage.rig().use().residentBytes().getOrDefault("server", 0L));
        }
        stage.startWorker();
        Progress.pause(RAMP);
        double rate = Stretch.Window.over(stage, window).jobsPerSecond();
        stage.pause();
        stage.stopWorker();
        Progress.say("%,d waiting: %,.0f jobs/s, and %,d wait after it", depth, rate, waiting());
        return rate;
    }

    private long waiting() {
        return stage.accepted() - stage.acked();
    }

    private void awaitSubmitted(long jobs) throws InterruptedException {
        long end = System.nanoTime() + FILL_PATIENCE.toNanos();
        while (stage.ask(stage.client(), "submitted").get("submitted").longValue() < jobs) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("expected " + jobs + " jobs to be submitted within " + FILL_PATIENCE);
            }
            Progress.pause(POLL);
        }
    }

    Figures figures() {
        Map<Long, Double> medians = new TreeMap<>();
        rates.forEach((depth, values) -> medians.put(depth, Statistics.median(values)));
        return new Figures()
                .put("jobs_per_s", byDepth(rates))
                .put("young_jobs_per_s", byDepth(young))
                .put("flatness", flatness(medians))
                .put("bytes_per_job", bytesPerJob(heaps))
                .put("rss_bytes_per_job", bytesPerJob(residents))
                .put("live_heap_mb", megabytes(heaps))
                .put("rss_mb", megabytes(residents));
    }

    private static Figures byDepth(Map<Long, List<Double>> rates) {
        Figures figures = new Figures();
        rates.forEach((depth, values) -> figures.putMedian(Long.toString(depth), values));
        return figures;
    }

    private static Figures megabytes(Map<Long, Long> byDepth) {
        Figures figures = new Figures();
        byDepth.forEach((depth, bytes) -> figures.put(Long.toString(depth), bytes / 1e6));
        return figures;
    }

    /** The worst rate by the best, of depths up to a million. */
    static double flatness(Map<Long, Double> rates) {
        List<Double> counted = rates.entrySet().stream()
                .filter(rate -> rate.getKey() <= FLAT_UP_TO)
                .map(Map.Entry::getValue)
                .toList();
        List<Double> all = counted.isEmpty() ? List.copyOf(rates.values()) : counted;
        return all.stream().min(Double::compare).orElseThrow()
                / all.stream().max(Double::compare).orElseThrow();
    }

    /** What one more job takes, between the smallest depth and the greatest up to a million; 0 if there is only one. */
    static double bytesPerJob(Map<Long, Long> bytes) {
        TreeMap<Long, Long> sorted = new TreeMap<>(bytes);
        long least = sorted.firstKey();
        long most = Objects.requireNonNullElse(sorted.floorKey(FLAT_UP_TO), least);
        if (most <= least) {
            return 0;
        }
        return (Objects.requireNonNull(sorted.get(most)) - Objects.requireNonNull(sorted.get(least)))
                / (double) (most - least);
    }
}
