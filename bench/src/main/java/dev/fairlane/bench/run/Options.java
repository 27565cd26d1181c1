package dev.fairlane.bench.run;

import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.rig.Programs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How to run. Numbers below 1 mean: what the benchmark thinks best.
 *
 * @param seconds measured in all, spread over the rounds
 * @param warmUp seconds before anything is measured
 * @param bound most jobs submitted and not finished
 * @param batch jobs of one message of the bulk stream
 * @param window messages under way
 * @param settings of the server, by name
 * @param minutes of the benchmarks that are long
 * @param deep backlog: far more jobs
 * @param curve latency: at all rates up to where it breaks
 */
public record Options(
        Programs programs,
        int seconds,
        int rounds,
        int warmUp,
        int slots,
        int bound,
        int batch,
        int window,
        List<String> clientJvm,
        List<String> workerJvm,
        Map<String, String> settings,
        int minutes,
        boolean deep,
        boolean curve) {
    /** Small and plain: what is measured is the server, and two processes more share its two cores. */
    private static final List<String> LOAD_JVM =
            List.of("-XX:+UseSerialGC", "-Xms256m", "-Xmx512m", "-Xmn160m", "-XX:+UseCompactObjectHeaders");

    public int seconds(int otherwise) {
        return seconds > 0 ? seconds : otherwise;
    }

    public int rounds(int otherwise) {
        return rounds > 0 ? rounds : otherwise;
    }

    public int warmUp(int otherwise) {
        return warmUp > 0 ? warmUp : otherwise;
    }

    /** Seconds given as such, or minutes. */
    public int secondsOrMinutes(int minutesOtherwise) {
        return seconds(60 * (minutes > 0 ? minutes : minutesOtherwise));
    }

    /** The same for a server with one more option for its JVM. */
    Options withServerJvm(String option) {
        List<String> more = new ArrayList<>(programs.serverJvm());
        more.add(option);
        return with(new Programs(programs.root(), List.copyOf(more)), seconds, rounds);
    }

    /** The same for a server with this setting, where it was not given. */
    Options withSettingOtherwise(String name, String value) {
        Map<String, String> more = new HashMap<>(settings);
        more.putIfAbsent(name, value);
        return new Options(
                programs,
                seconds,
                rounds,
                warmUp,
                slots,
                bound,
                batch,
                window,
                clientJvm,
                workerJvm,
                Map.copyOf(more),
                minutes,
                deep,
                curve);
    }

    /** The same with seconds and rounds where none were given. */
    Options otherwise(int secondsOtherwise, int roundsOtherwise) {
        return with(programs, seconds(secondsOtherwise), rounds(roundsOtherwise));
    }

    private Options with(Programs otherPrograms, int otherSeconds, int otherRounds) {
        return new Options(
                otherPrograms,
                otherSeconds,
                otherRounds,
                warmUp,
                slots,
                bound,
                batch,
                window,
                clientJvm,
                workerJvm,
                settings,
                minutes,
                deep,
                curve);
    }

    public List<String> clientJvm() {
        return clientJvm.isEmpty() ? LOAD_JVM : clientJvm;
    }

    public List<String> workerJvm() {
        return workerJvm.isEmpty() ? LOAD_JVM : workerJvm;
    }

    Figures describe() {
        return new Figures()
                .put("slots", slots)
                .put("bound", bound)
                .put("batch", batch)
                .put("window", window)
                .put("payload_bytes", dev.fairlane.bench.load.Payloads.BYTES)
                .put("server_jvm", String.join(" ", programs.serverJvm()))
                .put("client_jvm", String.join(" ", clientJvm()))
                .put("worker_jvm", String.join(" ", workerJvm()))
                .put("server_settings", new Figures().putAll(settings));
    }
}
