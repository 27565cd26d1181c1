package dev.fairlane.bench.run;

import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import java.util.ArrayList;
import java.util.List;

/** Many jobs wait, then a worker starts: how fast do they go? Timed from the worker's start to the last ack, both programs warm. */
public final class Drain implements Benchmark {
    private static final long JOBS = 200_000;
    private static final int FILL_BATCH = 1_000;

    @Override
    public Figures run(Options options, List<String> arguments) throws Exception {
        List<Double> rates = new ArrayList<>();
        List<Double> fills = new ArrayList<>();
        try (Stage stage = Stage.set(options)) {
            stage.startWorker();
            stage.warmUp(options.warmUp(15));
            stage.stopWorker();
            for (int round = 0; round < options.rounds(3); round++) {
                var filled = stage.ask(stage.client(), "fill jobs=" + JOBS + " batch=" + FILL_BATCH);
                fills.add(JOBS / filled.get("seconds").doubleValue());
                stage.acceptLater(JOBS);
                long begin = System.nanoTime();
                stage.startWorker();
                double seconds = (stage.awaitFinished() - begin) / 1e9;
                stage.stopWorker();
                rates.add(JOBS / seconds);
                Progress.say("round %d: %,.0f jobs/s", round + 1, JOBS / seconds);
            }
            Figures settings = stage.settings();
            stage.succeeded();
            return new Figures()
                    .putMedian("jobs_per_s", rates)
                    .put("jobs", JOBS)
                    .putMedian("fill_jobs_per_s", fills)
                    .put("settings", settings);
        }
    }
}
