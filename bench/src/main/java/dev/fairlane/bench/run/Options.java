package dev.fairlane.bench.run;

import dev.fairlane.bench.load.Payloads;
import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.rig.Programs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How to run.
 *
 * @param settings of the server, by name
 * @param deep backlog: far more jobs
 * @param curve latency: at all rates up to where it breaks
 */
public record Options(
        Programs programs, Span span, Load load, Map<String, String> settings, boolean deep, boolean curve) {
    /**
     * Small and plain: what is measured is the server, and two processes more share its two cores. One carrier for their virtual threads: handlers and callers do
     * next to nothing, and a second carrier is woken for each of them and finds nothing to do.
     */
    private static final List<String> LOAD_JVM = List.of(
            "-XX:+UseSerialGC",
            "-Xms256m",
            "-Xmx512m",
            "-Xmn160m",
            "-XX:+UseCompactObjectHeaders",
            "-Djdk.virtualThreadScheduler.parallelism=1");

    /**
     * How long. Numbers below 1 mean: what the benchmark thinks best.
     *
     * @param seconds measured in all, spread over the rounds
     * @param warmUp seconds before anything is measured
     * @param minutes of the benchmarks that are long
     */
    public record Span(int seconds, int rounds, int warmUp, int minutes) {}

    /**
     * What the server is given to do, and by whom.
     *
     * @param bound most jobs submitted and not finished
     * @param batch jobs of one message of the bulk stream
     * @param window messages under way
     * @param clientJvm options of the JVM that submits; with none, the usual
     * @param workerJvm the same of the one that works
     */
    public record Load(int slots, int bound, int batch, int window, List<String> clientJvm, List<String> workerJvm) {
        public Load {
            clientJvm = clientJvm.isEmpty() ? LOAD_JVM : clientJvm;
            workerJvm = workerJvm.isEmpty() ? LOAD_JVM : workerJvm;
        }
    }

    public int seconds(int otherwise) {
        return span.seconds > 0 ? span.seconds : otherwise;
    }

    public int rounds(int otherwise) {
        return span.rounds > 0 ? span.rounds : otherwise;
    }

    public int warmUp(int otherwise) {
        return span.warmUp > 0 ? span.warmUp : otherwise;
    }

    /** Seconds given as such, or minutes. */
    public int secondsOrMinutes(int minutesOtherwise) {
        return seconds(60 * minutes(minutesOtherwise));
    }

    /** Minutes given, or those. */
    public int minutes(int otherwise) {
        return span.minutes > 0 ? span.minutes : otherwise;
    }

    /** The same for a server with one more option for its JVM. */
    Options withServerJvm(String option) {
        List<String> more = new ArrayList<>(programs.serverJvm());
        more.add(option);
        return new Options(new Programs(programs.root(), List.copyOf(more)), span, load, settings, deep, curve);
    }

    /** The same for a server with this setting, where it was not given. */
    Options withSettingOtherwise(String name, String value) {
        Map<String, String> more = new HashMap<>(settings);
        more.putIfAbsent(name, value);
        return new Options(programs, span, load, Map.copyOf(more), deep, curve);
    }

    /** The same with seconds and rounds where none were given. */
    Options otherwise(int secondsOtherwise, int roundsOtherwise) {
        Span given = new Span(seconds(secondsOtherwise), rounds(roundsOtherwise), span.warmUp, span.minutes);
        return new Options(programs, given, load, settings, deep, curve);
    }

    Figures describe() {
        return new Figures()
                .put("slots", load.slots)
                .put("bound", load.bound)
                .put("batch", load.batch)
                .put("window", load.window)
                .put("payload_bytes", Payloads.BYTES)
                .put("server_jvm", String.join(" ", programs.serverJvm()))
                .put("client_jvm", String.join(" ", load.clientJvm))
                .put("worker_jvm", String.join(" ", load.workerJvm))
                .put("server_settings", new Figures().putAll(settings));
    }
}
