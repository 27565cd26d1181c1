package dev.fairlane.e2e;

import dev.fairlane.bench.rig.RigException;
import dev.fairlane.e2e.chaos.Chaos;
import dev.fairlane.e2e.chaos.ChaosPlan;
import dev.fairlane.e2e.chaos.ChaosReport;
import dev.fairlane.e2e.chaos.FaultKind;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** {@code ./fairlane chaos}: kills a working Fairlane again and again and says what it cost. */
@Command(
        name = "chaos",
        mixinStandardHelpOptions = true,
        description =
                "Kills server, workers and PostgreSQL of a working Fairlane again and again, and checks from outside that"
                        + " no acked job was lost (invariants I1 to I5, I7 and I9).")
public final class Main implements Callable<Integer> {
    private static final int VIOLATIONS_SHOWN = 20;

    @Option(
            names = "--minutes",
            defaultValue = "1",
            description = "How long to strike; at least ten kills (default 1).")
    private double minutes;

    @Option(names = "--seed", description = "Decides what is submitted and struck (default: a new one).")
    private @Nullable Long seed;

    @Option(names = "--rate", defaultValue = "400", description = "Jobs submitted a second (default 400).")
    private int rate;

    @Option(names = "--faults", split = ",", description = "Which faults (default all): ${COMPLETION-CANDIDATES}.")
    private Set<FaultKind> faults = EnumSet.allOf(FaultKind.class);

    @Option(names = "--json", description = "Print one JSON object as the last line.")
    private boolean json;

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args));
    }

    @Override
    public Integer call() {
        long chosen = seed != null ? seed : ThreadLocalRandom.current().nextLong(1_000_000);
        ChaosPlan plan = new ChaosPlan(chosen, 10, Duration.ofMillis((long) (minutes * 60_000)), rate, faults);
        System.err.println("seed " + chosen);
        try {
            ChaosReport report = new Chaos(plan, System.err::println).run();
            report.findings().violations().stream().limit(VIOLATIONS_SHOWN).forEach(System.err::println);
            if (json) {
                System.out.println(new JsonMapper().writeValueAsString(report.fields()));
            } else {
                report.fields().forEach((name, value) -> System.out.printf("%-16s %s%n", name, value));
            }
            return report.good() ? 0 : 1;
        } catch (RigException e) {
            System.err.println(e.getMessage());
            return 1;
        }
    }
}
