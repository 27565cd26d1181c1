package dev.fairlane.bench.run;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All benchmarks by name. */
public final class Benchmarks {
    private static final Map<String, Benchmark> ALL = new LinkedHashMap<>();

    static {
        ALL.put("floor", Floor::alone);
        ALL.put("throughput", (options, arguments) -> new Throughput().run(options, arguments));
        ALL.put("drain", new Drain());
        ALL.put("latency", new Latency());
        ALL.put("single", new Single());
        ALL.put("backlog", new Backlog());
        ALL.put("control", new Control());
        ALL.put("engine", new EngineSpeed());
        ALL.put("storm", new Storm());
        ALL.put("fairness", new Fairness());
        ALL.put("crowd", new Crowd());
        ALL.put("compare", new Compare());
    }

    private Benchmarks() {}

    public static @Nullable Benchmark named(String name) {
        return ALL.get(name);
    }

    public static Collection<String> names() {
        return ALL.keySet();
    }
}
