package dev.fairlane.bench.run;

import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import dev.fairlane.bench.report.Statistics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What each of the contenders reached, turn by turn, and how Fairlane stands to the best of the others. A peer that left later keeps what it
 * had reached in the turns it finished.
 */
final class Scores {
    private final String own;
    private final List<String> field;
    private final Map<String, Score> scores = new LinkedHashMap<>();

    /** Submitted by a process of its own, and by the worker's. */
    static final String PICKUP_APART = "pickup_apart_p99_ms";

    static final String PICKUP_TOGETHER = "pickup_together_p99_ms";

    private record Score(boolean java, Map<String, List<Double>> turns) {
        double median(String figure) {
            return Statistics.median(turns.getOrDefault(figure, List.of()));
        }

        /** Of the two ways the one with the lower median: the lower of two in each turn would be luck. */
        List<Double> pickups() {
            List<Double> apart = turns.getOrDefault(PICKUP_APART, List.of());
            return turns.containsKey(PICKUP_TOGETHER) && median(PICKUP_TOGETHER) < median(PICKUP_APART)
                    ? turns.getOrDefault(PICKUP_TOGETHER, List.of())
                    : apart;
        }
    }

    /** @param field the names of all peers there are */
    Scores(String own, List<String> field) {
        this.own = own;
        this.field = field;
    }

    /** A turn that was finished. */
    void add(String name, boolean java, Map<String, Double> turn) {
        Score score = scores.computeIfAbsent(name, n -> new Score(java, new LinkedHashMap<>()));
        turn.forEach((figure, value) ->
                score.turns.computeIfAbsent(figure, f -> new ArrayList<>()).add(value));
    }

    /**
     * With a whole field, the ratios; otherwise they are in a group of their own, {@code among_present}, where nobody takes them for more than
     * that.
     *
     * @param chosen some peers were asked for: that others are missing is no failure then
     */
    Figures figures(boolean chosen) {
        Figures peers = new Figures();
        scores.forEach((name, score) -> {
            if (!name.equals(own)) {
                peers.put(name, group(score));
            }
        });
        Score ours = scores.get(own);
        Figures all = new Figures();
        if (ours == null) {
            return all.put("peers", peers);
        }
        all.put(own, group(ours)).put("peers", peers);
        List<String> missing =
                field.stream().filter(name -> !scores.containsKey(name)).toList();
        if (missing.isEmpty()) {
            return all.putAll(ratios(ours));
        }
        all.put("among_present", ratios(ours)).put("missing", String.join(", ", missing));
        if (!chosen) {
            Progress.say("the field is not whole, there are no ratios to the best peer: missing %s", missing);
            all.put("verdict", Figures.FAILED);
        }
        return all;
    }

    private Figures ratios(Score ours) {
        List<Score> others = scores.entrySet().stream()
                .filter(one -> !one.getKey().equals(own))
                .map(Map.Entry::getValue)
                .toList();
        List<Score> java = others.stream().filter(Score::java).toList();
        Figures into = new Figures();
        ratio(into, "ratio_to_best_peer", "jobs_per_s", ours, others);
        ratio(into, "drain_ratio_to_best_peer", "drain_jobs_per_s", ours, others);
        ratio(into, "drain_settled_ratio_to_best_peer", "drain_settled_jobs_per_s", ours, others);
        ratio(into, "single_ratio_to_best_peer", "single_jobs_per_s", ours, others);
        ratio(into, "ratio_to_best_java_peer", "jobs_per_s", ours, java);
        others.stream()
                .map(score -> Statistics.median(score.pickups()))
                .min(Comparator.naturalOrder())
                .ifPresent(best -> into.put("pickup_p99_ratio_to_best_peer", Statistics.median(ours.pickups()) / best));
        return into;
    }

    private static void ratio(Figures into, String name, String figure, Score ours, List<Score> others) {
        others.stream()
                .map(score -> score.median(figure))
                .max(Comparator.naturalOrder())
                .ifPresent(best -> into.put(name, ours.median(figure) / best));
    }

    private static Figures group(Score score) {
        Figures group = new Figures();
        score.turns.forEach(group::putMedian);
        group.putMedian("pickup_p99_ms", score.pickups());
        return group;
    }
}
