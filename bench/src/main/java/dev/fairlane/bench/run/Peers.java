package dev.fairlane.bench.run;

import dev.fairlane.bench.peers.Contender;
import dev.fairlane.bench.peers.Field;
import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import dev.fairlane.bench.report.Surroundings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Fairlane and its peers under the same load, in turns: each round everybody does everything once, in another order, so that what the machine
 * does meanwhile hits all. Nobody begins before whoever had the turn last has cleaned up after itself. Ratios are Fairlane's median against
 * the best median of a peer, and stand only where the whole field has figures: against whoever is left they would flatter.
 */
public final class Peers implements Benchmark {
    private static final int PICKUP_RATE = 500;
    private static final long DRAIN_JOBS = 200_000;
    private static final int PICKUP_WARM_UP_RATE = 2_000;
    private static final int PICKUP_WARM_UP_SECONDS = 15;
    private static final int MINUTES = 28;

    /** @param arguments names of peers, instead of all */
    @Override
    public Figures run(Options options, List<String> arguments) throws Exception {
        List<String> names = arguments.isEmpty() ? Field.names() : arguments;
        if (!Field.names().containsAll(names)) {
            throw new IllegalArgumentException("expected peers out of " + Field.names() + ", but got " + names);
        }
        long begin = System.nanoTime();
        try (Stage stage = Stage.set(options);
                Field field = Field.gather(options.programs().root(), names)) {
            Contender own = new OwnContender(
                    stage, Surroundings.commit(options.programs().root()), DRAIN_JOBS);
            Scores scores = new Scores(own.name(), Field.names());
            Figures described = warmUp(options, own, field);
            int rounds = rounds(options, own, field, scores, begin);
            Figures settings = stage.settings();
            stage.succeeded();
            field.succeeded();
            return scores.figures(!arguments.isEmpty())
                    .put("rounds", rounds)
                    .put("described", described)
                    .put("absent", new Figures().putAll(field.absent()))
                    .put("peers_absent", field.absent().size())
                    .put("pickup_rate", PICKUP_RATE)
                    .put("seconds_in_all", (System.nanoTime() - begin) / 1e9)
                    .put("settings", settings);
        }
    }

    private static Figures warmUp(Options options, Contender own, Field field) throws Exception {
        Figures described = new Figures();
        for (Contender contender : all(own, field)) {
            Progress.say("warming up %s", contender.name());
            described.put(contender.name(), contender.described());
            attempt(field, contender, () -> {
                contender.warmUp(options.warmUp(10));
                contender.drain();
                // At a rate at which code is compiled in that time; who cannot keep up leaves jobs out.
                contender.pickupP99(PICKUP_WARM_UP_RATE, PICKUP_WARM_UP_SECONDS);
                contender.settle();
            });
        }
        return described;
    }

    /** @return how many there was time for: one that would not be over in time is not begun */
    private static int rounds(Options options, Contender own, Field field, Scores scores, long begin) throws Exception {
        int rounds = options.rounds(3);
        int seconds = Math.max(3, options.seconds(30) / rounds);
        long budget = Duration.ofMinutes(options.minutes(MINUTES)).toNanos();
        for (int round = 0; round < rounds; round++) {
            long roundBegin = System.nanoTime();
            for (Contender contender : Turns.of(all(own, field), round)) {
                attempt(field, contender, () -> {
                    measure(contender, scores, seconds);
                    contender.settle();
                });
            }
            long now = System.nanoTime();
            Progress.say(
                    "round %d took %d s",
                    round + 1, Duration.ofNanos(now - roundBegin).toSeconds());
            if (round + 1 < rounds && now - begin + (now - roundBegin) > budget) {
                Progress.say("no time for more than %d rounds in %d minutes", round + 1, options.minutes(MINUTES));
                return round + 1;
            }
        }
        return rounds;
    }

    private interface Deed {
        void run() throws Exception;
    }

    /** A peer that fails, however it does, is out of the field; Fairlane's failure is one of the benchmark. */
    private static void attempt(Field field, Contender contender, Deed deed) throws Exception {
        try {
            deed.run();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
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

    private static void measure(Contender contender, Scores scores, int seconds) throws Exception {
        Map<String, Double> turn = new LinkedHashMap<>();
        turn.put("jobs_per_s", contender.throughput(Duration.ofSeconds(seconds)));
        // What one load left to be written is not what the next is about.
        contender.settle();
        turn.put("single_jobs_per_s", contender.single(seconds));
        contender.settle();
        Contender.Pickups pickups = contender.pickupP99(PICKUP_RATE, seconds);
        turn.put(Scores.PICKUP_APART, pickups.apart());
        pickups.together().ifPresent(p99 -> turn.put(Scores.PICKUP_TOGETHER, p99));
        Contender.Drained drained = contender.drain();
        turn.put("drain_jobs_per_s", drained.jobsPerSecond());
        turn.put("drain_settled_jobs_per_s", drained.settledJobsPerSecond());
        scores.add(contender.name(), contender.java(), turn);
        Progress.say("%s: %s", contender.name(), turn);
    }
}
