package dev.fairlane.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Named figures, some of them in groups, in the order they were put. */
public final class Figures {
    private static final JsonMapper JSON = new JsonMapper();

    /** Of a figure {@code verdict}: the benchmark has come out badly. */
    public static final String FAILED = "failed";

    /** Of a figure {@code verdict}: there was nothing to judge by. */
    public static final String UNJUDGED = "nothing to compare with";

    private final Map<String, Object> values = new LinkedHashMap<>();

    public Figures put(String name, double value) {
        values.put(name, Statistics.rounded(value));
        return this;
    }

    public Figures put(String name, long value) {
        values.put(name, value);
        return this;
    }

    public Figures put(String name, String value) {
        values.put(name, value);
        return this;
    }

    public Figures put(String name, Figures group) {
        values.put(name, group.values);
        return this;
    }

    /** The median under its name, and all rounds under the name with {@code _rounds}. */
    public Figures putMedian(String name, List<Double> rounds) {
        put(name, Statistics.median(rounds));
        values.put(name + "_rounds", rounds.stream().map(Statistics::rounded).toList());
        return this;
    }

    /** Values in their order, without a median: what a plot needs. */
    public Figures putRounds(String name, List<Double> rounds) {
        values.put(name, rounds.stream().map(Statistics::rounded).toList());
        return this;
    }

    public Figures putAll(Map<String, String> texts) {
        values.putAll(texts);
        return this;
    }

    public Figures putAll(Figures others) {
        values.putAll(others.values);
        return this;
    }

    /** Whether what was measured is not good enough. */
    public boolean failed() {
        return FAILED.equals(values.get("verdict"));
    }

    /** Whether it could not be judged at all. */
    public boolean unjudged() {
        return UNJUDGED.equals(values.get("verdict"));
    }

    /** On one line. */
    public String json() {
        return JSON.writeValueAsString(values);
    }

    /** One figure a line, groups indented; lists, which hold the single rounds, are left out. */
    public String table() {
        StringBuilder text = new StringBuilder();
        table(values, "", text);
        return text.toString();
    }

    private static void table(Map<?, ?> values, String indent, StringBuilder text) {
        values.forEach((name, value) -> {
            if (value instanceof Map<?, ?> group) {
                text.append(indent).append(name).append('\n');
                table(group, indent + "  ", text);
            } else if (!(value instanceof List)) {
                text.append(String.format("%-40s %s%n", indent + name, value));
            }
        });
    }

    /** All numbers of a result by their path ({@code rates.500.submit_p99_ms}), those of lists and settings left out. */
    public static Map<String, Double> numbers(String json) {
        Map<String, Double> found = new TreeMap<>();
        JsonNode root = JSON.readTree(json);
        root.propertyNames().stream()
                .filter(name -> !name.equals("settings") && !name.equals("machine"))
                .forEach(name -> numbers(root.get(name), name, found));
        return found;
    }

    private static void numbers(JsonNode node, String path, Map<String, Double> found) {
        if (node.isNumber()) {
            found.put(path, node.doubleValue());
        }
        node.propertyNames().forEach(name -> numbers(node.get(name), path + "." + name, found));
    }
}
