package dev.fairlane.bench.run;

import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import dev.fairlane.bench.report.Statistics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Another revision against this working tree, in turns on the same machine, so that what the machine does meanwhile hits both. Each
 * side is built and started by its own launcher.
 */
public final class Compare implements Benchmark {
    private static final List<String> BY_DEFAULT = List.of("throughput", "latency");
    private static final long RUN_MINUTES = 30;

    @Override
    public Figures run(Options options, List<String> arguments) throws Exception {
        if (arguments.isEmpty()) {
            throw new IllegalArgumentException("expected a revision: bench compare REV [NAME]");
        }
        String revision = arguments.getFirst();
        List<String> names = arguments.size() > 1 ? arguments.subList(1, arguments.size()) : BY_DEFAULT;
        Path here = options.programs().root();
        Path there = Files.createTempDirectory("fairlane-compare-").resolve("tree");
        try {
            run(here, List.of("git", "worktree", "add", "--detach", there.toString(), revision));
            Progress.say("building %s", revision);
            run(there, List.of("./fairlane", "build"));
            Figures ratios = new Figures();
            Figures ours = new Figures();
            Figures theirs = new Figures();
            for (String name : names) {
                Rounds rounds = interleave(options, name, here, there);
                ours.put(name, medians(rounds.here));
                theirs.put(name, medians(rounds.there));
                ratios.put(name, ratios(rounds));
            }
            return new Figures()
                    .put("revision", revision)
                    .put("rounds", options.rounds(3))
                    .put("ratio", ratios)
                    .put("here", ours)
                    .put("there", theirs);
        } finally {
            run(here, List.of("git", "worktree", "remove", "--force", there.toString()));
            Files.deleteIfExists(there.getParent());
        }
    }

    /** Each figure with its value in every round. */
    private record Rounds(Map<String, List<Double>> here, Map<String, List<Double>> there) {}

    private static Rounds interleave(Options options, String name, Path here, Path there) {
        Rounds rounds = new Rounds(new TreeMap<>(), new TreeMap<>());
        for (int round = 0; round < options.rounds(3); round++) {
            Progress.say("%s, round %d of %d", name, round + 1, options.rounds(3));
            // Who goes first changes: the second run finds warmer disks and a warmer processor.
            boolean hereFirst = round % 2 == 0;
            gather(measure(hereFirst ? here : there, name, options), hereFirst ? rounds.here : rounds.there);
            gather(measure(hereFirst ? there : here, name, options), hereFirst ? rounds.there : rounds.here);
        }
        return rounds;
    }

    private static Map<String, Double> measure(Path root, String name, Options options) {
        List<String> command = new ArrayList<>(List.of(
                "./fairlane",
                "bench",
                name,
                "--json",
                "--rounds",
                "1",
                "--seconds",
                Integer.toString(options.seconds(10))));
        if (options.warmUp(0) > 0) {
            command.addAll(List.of("--warm-up", Integer.toString(options.warmUp(0))));
        }
        String output = run(root, command);
        return Figures.numbers(
                output.strip().lines().reduce((first, last) -> last).orElseThrow());
    }

    private static void gather(Map<String, Double> figures, Map<String, List<Double>> into) {
        figures.forEach((name, value) ->
                into.computeIfAbsent(name, n -> new ArrayList<>()).add(value));
    }

    private static Figures medians(Map<String, List<Double>> rounds) {
        Figures figures = new Figures();
        rounds.forEach((name, values) -> figures.put(name, Statistics.median(values)));
        return figures;
    }

    /** Here divided by there, for what both sides report. */
    private static Figures ratios(Rounds rounds) {
        Map<String, Double> ratios = new LinkedHashMap<>();
        rounds.here.forEach((name, values) -> {
            List<Double> other = rounds.there.get(name);
            if (other != null && Statistics.median(other) != 0) {
                ratios.put(name, Statistics.median(values) / Statistics.median(other));
            }
        });
        Figures figures = new Figures();
        ratios.forEach(figures::put);
        return figures;
    }

    private static String run(Path folder, List<String> command) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT);
            builder.environment().put("FAIRLANE_JAVA_HOME", System.getProperty("java.home"));
            builder.environment().remove("FAIRLANE_NO_BUILD");
            Process process = builder.start();
            try {
                String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                if (!process.waitFor(RUN_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
                    throw new IllegalStateException("'" + String.join(" ", command) + "' failed in " + folder);
                }
                return output;
            } finally {
                process.destroy();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + command, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while running " + command, e);
        }
    }
}
