package dev.fairlane.bench.run;

import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import dev.fairlane.bench.report.Statistics;
import dev.fairlane.bench.rig.PostgresProbe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What idempotency keys cost: floods in which every job has one and a tenth of the submits repeat an earlier job, in turns with floods
 * without keys on the same server. Only jobs that were made count, a duplicate's answer is work without a reward: with a tenth of them the
 * ratio cannot be much above 0.9. {@code submit_ratio_to_unkeyed} counts what was answered, duplicates too.
 */
public final class Keyed implements Benchmark {
    private static final int DUPLICATE_PERCENT = 10;
    private static final String KEYED = " duplicates=" + DUPLICATE_PERCENT;
    private static final Duration SETTLE = Duration.ofMillis(2_500);

    @Override
    public Figures run(Options options, List<String> arguments) throws Exception {
        int rounds = options.rounds(3);
        Duration window = Duration.ofSeconds(Math.max(3, options.seconds(30) / rounds));
        List<Stretch> keyed = new ArrayList<>();
        List<Stretch> plain = new ArrayList<>();
        try (Stage stage = Stage.set(options);
                PostgresProbe database = stage.server().database()) {
            stage.startWorker();
            stage.warmUp(options.warmUp(15));
            Stretch.of(stage, KEYED, Duration.ofSeconds(Math.min(10, options.warmUp(10))));
            for (int round = 0; round < rounds; round++) {
                boolean plainFirst = round % 2 == 0;
                Stretch first = Stretch.of(stage, plainFirst ? "" : KEYED, window);
                Stretch second = Stretch.of(stage, plainFirst ? KEYED : "", window);
                plain.add(plainFirst ? first : second);
                keyed.add(plainFirst ? second : first);
                Progress.say(
                        "round %d: without keys %,.0f, with keys %,.0f jobs/s",
                        round + 1,
                        plain.getLast().jobsPerSecond(),
                        keyed.getLast().jobsPerSecond());
            }
            Progress.pause(SETTLE);
            long done = database.number("select count(*) from fairlane.job_done");
            if (done != stage.accepted()) {
                throw new IllegalStateException(
                        "expected one finished job per key and " + stage.accepted() + " in all, but there are " + done);
            }
            Figures settings = stage.settings();
            stage.succeeded();
            return figures(keyed, plain).put("settings", settings);
        }
    }

    private static Figures figures(List<Stretch> keyed, List<Stretch> plain) {
        double rate = Statistics.median(Stretch.rates(keyed));
        double unkeyed = Statistics.median(Stretch.rates(plain));
        double submits = rate * sum(keyed, "submitted") / sum(keyed, "fresh");
        return new Figures()
                .putMedian("jobs_per_s", Stretch.rates(keyed))
                .putMedian("unkeyed_jobs_per_s", Stretch.rates(plain))
                .put("ratio_to_unkeyed", rate / unkeyed)
                .put("submits_per_s", submits)
                .put("submit_ratio_to_unkeyed", submits / unkeyed)
                .put("duplicate_percent", DUPLICATE_PERCENT)
                .put("cpu_us_per_job_by_process", Stretch.cpu(keyed))
                .put("unkeyed_cpu_us_per_job_by_process", Stretch.cpu(plain));
    }

    private static double sum(List<Stretch> stretches, String figure) {
        return stretches.stream()
                .mapToDouble(one -> one.answer().get(figure).doubleValue())
                .sum();
    }
}
