package dev.fairlane.bench;

import dev.fairlane.bench.page.ResultsPage;
import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Surroundings;
import dev.fairlane.bench.rig.Programs;
import dev.fairlane.bench.run.Benchmark;
import dev.fairlane.bench.run.Benchmarks;
import dev.fairlane.bench.run.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./fairlane bench NAME}. */
@Command(
        name = "fairlane bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Measures Fairlane on this machine. docs/performance.md says what each benchmark means.")
public final class Main implements Callable<Integer> {
    /** Neither good nor bad: nothing was measured, or there was nothing to hold it against. */
    private static final int UNJUDGED = 2;

    @Parameters(
            index = "0",
            paramLabel = "NAME",
            description =
                    "floor, throughput, keyed, drain, latency, single, backlog, held-snapshot, soak, peers, control, storm, schedules, crowd, due,"
                            + " fairness, engine, compare, all, guard or page")
    private String name = "";

    @Parameters(
            index = "1..*",
            paramLabel = "ARGUMENT",
            description = "compare: REV [NAME]; crowd: number of tenants; due: same-second or month, number of jobs;"
                    + " engine: numbers of tenants, 1000/5000000 for jobs waiting;"
                    + " fairness: virtual or server; floor: cuts; peers: names of peers; backlog: number of jobs;"
                    + " schedules: how many of one minute, exact")
    private List<String> arguments = List.of();

    @Option(names = "--json", description = "the last line is one JSON object")
    private boolean json;

    @Option(
            names = "--save",
            description =
                    "wait until the machine is quiet, keep the result in bench/results and make docs/benchmarks.md anew")
    private boolean save;

    @Option(
            names = "--force-save",
            description = "keep the result although more runs on this machine than it has processors")
    private boolean forceSave;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description =
                    "seconds measured in all; goes before --minutes, so 'all --seconds' shortens held-snapshot and soak too")
    private int seconds;

    @Option(names = "--rounds", paramLabel = "N", description = "rounds the seconds are spread over")
    private int rounds;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description =
                    "held-snapshot: minutes of each side (5); soak: minutes in all (10); peers: begin no round that would end later (28)")
    private int minutes;

    @Option(names = "--deep", description = "backlog: up to 10 million jobs, in 4 GB of heap")
    private boolean deep;

    @Option(names = "--curve", description = "latency: at rising rates until it breaks")
    private boolean curve;

    @Option(names = "--warm-up", paramLabel = "N", description = "seconds before anything is measured")
    private int warmUp;

    @Option(
            names = "--slots",
            paramLabel = "N",
            defaultValue = "4000",
            description = "slots of the worker (${DEFAULT-VALUE})")
    private int slots;

    @Option(
            names = "--bound",
            paramLabel = "N",
            defaultValue = "20000",
            description = "most jobs open at once (${DEFAULT-VALUE})")
    private int bound;

    @Option(
            names = "--batch",
            paramLabel = "N",
            defaultValue = "100",
            description = "jobs of one message (${DEFAULT-VALUE})")
    private int batch;

    @Option(
            names = "--window",
            paramLabel = "N",
            defaultValue = "64",
            description = "messages under way (${DEFAULT-VALUE})")
    private int window;

    @Option(
            names = "--server-jvm",
            paramLabel = "OPTION",
            description = "one more option for the server's JVM; may be repeated")
    private List<String> serverJvm = List.of();

    @Option(
            names = "--client-jvm",
            paramLabel = "OPTION",
            description = "options of the client's JVM instead of the usual")
    private List<String> clientJvm = List.of();

    @Option(
            names = "--worker-jvm",
            paramLabel = "OPTION",
            description = "options of the worker's JVM instead of the usual")
    private List<String> workerJvm = List.of();

    @Option(names = "--set", paramLabel = "NAME=VALUE", description = "a setting of the server; may be repeated")
    private Map<String, String> settings = Map.of();

    public static void main(String[] args) {
        System.setProperty("logback.configurationFile", "dev/fairlane/bench/logback.xml");
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        Programs programs = Programs.here(serverJvm);
        return switch (name) {
            case "page" -> page(programs);
            case "all" -> all(programs);
            default -> one(programs);
        };
    }

    private int one(Programs programs) throws Exception {
        Benchmark benchmark = Benchmarks.named(name);
        if (benchmark == null) {
            System.err.println("expected all, page or one of " + String.join(", ", Benchmarks.names()) + ", but got '"
                    + name + "'");
            return 2;
        }
        boolean keep = mayKeep();
        if (!keep && (save || forceSave)) {
            System.err.println(
                    "expected a load average of at most the number of processors, but the machine is busy: nothing was"
                            + " measured; --force-save keeps a result all the same");
            return UNJUDGED;
        }
        Figures result = measure(programs, name, benchmark, keep);
        print(result);
        if (result.unjudged() && !keep) {
            System.err.println(name + " was not judged: there was nothing to compare with");
            return UNJUDGED;
        }
        return result.failed() ? 1 : 0;
    }

    /** Whether a result is to be kept, and now is the time to make one. */
    private boolean mayKeep() throws InterruptedException {
        return forceSave || save && Surroundings.awaitQuiet();
    }

    /** One after the other; one that fails does not keep the others from running. */
    private int all(Programs programs) {
        Figures together = Surroundings.describe("all", programs.root());
        int failed = 0;
        for (String each : Benchmarks.ofAll()) {
            System.err.println("bench: " + each);
            try {
                boolean keep = mayKeep();
                if (save && !keep) {
                    System.err.println("bench: the machine is busy, " + each + " will not be kept");
                }
                Figures result = measure(programs, each, Objects.requireNonNull(Benchmarks.named(each)), keep);
                failed += result.failed() ? 1 : 0;
                together.put(each, result);
            } catch (Exception e) {
                failed++;
                System.err.println("bench: " + each + " failed: " + e);
                together.put(each, new Figures().put("verdict", Figures.FAILED).put("why", e.toString()));
            }
        }
        print(together.put("failed", failed));
        return failed == 0 ? 0 : 1;
    }

    private int page(Programs programs) throws IOException {
        int files = ResultsPage.write(programs.root());
        print(new Figures().put("name", "page").put("files", files));
        return 0;
    }

    private Figures measure(Programs programs, String each, Benchmark benchmark, boolean keep) throws Exception {
        Figures result = Surroundings.describe(each, programs.root());
        result.putAll(benchmark.run(
                new Options(
                        programs,
                        new Options.Span(seconds, rounds, warmUp, minutes),
                        new Options.Load(slots, bound, batch, window, clientJvm, workerJvm),
                        settings,
                        deep,
                        curve || name.equals("all")),
                arguments));
        if (keep && !result.failed()) {
            System.err.println("saved " + save(programs.root(), each + kind(), result));
            ResultsPage.write(programs.root());
        }
        return result;
    }

    /** Kinds of one benchmark at one commit are kept beside each other: {@code due month}, {@code backlog --deep}. */
    private String kind() {
        String said = arguments.isEmpty() || !arguments.getFirst().matches("[a-z-]+") ? "" : "-" + arguments.getFirst();
        return deep ? said + "-deep" : said;
    }

    private void print(Figures result) {
        System.out.println(json ? result.json() : result.table());
    }

    private static Path save(Path root, String name, Figures result) throws IOException {
        String file = LocalDate.now(ZoneOffset.UTC) + "-" + Surroundings.commit(root) + "-" + name + ".json";
        Path folder = Files.createDirectories(root.resolve("bench/results"));
        return Files.writeString(folder.resolve(file), result.json() + "\n");
    }
}
