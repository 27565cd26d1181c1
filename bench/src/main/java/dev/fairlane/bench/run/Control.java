package dev.fairlane.bench.run;

import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import dev.fairlane.bench.rig.Rest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.JsonNode;

/**
 * Steering jobs while very many wait: one cancel, change of priority or pause at a time, by id, over REST, and the cancel of a tenth of
 * them by filter. The jobs steered are of all ages, so most of their specs are in the store only.
 */
public final class Control implements Benchmark {
    private static final int TENANTS = 10;
    private static final long WAITING = 1_000_000;
    private static final int SAMPLES = 1_000;
    private static final int KINDS = 3;
    /** Of each kind before anything is measured: a server with a million jobs is not one that has just started. */
    private static final int WARM_UP = 1_000;

    private static final int FILL_BATCH = 1_000;
    private static final int PAGE = 500;
    private static final long HIGHEST_NANOS = 60_000_000_000L;

    /** @param arguments how many jobs wait, instead of a million */
    @Override
    public Figures run(Options options, List<String> arguments) throws Exception {
        long waiting = arguments.isEmpty() ? WAITING : Long.parseLong(arguments.getFirst());
        int samples = (int) Math.min(SAMPLES, waiting / 100);
        int rounds = options.rounds(3);
        Map<String, List<Double>> p50 = new LinkedHashMap<>();
        Map<String, List<Double>> p99 = new LinkedHashMap<>();
        try (Stage stage = Stage.set(options)) {
            Progress.say("submitting %,d jobs of %,d tenants", waiting, TENANTS);
            stage.ask(stage.client(), "fill jobs=" + waiting + " batch=" + FILL_BATCH + " keys=" + tenantKeys(stage));
            try (Calls calls = new Calls(new Rest(stage.server().url(), stage.server().adminKey()))) {
                int warmUp = Math.min(WARM_UP, samples);
                Deque<String> ids = calls.ids(KINDS * (warmUp + rounds * samples));
                steer(calls, ids, warmUp);
                for (int round = 0; round < rounds; round++) {
                    steer(calls, ids, samples).forEach((kind, times) -> {
                        note(p50, kind, times.getValueAtPercentile(50));
                        note(p99, kind, times.getValueAtPercentile(99));
                    });
                    Progress.say("round %d: p99 in ms so far %s", round + 1, p99);
                }
                Progress.say("cancelling the jobs of one tenant");
                long begin = System.nanoTime();
                long cancelled = calls.cancelAll("tenant-0");
                double seconds = (System.nanoTime() - begin) / 1e9;
                Figures settings = stage.settings();
                stage.succeeded();
                Figures figures = new Figures();
                p99.forEach((kind, times) -> figures.putMedian(kind + "_p99_ms", times));
                p50.forEach((kind, times) -> figures.putMedian(kind + "_p50_ms", times));
                return figures.put("bulk_cancel_s", seconds)
                        .put("bulk_cancel_100k_s", seconds * 100_000 / Math.max(1, cancelled))
                        .put("bulk_cancelled", cancelled)
                        .put("samples", samples)
                        .put("waiting", waiting)
                        .put("settings", settings);
            }
        }
    }

    private static void note(Map<String, List<Double>> rounds, String kind, long nanos) {
        rounds.computeIfAbsent(kind, name -> new ArrayList<>()).add(nanos / 1e6);
    }

    private static Map<String, Histogram> steer(Calls calls, Deque<String> ids, int samples)
            throws IOException, InterruptedException {
        Histogram cancel = new Histogram(HIGHEST_NANOS, 3);
        Histogram priority = new Histogram(HIGHEST_NANOS, 3);
        Histogram pause = new Histogram(HIGHEST_NANOS, 3);
        for (int i = 0; i < samples; i++) {
            timed(cancel, calls, "POST", ids.removeFirst() + ":cancel", "", "cancelled");
            timed(priority, calls, "PATCH", ids.removeFirst(), "{\"priority\":1}", "ok");
            timed(pause, calls, "POST", ids.removeFirst() + ":pause", "", "ok");
        }
        Map<String, Histogram> times = new LinkedHashMap<>();
        times.put("cancel", cancel);
        times.put("reprioritize", priority);
        times.put("pause", pause);
        return times;
    }

    private static void timed(Histogram times, Calls calls, String method, String job, String body, String expected)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        JsonNode answer = calls.send(method, "/v1/jobs/" + job, body);
        times.recordValue(Math.min(HIGHEST_NANOS, System.nanoTime() - begin));
        if (!answer.path("outcome").asString("").equals(expected)) {
            throw new IllegalStateException("expected " + expected + ", but got " + answer);
        }
    }

    private static Path tenantKeys(Stage stage) throws IOException {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < TENANTS; i++) {
            keys.add(stage.keyOf("tenant-" + i));
        }
        return Files.write(stage.rig().folder().resolve("keys"), keys);
    }

    private record Calls(Rest rest) implements AutoCloseable {
        JsonNode send(String method, String path, String body) throws IOException, InterruptedException {
            return rest.send(method, path, body);
        }

        /** Ids of waiting jobs of all tenants but the first, whose jobs are cancelled by filter; tenants take turns. */
        Deque<String> ids(int count) throws IOException, InterruptedException {
            List<List<String>> byTenant = new ArrayList<>();
            int each = count / (TENANTS - 1) + 1;
            for (int tenant = 1; tenant < TENANTS; tenant++) {
                byTenant.add(idsOf("tenant-" + tenant, each));
            }
            Deque<String> ids = new ArrayDeque<>();
            for (int i = 0; ids.size() < count; i++) {
                for (List<String> some : byTenant) {
                    ids.add(some.get(i));
                }
            }
            return ids;
        }

        private List<String> idsOf(String tenant, int count) throws IOException, InterruptedException {
            List<String> ids = new ArrayList<>();
            String cursor = "";
            while (ids.size() < count) {
                JsonNode page = send(
                        "GET",
                        "/v1/jobs?state=QUEUED&tenant=" + tenant + "&page_size=" + PAGE
                                + (cursor.isEmpty() ? "" : "&cursor=" + cursor),
                        "");
                page.path("jobs").forEach(job -> ids.add(job.get("id").asString()));
                cursor = page.path("next_cursor").asString("");
                if (cursor.isEmpty() && ids.size() < count) {
                    throw new IllegalStateException("expected " + count + " jobs, but there are " + ids.size());
                }
            }
            return ids;
        }

        /** @return how many were cancelled */
        long cancelAll(String tenant) throws IOException, InterruptedException {
            JsonNode operation = send(
                    "POST",
                    "/v1/jobs:bulk",
                    "{\"action\":\"cancel\",\"filter\":{\"tenant\":\"" + tenant + "\",\"state\":[\"QUEUED\"]}}");
            String path = "/v1/operations/" + operation.get("id").asString();
            while (operation.get("state").asString().equals("running")) {
                Progress.pause(Duration.ofMillis(20));
                operation = send("GET", path, "");
            }
            if (!operation.get("state").asString().equals("done")) {
                throw new IllegalStateException("expected all to be cancelled, but got " + operation);
            }
            return operation.get("done").asLong();
        }

        @Override
        public void close() {
            rest.close();
        }
    }
}
