package dev.fairlane.bench.run;

import dev.fairlane.bench.report.Drift;
import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import dev.fairlane.bench.report.Statistics;
import dev.fairlane.bench.rig.PostgresProbe;
import dev.fairlane.bench.rig.PostgresProbe.Counters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * A long time at 70 % of what the machine can do, with 100,000 jobs standing by that are not due: does memory grow, do waits grow, do the
 * tables of open jobs follow their number? One sample a minute; the first fifth of the time is warm-up and does not count.
 *
 * <p>History is kept by the day and an hour at this pace would fill a small disk, so it is emptied when it reaches a size; what is lost
 * are finished jobs that nobody asks for. Emptying it holds up the flush, so the sample in which that happens has no say in the drift of waits.
 */
public final class Soak implements Benchmark {
    private static final double SHARE_OF_PEAK = 0.7;
    private static final long STANDING = 100_000;
    private static final String STANDING_ORDER = "fill batch=1000 delay_s=86400 jobs=";
    private static final long HISTORY_BYTES_MAX = 12_000_000_000L;
    private static final String OPEN_BYTES =
            "select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint from pg_class c where c.relkind = 'r'"
                    + " and c.relnamespace = 'fairlane'::regnamespace and (c.relname like 'journal%' or c.relname like 'job_open%' or c.relname like 'job_far%')";
    private static final String HISTORY_BYTES =
            "select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint from pg_class c where c.relkind = 'r'"
                    + " and c.relnamespace = 'fairlane'::regnamespace and c.relname like 'job_done%'";

    private final List<Double> residentMb = new ArrayList<>();
    private final List<Double> p99 = new ArrayList<>();
    private final List<Double> bytesPerOpenJob = new ArrayList<>();
    private final List<Double> rates = new ArrayList<>();
    /** Samples in whose time the history was emptied; the first is 0. */
    private final Set<Integer> historyCuts = new TreeSet<>();

    @Override
    public Figures run(Options options, List<String> arguments) throws Exception {
        return new Soak().measure(options);
    }

    private Figures measure(Options options) throws Exception {
        int seconds = options.secondsOrMinutes(10);
        Duration step = Duration.ofSeconds(Math.clamp(seconds / 20, 2, 60));
        int samples = Math.max(3, (int) (seconds / step.toSeconds()));
        try (Stage stage = Stage.set(options);
                PostgresProbe database = stage.server().database()) {
            stage.ask(stage.client(), STANDING_ORDER + STANDING);
            stage.startWorker();
            stage.warmUp(options.warmUp(20));
            double peak = peak(stage, options);
            long rate = Math.round(peak * SHARE_OF_PEAK);
            Progress.say("peak %,.0f, soaking at %,d jobs/s for %d s", peak, rate, seconds);
            Counters before = database.counters();
            stage.flood(" rate=" + rate);
            stage.ask(stage.worker(), "time pickup=on");
            for (int i = 0; i < samples; i++) {
                sample(stage, database, step);
            }
            stage.ask(stage.worker(), "time pickup=off");
            long jobs = stage.calm().get("fresh").longValue();
            Counters after = database.counters();
            double peakAfter = peak(stage, options);
            Figures settings = stage.settings();
            stage.succeeded();
            return figures(step)
                    .put("wal_bytes_per_job", (after.walBytes() - before.walBytes()) / (double) jobs)
                    .put("commits_per_job", (after.commits() - before.commits()) / (double) jobs)
                    .put("peak_jobs_per_s", peak)
                    .put("peak_after_jobs_per_s", peakAfter)
                    .put("offered_jobs_per_s", rate)
                    // Near 1 the machine had less to give than at the beginning, and p99_drift says that rather than
                    // anything about the server.
                    .put("offered_share", rate / peakAfter)
                    .put("jobs", jobs)
                    .put("minutes", seconds / 60.0)
                    .put("standing_jobs", STANDING)
                    .put("history_cuts", historyCuts.size())
                    .putRounds(
                            "history_cut_samples",
                            historyCuts.stream().map(Integer::doubleValue).toList())
                    .put("settings", settings);
        }
    }

    private static double peak(Stage stage, Options options) throws InterruptedException {
        List<Double> peaks = new ArrayList<>();
        for (int i = 0; i < options.rounds(3); i++) {
            peaks.add(Stretch.of(stage, "", Duration.ofSeconds(Math.min(10, options.warmUp(10))))
                    .jobsPerSecond());
        }
        return Statistics.median(peaks);
    }

    private void sample(Stage stage, PostgresProbe database, Duration step) throws InterruptedException {
        rates.add(Stretch.Window.over(stage, step).jobsPerSecond());
        p99.add(stage.ask(stage.worker(), "time pickup=on").get("pickup_p99_ms").doubleValue());
        residentMb.add(stage.rig().use().residentBytes().getOrDefault("server", 0L) / 1e6);
        long open = STANDING
                + stage.ask(stage.client(), "submitted").get("submitted").longValue()
                + stage.accepted()
                - stage.ask(stage.worker(), "counts").get("acked").longValue();
        bytesPerOpenJob.add(database.number(OPEN_BYTES) / (double) Math.max(STANDING, open));
        if (database.number(HISTORY_BYTES) > HISTORY_BYTES_MAX) {
            database.execute("truncate fairlane.job_done");
            historyCuts.add(rates.size());
        }
        Progress.say(
                "%d: %,.0f jobs/s, p99 %.1f ms, server %,.0f MB, %,.0f bytes of tables per open job",
                rates.size(), rates.getLast(), p99.getLast(), residentMb.getLast(), bytesPerOpenJob.getLast());
    }

    private Figures figures(Duration step) {
        int warm = rates.size() / 5;
        return new Figures()
                .put("rss_drift_mb_per_h", Drift.perHour(after(residentMb, warm), step))
                .put("p99_drift", Drift.change(without(historyCuts, p99, warm)))
                .put("table_bytes_per_open_job", Statistics.median(after(bytesPerOpenJob, warm)))
                .put("table_bytes_drift", Drift.change(after(bytesPerOpenJob, warm)))
                .put("jobs_per_s", Statistics.median(after(rates, warm)))
                .put("pickup_p99_ms", Statistics.median(after(p99, warm)))
                .put("rss_mb", residentMb.getLast())
                .putRounds("rss_mb_by_sample", residentMb)
                .putRounds("pickup_p99_ms_by_sample", p99)
                .putRounds("table_bytes_per_open_job_by_sample", bytesPerOpenJob)
                .put("sample_s", step.toSeconds());
    }

    /** The samples behind the warm-up, but those. */
    static List<Double> without(Set<Integer> left, List<Double> samples, int warm) {
        return IntStream.range(warm, samples.size())
                .filter(i -> !left.contains(i))
                .mapToObj(samples::get)
                .toList();
    }

    private static List<Double> after(List<Double> samples, int warm) {
        return samples.subList(warm, samples.size());
    }
}
