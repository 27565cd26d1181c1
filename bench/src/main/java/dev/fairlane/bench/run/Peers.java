package dev.fairlane.bench.run;

import dev.fairlane.bench.peers.Contender;
import dev.fairlane.bench.peers.Field;
import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import dev.fairlane.bench.report.Statistics;
import dev.fairlane.bench.rig.RigException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Fairlane and its peers under the same load, in turns: each round everybody does everything once, so that what the machine does
 * meanwhile hits all. Ratios are Fairlane's median against the best median of a peer.
 */
public final class Peers implements Benchmark {
    private static final int PICKUP_RATE = 500;
    private static final long DRAIN_JOBS = 200_000;

    /** What each reached, round by round. */
    record Score(boolean java, Map<String, List<Double>> rounds) {
        static Score of(boolean java) {
            return new Score(java, new LinkedHashMap<>());
        }

        void add(String figure, double value) {
            rounds.computeIfAbsent(figure, name -> new ArrayList<>()).add(value);
        }

        boolean has(String figure) {
            return rounds.containsKey(figure);
        }

        double median(String figure) {
            return Statistics.median(rounds.getOrDefault(figure, List.of()));
        }
    }

    /** @param arguments names of peers, instead of all */
    @Override
    public Figures run(Options options, List<String> arguments) throws Exception {
        List<String> names = arguments.isEmpty() ? Field.names() : arguments;
        if (!Field.names().containsAll(names)) {
            throw new IllegalArgumentException("expected peers out of " + Field.names() + ", but got " + names);
        }
        int rounds = options.rounds(3);
        int seconds = Math.max(3, options.seconds(30) / rounds);
        Map<String, Score> scores = new LinkedHashMap<>();
        Figures described = new Figures();
        try (Stage stage = Stage.set(options);
                Field field = Field.gather(options.programs().root(), names)) {
            Contender own = new OwnContender(stage, DRAIN_JOBS);
            for (Contender contender : all(own, field)) {
                Progress.say("warming up %s", contender.name());
                described.put(contender.name(), contender.described());
                attempt(field, contender, () -> contender.warmUp(options.warmUp(10)));
            }
            for (int round = 0; round < rounds; round++) {
                for (Contender contender : all(own, field)) {
                    Score score = scores.computeIfAbsent(contender.name(), name -> Score.of(contender.java()));
                    attempt(field, contender, () -> measure(contender, score, seconds));
                }
            }
            Figures settings = stage.settings();
            stage.succeeded();
            field.succeeded();
            return figures(own.name(), scores)
                    .put("described", described)
                    .put("absent", new Figures().putAll(field.absent()))
                    .put("peers_absent", field.absent().size())
                    .put("pickup_rate", PICKUP_RATE)
                    .put("settings", settings);
        }
    }

    private interface Deed {
        void run() throws Exception;
    }

    /** A peer that fails is out of the field; Fairlane's failure is one of the benchmark. */
    private static void attempt(Field field, Contender contender, Deed deed) throws Exception {
        try {
            deed.run();
        } catch (RigException e) {
            if (contender instanceof OwnContender) {
                throw e;
            }
            field.leave(contender.name(), e);
        }
    }

    private static List<Contender> all(Contender own, Field field) {
        List<Contender> all = new ArrayList<>(List.of(own));
        all.addAll(field.contenders());
        return all;
    }

    private static void measure(Contender contender, Score score, int seconds) throws Exception {
        score.add("jobs_per_s", contender.throughput(Duration.ofSeconds(seconds)));
        score.add("single_jobs_per_s", contender.single(seconds));
        score.add("pickup_p99_ms", contender.pickupP99(PICKUP_RATE, seconds));
        score.add("drain_jobs_per_s", contender.drain());
        Progress.say("%s: %s", contender.name(), score.rounds());
    }

    static Figures figures(String own, Map<String, Score> scores) {
        Figures peers = new Figures();
        Score ours = scores.getOrDefault(own, Score.of(true));
        Map<String, Score> others = new LinkedHashMap<>(scores);
        others.remove(own);
        others.forEach((name, score) -> peers.put(name, group(score)));
        Figures all = new Figures().put(own, group(ours)).put("peers", peers);
        ratio(all, "ratio_to_best_peer", "jobs_per_s", ours, others, false);
        ratio(all, "drain_ratio_to_best_peer", "drain_jobs_per_s", ours, others, false);
        ratio(all, "single_ratio_to_best_peer", "single_jobs_per_s", ours, others, false);
        ratio(all, "ratio_to_best_java_peer", "jobs_per_s", ours, others, true);
        others.values().stream()
                .filter(score -> score.has("pickup_p99_ms"))
                .mapToDouble(score -> score.median("pickup_p99_ms"))
                .min()
                .ifPresent(best -> all.put("pickup_p99_ratio_to_best_peer", ours.median("pickup_p99_ms") / best));
        return all;
    }

    private static void ratio(
            Figures into, String name, String figure, Score ours, Map<String, Score> others, boolean javaOnly) {
        others.values().stream()
                .filter(score -> score.has(figure) && (score.java() || !javaOnly))
                .mapToDouble(score -> score.median(figure))
                .max()
                .ifPresent(best -> into.put(name, ours.median(figure) / best));
    }

    private static Figures group(Score score) {
        Figures group = new Figures();
        score.rounds().forEach(group::putMedian);
        return group;
    }
}
