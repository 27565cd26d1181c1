package dev.fairlane.bench.run;

import dev.fairlane.bench.load.Payloads;
import dev.fairlane.bench.load.Ticks;
import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.Payload;
import dev.fairlane.sdk.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Jobs by the clock. First a thousand schedules that tick every second, each at its own millisecond of it, without jitter: how late is a job
 * after its tick? Then very many schedules with the same tick, which jitter spreads over a minute: does each of them fire, and once?
 */
public final class Schedules implements Benchmark {
    private static final int RATE = 1_000;
    private static final int CROWD = 100_000;
    private static final int PROBES = 10_000;
    private static final Duration LEAD = Duration.ofSeconds(15);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final double MARGIN = 1.5;

    /** A second firing may come behind the last first one. */
    private static final Duration AFTERWARDS = Duration.ofSeconds(5);

    /** @param arguments how many schedules of one minute, instead of a hundred thousand; and {@code exact} for no jitter there either */
    @Override
    public Figures run(Options options, List<String> arguments) throws Exception {
        boolean exact = arguments.contains("exact");
        int crowd = arguments.stream()
                .filter(argument -> !argument.equals("exact"))
                .findFirst()
                .map(Integer::parseInt)
                .orElse(CROWD);
        try (Stage stage = Stage.set(options)) {
            Figures figures = new Figures();
            double rate = steady(stage, options, figures);
            crowd(stage, crowd, exact, rate, figures);
            Figures settings = stage.settings();
            stage.succeeded();
            return figures.put("settings", settings);
        }
    }

    private static Job job(long number) {
        return Job.raw(Ticks.TYPE, Payloads.of(number), Payload.JSON);
    }

    /** @return schedules made a second */
    private static double steady(Stage stage, Options options, Figures figures) throws InterruptedException {
        int warmUp = options.warmUp(10);
        int seconds = options.seconds(60);
        long ticks = (long) RATE * (warmUp + seconds);
        try (Ticks counted = ticks(stage, Stage.TENANT)) {
            Instant begin = Instant.now().plus(LEAD).truncatedTo(ChronoUnit.SECONDS);
            Instant end = begin.plusSeconds(warmUp + seconds).minusMillis(1);
            double made = counted.make(
                    RATE,
                    i -> Schedule.every("steady-" + i, Duration.ofSeconds(1))
                            .start(begin.plusMillis(i))
                            .end(end)
                            .jitter(Duration.ZERO)
                            .overlap(Schedule.Overlap.ALLOW)
                            .job(job(i))
                            .build());
            madeBefore(begin);
            counted.measureFrom(begin.plusSeconds(warmUp));
            Progress.say("%,d schedules made, %,.0f/s; they tick for %d s", RATE, made, warmUp + seconds);
            counted.await(ticks, end.plus(PATIENCE));
            Progress.pause(AFTERWARDS);
            Progress.say("%,d of %,d ticks, p99 %.1f ms late", counted.fired(), ticks, counted.begunMs(99));
            figures.put("firings_per_s", RATE)
                    .put("lateness_p50_ms", counted.begunMs(50))
                    .put("lateness_p99_ms", counted.begunMs(99))
                    .put("lateness_max_ms", counted.begunMs(100))
                    .put("submit_lateness_p99_ms", counted.submittedMs(99))
                    .put("ticks", ticks)
                    .put("fired", counted.fired())
                    .put("doubled", counted.doubled())
                    .put("missed", ticks - counted.fired())
                    .put("early", counted.early());
            // Those of the crowd are made by a warm server: how long that takes has to be known before their tick is
            // chosen.
            Instant nextYear = begin.plus(366, ChronoUnit.DAYS);
            return counted.make(
                    PROBES,
                    i -> Schedule.once("probe-" + i, nextYear).job(job(i)).build());
        }
    }

    private static void crowd(Stage stage, int schedules, boolean exact, double rate, Figures figures)
            throws InterruptedException {
        Duration spread = exact ? Duration.ZERO : Duration.ofSeconds(60);
        try (Ticks counted = ticks(stage, "crowd")) {
            Instant tick = Instant.now()
                    .plus(LEAD)
                    .plusMillis((long) (MARGIN * 1_000 * schedules / rate))
                    .truncatedTo(ChronoUnit.SECONDS);
            double made = counted.make(
                    schedules,
                    i -> Schedule.every("crowd-" + i, Duration.ofHours(12))
                            .start(tick)
                            .jitter(spread)
                            .job(job(i))
                            .build());
            Progress.say("%,d schedules made, %,.0f/s; their tick is at %s", schedules, made, tick);
            madeBefore(tick);
            counted.await(schedules, tick.plus(spread).plus(PATIENCE));
            Progress.pause(AFTERWARDS);
            double last = ChronoUnit.MILLIS.between(tick, counted.last()) / 1e3;
            Progress.say("%,d of them fired, the last %.1f s after the tick", counted.fired(), last);
            figures.put("crowd_schedules", schedules)
                    .put("crowd_jitter_s", spread.toSeconds())
                    .put("crowd_made_per_s", made)
                    .put("crowd_fired", counted.fired())
                    .put("crowd_doubled", counted.doubled())
                    .put("crowd_missed", schedules - counted.fired())
                    .put("crowd_early", counted.early())
                    .put("crowd_last_after_s", last);
        }
    }

    private static void madeBefore(Instant tick) {
        if (Instant.now().isAfter(tick)) {
            throw new IllegalStateException("the schedules took longer to make than expected: nothing was measured");
        }
    }

    private static Ticks ticks(Stage stage, String tenant) {
        return Ticks.begin(stage.server().url(), stage.keyOf(tenant), stage.workerKey());
    }
}
