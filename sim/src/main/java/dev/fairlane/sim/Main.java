package dev.fairlane.sim;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import tools.jackson.databind.json.JsonMapper;

/** {@code ./fairlane sim}: runs seeds and says what broke. */
@Command(
        name = "sim",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs the real core and runtime in simulated worlds full of faults, one per seed, and checks every promise.",
            "Without --plant it also plants each known bug and must find it."
        },
        footer = {
            "",
            "Exit code: 0 all is well; 1 a promise was broken, with a planted bug too; 2 wrong arguments;",
            "3 a seed came to something else the second time, or a planted bug was not found."
        })
public final class Main implements Callable<Integer> {
    private static final int FOUND_WITHIN = 400;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "100",
            description = "how many worlds (${DEFAULT-VALUE})")
    private long seeds;

    @Option(names = "--from", paramLabel = "S", defaultValue = "1", description = "the first seed (${DEFAULT-VALUE})")
    private long from;

    @Option(
            names = "--plant",
            paramLabel = "NAME",
            description = "run with this bug planted until it is found; 'list' names them")
    private @Nullable String plant;

    @Option(names = "--trace", description = "print everything that happens")
    private boolean trace;

    @Option(names = "--json", description = "print one JSON object as the last line")
    private boolean json;

    private long startedNanos;

    private Main() {}

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public Integer call() {
        startedNanos = System.nanoTime();
        if ("list".equals(plant)) {
            for (Plant one : Plant.values()) {
                System.out.println(one.label() + ": " + one.description());
            }
            return 0;
        }
        Campaign campaign = new Campaign(System.out::println, trace ? System.out::println : null);
        return plant == null ? runAll(campaign) : runPlanted(campaign, named(plant));
    }

    private static Plant named(String label) {
        return Plant.named(label)
                .orElseThrow(() -> new ParameterException(
                        new CommandLine(new Main()), "no planted bug is called '" + label + "'; see --plant list"));
    }

    private int runAll(Campaign campaign) {
        campaign.run(from, seeds);
        double seconds = seconds();
        int planted = 0;
        int found = 0;
        if (!trace) {
            for (Plant one : Plant.values()) {
                planted++;
                found += campaign.find(one, 1, FOUND_WITHIN) == null ? 0 : 1;
            }
        }
        int violations = campaign.violations().size();
        report(campaign, new Counts(seeds, violations, planted, found), seconds);
        if (violations > 0) {
            return 1;
        }
        return campaign.nondeterministic().isEmpty() && found == planted ? 0 : 3;
    }

    private int runPlanted(Campaign campaign, Plant one) {
        Verdict verdict = campaign.find(one, from, seeds);
        if (verdict == null) {
            report(campaign, new Counts(campaign.seeds(), 0, 1, 0), seconds());
            return 3;
        }
        if (!trace) {
            verdict.last().forEach(System.out::println);
        }
        report(campaign, new Counts(campaign.seeds(), 1, 1, 1), seconds());
        return 1;
    }

    private double seconds() {
        return (System.nanoTime() - startedNanos) / 1e9;
    }

    private record Counts(long seeds, int violations, int planted, int plantedFound) {}

    private void report(Campaign campaign, Counts counts, double seconds) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("seeds", counts.seeds());
        fields.put("violations", counts.violations());
        fields.put("nondeterministic", campaign.nondeterministic().size());
        fields.put("planted", counts.planted());
        fields.put("planted_found", counts.plantedFound());
        fields.put("seeds_per_s", Math.round(counts.seeds() / seconds * 10) / 10.0);
        fields.put("virtual_hours", Math.round(campaign.virtualHours() * 100) / 100.0);
        fields.put("events", campaign.events());
        fields.put(
                "violating_seeds",
                campaign.violations().stream().map(Verdict::seed).toList());
        if (json) {
            System.out.println(JsonMapper.builder().build().writeValueAsString(fields));
        } else {
            fields.forEach((name, value) -> System.out.println(name + ": " + value));
        }
    }
}
