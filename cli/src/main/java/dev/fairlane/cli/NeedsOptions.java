package dev.fairlane.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a job, or those of a type, need beyond a slot, and whom they share with, as options. */
final class NeedsOptions {
    private static final Pattern MEMORY = Pattern.compile("(\\d{1,9})(MiB|GiB|TiB)?");
    private static final Pattern CORES = Pattern.compile("(\\d{1,6})(?:\\.(\\d{1,3}))?");

    @Option(
            names = "--fair-key",
            paramLabel = "KEY",
            description = "Part of the tenant it is charged to, e.g. a user: parts share evenly")
    private @Nullable String fairKey;

    @Option(
            names = "--concurrency-key",
            paramLabel = "KEY",
            description = "Jobs with the same key run at most so many at once as the tenant's limits say")
    private @Nullable String concurrencyKey;

    @Option(
            names = "--rate-key",
            paramLabel = "KEY",
            description = "Jobs with the same key start at most so often as the tenant's limits say")
    private @Nullable String rateKey;

    @Option(names = "--rate-cost", paramLabel = "N", description = "How many starts one counts as. Default: 1")
    private @Nullable Integer rateCost;

    @Option(
            names = "--demand",
            paramLabel = "cpu=N,memory=SIZE,gpus=N",
            description = "What it takes of a worker, e.g. cpu=0.5,memory=4GiB. Default: one slot's")
    private @Nullable String demand;

    @Option(names = "--requires", paramLabel = "TAG", description = "Tag its worker must have. Repeatable")
    private List<String> requires = List.of();

    /** Adds what was given. */
    void addTo(Map<String, @Nullable Object> body) {
        put(body, "fair_key", fairKey);
        put(body, "concurrency_key", concurrencyKey);
        put(body, "rate_key", rateKey);
        put(body, "rate_cost", rateCost);
        put(body, "demand", demand == null ? null : demand(demand));
        put(body, "requires", requires.isEmpty() ? null : requires);
    }

    private static void put(Map<String, @Nullable Object> body, String name, @Nullable Object value) {
        if (value != null) {
            body.put(name, value);
        }
    }

    private static Map<String, Object> demand(String given) {
        Map<String, Object> demand = new LinkedHashMap<>();
        for (String part : given.split(",", -1)) {
            String[] named = part.split("=", 2);
            boolean first = named.length == 2
                    && switch (named[0]) {
                        case "cpu" -> demand.put("cpu_millis", cores(named[1], given)) == null;
                        case "memory" -> demand.put("memory_mib", mebibytes(named[1], given)) == null;
                        case "gpus" -> demand.put("gpus", whole(named[1], given)) == null;
                        default -> false;
                    };
            if (!first) {
                throw wrong(given);
            }
        }
        return demand;
    }

    /** Thousandths. */
    private static long cores(String text, String given) {
        Matcher matcher = CORES.matcher(text);
        if (!matcher.matches()) {
            throw wrong(given);
        }
        String rest = matcher.group(2) == null ? "" : matcher.group(2);
        return Long.parseLong(matcher.group(1)) * 1_000 + Long.parseLong((rest + "000").substring(0, 3));
    }

    private static long mebibytes(String text, String given) {
        Matcher matcher = MEMORY.matcher(text);
        if (!matcher.matches()) {
            throw wrong(given);
        }
        long count = Long.parseLong(matcher.group(1));
        String unit = matcher.group(2) == null ? "MiB" : matcher.group(2);
        return unit.equals("MiB") ? count : unit.equals("GiB") ? count << 10 : count << 20;
    }

    private static long whole(String text, String given) {
        if (!text.matches("\\d{1,9}")) {
            throw wrong(given);
        }
        return Long.parseLong(text);
    }

    private static Failed wrong(String given) {
        return Failed.usage(
                "expected --demand cpu=N,memory=SIZE,gpus=N like cpu=0.5,memory=4GiB, but got '" + given + "'");
    }
}
