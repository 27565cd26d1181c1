package dev.fairlane.bench.run;

import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import dev.fairlane.bench.rig.RigException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Jobs offered at fixed rates, one call each: how long until the caller has its answer, and until the handler runs? Both count from when
 * the call was due. Medians over the rounds, of which each offers every rate once. {@code --curve} goes on at rising rates until the
 * calls cannot be made in time any more.
 */
public final class Latency implements Benchmark {
    private static final List<Integer> RATES = List.of(500, 2_000);
    private static final List<String> SUBMIT = List.of(
            "submit_p50_ms", "submit_p90_ms", "submit_p99_ms", "submit_p999_ms", "submit_max_ms", "late_p99_ms");
    private static final List<String> PICKUP =
            List.of("pickup_p50_ms", "pickup_p90_ms", "pickup_p99_ms", "pickup_p999_ms", "pickup_max_ms");

    /** Each rate of the curve is so many times the one before, rounded to hundreds. */
    private static final double CURVE_STEP = 1.4;

    private static final String FAILED = "failed";
    private static final String GIVEN_UP = "given_up";
    private static final int CURVE_SECONDS = 10;
    private static final int WARM_UP_RATE = 2_000;
    /** So many times as long as the flood's: at this rate code is compiled for half a minute. */
    private static final int CALLS_WARM_UP = 3;

    private static final int CURVE_RATE_MAX = 200_000;

    /** Beyond this nobody would call it working. */
    private static final double SATURATED_MS = 1_000;

    /** Beyond this the client itself cannot make its calls in time: the curve ends, but not because of the server. */
    private static final double CLIENT_LATE_MS = 100;

    @Override
    public Figures run(Options options, List<String> arguments) throws Exception {
        int rounds = options.rounds(3);
        int seconds = Math.max(1, options.seconds(30) / rounds);
        Map<Integer, Map<String, List<Double>>> found = new LinkedHashMap<>();
        try (Stage stage = Stage.set(options)) {
            stage.startWorker();
            stage.warmUp(options.warmUp(10));
            // The calls of this benchmark are other code than the flood's, whose rows and pages are still being
            // written.
            offerAll(stage, WARM_UP_RATE, CALLS_WARM_UP * options.warmUp(10));
            stage.rest();
            for (int round = 0; round < rounds; round++) {
                for (int rate : RATES) {
                    Map<String, Double> figures = offerAll(stage, rate, seconds);
                    Map<String, List<Double>> of = found.computeIfAbsent(rate, r -> new LinkedHashMap<>());
                    figures.forEach((name, value) ->
                            of.computeIfAbsent(name, n -> new ArrayList<>()).add(value));
                    Progress.say("%d jobs/s: %s", rate, figures);
                }
            }
            Figures rates = new Figures();
            found.forEach((rate, figures) -> {
                Figures group = new Figures();
                figures.forEach(group::putMedian);
                rates.put(Integer.toString(rate), group);
            });
            Figures curve = options.curve()
                    ? curve(stage, Math.min(CURVE_SECONDS, options.seconds(CURVE_SECONDS)))
                    : new Figures();
            Figures settings = stage.settings();
            stage.succeeded();
            return new Figures()
                    .put("rates", rates)
                    .put("seconds_per_rate", (long) seconds * rounds)
                    .putAll(curve)
                    .put("settings", settings);
        }
    }

    /** Figures by rate up to the first that breaks, which is in it too; and the last that did not. */
    private static Figures curve(Stage stage, int seconds) {
        Figures points = new Figures();
        long held = 0;
        Optional<String> broke = Optional.empty();
        for (int rate = RATES.getFirst(); rate <= CURVE_RATE_MAX && broke.isEmpty(); rate = next(rate)) {
            Figures point = new Figures();
            try {
                Map<String, Double> figures = offer(stage, rate, seconds);
                figures.forEach(point::put);
                broke = saturation(figures);
                Progress.say("%d jobs/s: %s", rate, figures);
            } catch (RigException e) {
                Progress.say("%d jobs/s: %s", rate, e);
                broke = Optional.of("no answer from the client or the worker");
            }
            points.put(Integer.toString(rate), point);
            held = broke.isEmpty() ? rate : held;
        }
        return new Figures()
                .put("curve", points)
                .put("saturation_jobs_per_s", held)
                .put("saturated_by", broke.orElse("nothing: all rates were held"));
    }

    static int next(int rate) {
        return (int) Math.round(rate * CURVE_STEP / 100) * 100;
    }

    /** Why this rate cannot be held; empty if it can. */
    static Optional<String> saturation(Map<String, Double> figures) {
        if (figures.containsKey(FAILED)) {
            return Optional.of("calls that failed");
        }
        if (figures.containsKey(GIVEN_UP)) {
            return Optional.of("more open calls than the client can hold");
        }
        if (figures.getOrDefault("late_p99_ms", 0.0) > CLIENT_LATE_MS) {
            return Optional.of("the client, which was late itself");
        }
        boolean slow = figures.getOrDefault("pickup_p99_ms", 0.0) > SATURATED_MS
                || figures.getOrDefault("submit_p99_ms", 0.0) > SATURATED_MS;
        return slow ? Optional.of("waits above a second") : Optional.empty();
    }

    private static Map<String, Double> offerAll(Stage stage, int rate, int seconds) {
        Map<String, Double> figures = offer(stage, rate, seconds);
        if (figures.containsKey(FAILED)) {
            throw new IllegalStateException("calls failed at " + rate + " jobs/s: " + figures);
        }
        return figures;
    }

    /** Jobs of calls that failed may exist or not: with a figure {@code failed} the stage can count no more, and nothing may follow. */
    private static Map<String, Double> offer(Stage stage, int rate, int seconds) {
        stage.ask(stage.worker(), "time pickup=on");
        JsonNode submit = stage.ask(stage.client(), "offer rate=" + rate + " seconds=" + seconds);
        if (submit.get("failed").longValue() > 0) {
            Progress.say(
                    "%s of %s calls failed, the last with %s",
                    submit.get("failed"),
                    submit.get("offered"),
                    submit.get("last_failure").asString());
            return Map.of(FAILED, submit.get("failed").doubleValue());
        }
        stage.accept(submit.get("offered").longValue());
        JsonNode pickup = stage.ask(stage.worker(), "time pickup=off");
        Map<String, Double> figures = new LinkedHashMap<>();
        SUBMIT.forEach(name -> figures.put(name, submit.get(name).doubleValue()));
        if (submit.get(GIVEN_UP).booleanValue()) {
            figures.put(GIVEN_UP, 1.0);
        }
        PICKUP.forEach(name -> figures.put(name, pickup.get(name).doubleValue()));
        return figures;
    }
}
