package dev.fairlane.bench.run;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All benchmarks by name. */
public final class Benchmarks {
    private static final Map<String, Benchmark> ALL = new LinkedHashMap<>();

    static {
        ALL.put("floor", Floor::alone);
        ALL.put("throughput", (options, arguments) -> new Throughput().run(options, arguments));
        ALL.put("keyed", new Keyed());
        ALL.put("drain", new Drain());
        ALL.put("latency", new Latency());
        ALL.put("single", new Single());
        ALL.put("backlog", new Backlog());
        ALL.put("held-snapshot", new HeldSnapshot());
        ALL.put("soak", new Soak());
        ALL.put("peers", new Peers());
        ALL.put("control", new Control());
        ALL.put("engine", new EngineSpeed());
        ALL.put("storm", new Storm());
        ALL.put("schedules", new Schedules());
        ALL.put("fairness", new Fairness());
        ALL.put("crowd", new Crowd());
        ALL.put("due", new Due());
        ALL.put("compare", new Compare());
        ALL.put("guard", new Guard());
    }

    private Benchmarks() {}

    public static @Nullable Benchmark named(String name) {
        return ALL.get(name);
    }

    /** What {@code all} runs: everything that needs nothing to be said with it, the long ones last. */
    public static List<String> ofAll() {
        return List.of(
                "throughput",
                "keyed",
                "drain",
                "latency",
                "single",
                "crowd",
                "control",
                "storm",
                "schedules",
                "due",
                "engine",
                "backlog",
                "fairness",
                "held-snapshot",
                "soak",
                "peers");
    }

    public static Collection<String> names() {
        return ALL.keySet();
    }
}
