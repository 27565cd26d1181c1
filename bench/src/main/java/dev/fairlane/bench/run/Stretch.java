package dev.fairlane.bench.run;

import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import dev.fairlane.bench.report.Statistics;
import dev.fairlane.bench.rig.Use;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * One stretch of flood, from silence to silence.
 *
 * @param jobsPerSecond finished in the window, which begins after the ramp
 * @param cpuMicrosPerJob by part, in the window
 * @param answer of the client: what it submitted in all
 */
record Stretch(double jobsPerSecond, Map<String, Double> cpuMicrosPerJob, JsonNode answer) {
    static final Duration RAMP = Duration.ofSeconds(2);

    /** @param more words of the order to the client */
    static Stretch of(Stage stage, String more, Duration window) throws InterruptedException {
        stage.flood(more);
        Progress.pause(RAMP);
        Window seen = Window.over(stage, window);
        return new Stretch(seen.jobsPerSecond, seen.cpuMicrosPerJob, stage.calm());
    }

    /** What happens in some time of a flood that others begin and end. */
    record Window(double jobsPerSecond, Map<String, Double> cpuMicrosPerJob) {
        static Window over(Stage stage, Duration time) throws InterruptedException {
            JsonNode begin = stage.ask(stage.worker(), "counts");
            Use before = stage.rig().use();
            Progress.pause(time);
            JsonNode end = stage.ask(stage.worker(), "counts");
            Map<String, Long> used = stage.rig().use().cpuMicrosSince(before);
            long finished = end.get("acked").longValue() - begin.get("acked").longValue();
            Map<String, Double> perJob = new LinkedHashMap<>();
            used.forEach((part, micros) -> perJob.put(part, micros / (double) Math.max(1, finished)));
            long nanos = end.get("at").longValue() - begin.get("at").longValue();
            return new Window(finished * 1e9 / nanos, perJob);
        }
    }

    static List<Double> rates(List<Stretch> stretches) {
        return stretches.stream().map(Stretch::jobsPerSecond).toList();
    }

    /** Processor time per job, medians by part. */
    static Figures cpu(List<Stretch> stretches) {
        Figures parts = new Figures();
        stretches
                .getFirst()
                .cpuMicrosPerJob
                .keySet()
                .forEach(part -> parts.put(
                        part,
                        Statistics.median(stretches.stream()
                                .map(one -> one.cpuMicrosPerJob.getOrDefault(part, 0.0))
                                .toList())));
        return parts;
    }
}
