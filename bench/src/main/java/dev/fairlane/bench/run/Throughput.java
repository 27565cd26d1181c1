package dev.fairlane.bench.run;

import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import dev.fairlane.bench.report.Statistics;
import dev.fairlane.bench.rig.PostgresProbe;
import dev.fairlane.bench.rig.PostgresProbe.Counters;
import dev.fairlane.bench.rig.PostgresProbe.Tuples;
import dev.fairlane.bench.rig.Use;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Submit and complete as fast as possible, and the raw floor in turns with it on the same PostgreSQL. A job counts when the server has
 * acked its completion. Bytes of WAL and commits are counted over whole rounds, from silence to silence, so that what is written late is
 * counted too.
 */
public final class Throughput implements Benchmark {
    private static final Duration RAMP = Duration.ofSeconds(2);

    /** Longer than a backend takes to report its counters, and than the projection waits. */
    private static final Duration SETTLE = Duration.ofMillis(2_500);

    private final List<Double> rates = new ArrayList<>();
    private final List<Double> floors = new ArrayList<>();
    private final List<Double> floorCpu = new ArrayList<>();
    private final List<Double> cpu = new ArrayList<>();
    private final Map<String, List<Double>> cpuByPart = new LinkedHashMap<>();
    private final List<Double> batchP50 = new ArrayList<>();
    private long jobs;
    private long walBytes;
    private long commits;

    @Override
    public Figures run(Options options, List<String> arguments) throws Exception {
        int rounds = options.rounds(3);
        Duration window = Duration.ofSeconds(Math.max(3, options.seconds(30) / rounds));
        try (Stage stage = Stage.set(options);
                PostgresProbe database = stage.server().database();
                Floor floor = Floor.beside(database)) {
            stage.startWorker();
            stage.warmUp(options.warmUp(15));
            floor.run(RAMP, Duration.ofSeconds(Math.min(5, options.warmUp(5))));
            for (int round = 0; round < rounds; round++) {
                measureFloor(stage, floor, window);
                measure(stage, database, window);
                Progress.say("round %d: %,.0f jobs/s, floor %,.0f", round + 1, rates.getLast(), floors.getLast());
            }
            Map<String, Long> resident = stage.rig().use().residentBytes();
            Tuples tuples = database.tuples();
            long done = database.number("select count(*) from fairlane.job_done");
            if (done != stage.accepted()) {
                throw new IllegalStateException(
                        "expected " + stage.accepted() + " finished jobs in the history, but there are " + done);
            }
            floor.verify();
            Figures settings = stage.settings();
            stage.succeeded();
            return figures(resident, tuples).put("settings", settings);
        }
    }

    private void measureFloor(Stage stage, Floor floor, Duration window) throws Exception {
        List<Long> pids = new ArrayList<>(stage.rig().postgresPids());
        pids.add(ProcessHandle.current().pid());
        long jobsBefore = floor.jobs();
        long cpuBefore = Use.cpuMicros(pids);
        floors.add(floor.run(RAMP, window));
        floorCpu.add((Use.cpuMicros(pids) - cpuBefore) / (double) (floor.jobs() - jobsBefore));
    }

    private void measure(Stage stage, PostgresProbe database, Duration window) throws InterruptedException {
        Progress.pause(SETTLE);
        Counters countersBefore = database.counters();
        stage.flood();
        Progress.pause(RAMP);
        JsonNode begin = stage.ask(stage.worker(), "counts");
        Use useBefore = stage.rig().use();
        Progress.pause(window);
        JsonNode end = stage.ask(stage.worker(), "counts");
        Map<String, Long> used = stage.rig().use().cpuMicrosSince(useBefore);
        JsonNode calm = stage.calm();
        Progress.pause(SETTLE);
        Counters countersAfter = database.counters();

        long finished = end.get("acked").longValue() - begin.get("acked").longValue();
        rates.add(finished * 1e9 / (end.get("at").longValue() - begin.get("at").longValue()));
        cpu.add(used.values().stream().mapToLong(Long::longValue).sum() / (double) finished);
        used.forEach((part, micros) ->
                cpuByPart.computeIfAbsent(part, p -> new ArrayList<>()).add(micros / (double) finished));
        batchP50.add(calm.get("batch_p50_ms").doubleValue());
        jobs += calm.get("accepted").longValue();
        walBytes += countersAfter.walBytes() - countersBefore.walBytes();
        commits += countersAfter.commits() - countersBefore.commits();
    }

    private Figures figures(Map<String, Long> resident, Tuples tuples) {
        Figures cpuParts = new Figures();
        cpuByPart.forEach((part, values) -> cpuParts.put(part, Statistics.median(values)));
        Figures memory = new Figures();
        resident.forEach((part, bytes) -> memory.put(part, bytes / 1e6));
        return new Figures()
                .putMedian("jobs_per_s", rates)
                .putMedian("floor_jobs_per_s", floors)
                .put("ratio_to_floor", Statistics.median(rates) / Statistics.median(floors))
                .put("wal_bytes_per_job", walBytes / (double) jobs)
                .put("commits_per_job", commits / (double) jobs)
                .put("dead_tuples", tuples.dead())
                .put("updated_tuples", tuples.updated())
                .putMedian("cpu_us_per_job", cpu)
                .put("cpu_us_per_job_by_process", cpuParts)
                .putMedian("floor_cpu_us_per_job", floorCpu)
                // On a machine that others use, whoever has more threads gets more of it, and ratio_to_floor flatters
                // the product;
                // processor time per job does not care. Where the two differ, believe this one.
                .put("ratio_to_floor_by_cpu", Statistics.median(floorCpu) / Statistics.median(cpu))
                .put("rss_mb", resident.getOrDefault("server", 0L) / 1e6)
                .put("rss_mb_by_process", memory)
                .putMedian("batch_p50_ms", batchP50);
    }
}
