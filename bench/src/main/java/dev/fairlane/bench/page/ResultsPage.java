package dev.fairlane.bench.page;

import dev.fairlane.bench.page.Results.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** {@code docs/benchmarks.md} and its plots. What has not been measured yet is said to be missing. */
public final class ResultsPage {
    private static final String PAGE = "docs/benchmarks.md";
    private static final String PLOTS = "docs/plots/";

    private final Results results;
    private final Map<String, String> files = new LinkedHashMap<>();
    private final StringBuilder text = new StringBuilder();

    private ResultsPage(Results results) {
        this.results = results;
    }

    /** Every file of the page by its path in the working tree. */
    public static Map<String, String> render(Results results) {
        return new ResultsPage(results).render();
    }

    /** @return how many files were written */
    public static int write(Path root) throws IOException {
        Map<String, String> files = render(Results.of(root));
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = root.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
        return files.size();
    }

    private Map<String, String> render() {
        text.append("""
                # Results

                Made by `./fairlane bench page` from the files in [bench/results](../bench/results), which also have machine, versions and settings; a
                test fails when this page is out of date. `./fairlane bench NAME --save` keeps a result and makes the page anew. What the figures mean and
                what was learned from them is in [performance.md](performance.md).

                Every figure is of one machine that runs everything; machines differ, ratios less so.
                """);
        throughput();
        latency();
        wal();
        depth();
        heldSnapshot();
        soak();
        peers();
        files.put(PAGE, text.toString());
        return files;
    }

    private void throughput() {
        section(
                "Throughput",
                "submitted and finished jobs a second, and what plain JDBC writes of the same bytes and rows");
        List<Result> all = results.of("throughput", "jobs_per_s");
        if (missing(all, "throughput")) {
            return;
        }
        Bars bars = new Bars("jobs/s", List.of("Fairlane", "floor"));
        all.forEach(one -> bars.row(label(one), List.of(one.number("jobs_per_s"), one.number("floor_jobs_per_s"))));
        plot("throughput", "Throughput by commit", bars.svg());
        Bars kinds = new Bars("jobs/s", List.of("last result"));
        kind(kinds, "bulk, submit to finish", "throughput", "jobs_per_s");
        kind(kinds, "the same with keys", "keyed", "jobs_per_s");
        kind(kinds, "drain of 200,000", "drain", "jobs_per_s");
        kind(kinds, "1,000 tenants", "crowd", "jobs_per_s");
        kind(kinds, "the same, a connection each", "crowd", "apart_jobs_per_s");
        kind(kinds, "one job a call, 8 clients", "single", "jobs_per_s");
        kind(kinds, "the same, 8 threads of one client", "single", "shared_jobs_per_s");
        plot("kinds", "Jobs a second by kind of load", kinds.svg());
        source(all.getLast());
    }

    private void kind(Bars bars, String label, String name, String path) {
        results.last(name, path).ifPresent(one -> bars.row(label, List.of(one.number(path))));
    }

    private void latency() {
        section("Latency", "from when a job was due to be submitted until its handler ran, one call a job");
        Optional<Result> curve = results.last("latency", "saturation_jobs_per_s");
        Optional<Result> rates = results.last("latency", "rates.500.pickup_p99_ms");
        if (curve.isEmpty() && rates.isEmpty()) {
            missing(List.of(), "latency --curve");
            return;
        }
        Result one = curve.or(() -> rates).orElseThrow();
        JsonNode points = one.find(curve.isPresent() ? "curve" : "rates");
        Lines lines = new Lines("jobs offered a second", "ms", true);
        for (String figure : List.of("pickup_p50_ms", "pickup_p99_ms", "submit_p99_ms")) {
            List<double[]> line = new ArrayList<>();
            points.propertyNames().stream()
                    .filter(rate -> points.get(rate).has(figure))
                    .forEach(rate -> line.add(new double[] {
                        Double.parseDouble(rate), points.get(rate).path(figure).asDouble(0)
                    }));
            lines.line(figure.replace("_ms", "").replace('_', ' '), line);
        }
        plot("latency", "Latency by rate", lines.svg());
        if (curve.isPresent()) {
            say("It holds up to %,.0f calls a second.", one.number("saturation_jobs_per_s"));
        }
        source(one);
    }

    private void wal() {
        section("Write-ahead log", "bytes PostgreSQL writes for a job, from submit to history");
        List<Result> all = results.of("throughput", "wal_bytes_per_job");
        if (missing(all, "throughput")) {
            return;
        }
        Bars bars = new Bars("bytes", List.of("WAL per job"));
        all.forEach(one -> bars.row(label(one), List.of(one.number("wal_bytes_per_job"))));
        plot("wal", "Bytes of WAL per job by commit", bars.svg());
        source(all.getLast());
    }

    private void depth() {
        section("Depth", "throughput while so many jobs of 1,000 tenants wait");
        Optional<Result> found = results.last("backlog", "flatness");
        if (missing(found.stream().toList(), "backlog")) {
            return;
        }
        Result one = found.orElseThrow();
        Bars bars = new Bars("jobs/s", List.of("throughput"));
        JsonNode byDepth = one.find("jobs_per_s");
        byDepth.propertyNames().stream()
                .filter(depth -> byDepth.get(depth).isNumber())
                .forEach(depth -> bars.row(
                        Svg.number(Double.parseDouble(depth)) + " waiting",
                        List.of(byDepth.get(depth).asDouble(0))));
        plot("depth", "Throughput by jobs waiting", bars.svg());
        say(
                "Worst by best %.2f; a waiting job takes %,.0f bytes of heap; %.1f s from kill −9 to the first job.",
                one.number("flatness"), one.number("bytes_per_job"), one.number("recovery_s"));
        source(one);
    }

    private void heldSnapshot() {
        section("Held snapshot", "throughput while another session keeps a transaction open, and without, in turns");
        Optional<Result> found = results.last("held-snapshot", "ratio_to_clean");
        if (missing(found.stream().toList(), "held-snapshot")) {
            return;
        }
        Result one = found.orElseThrow();
        double seconds = one.number("slice_s");
        Lines lines = new Lines("seconds", "jobs/s", false)
                .line("held", timed(one.numbers("held_jobs_per_s_by_slice"), seconds))
                .line("clean", timed(one.numbers("clean_jobs_per_s_by_slice"), seconds));
        plot("held-snapshot", "Throughput with and without a held snapshot", lines.svg());
        say(
                "In the last minute %.2f of the clean rate, %,.0f dead tuples.",
                one.number("ratio_to_clean"), one.number("dead_tuples"));
        source(one);
    }

    private void soak() {
        section("Soak", "a long time at 70 % of the peak");
        Optional<Result> found = results.last("soak", "rss_drift_mb_per_h");
        if (missing(found.stream().toList(), "soak --minutes 60")) {
            return;
        }
        Result one = found.orElseThrow();
        double seconds = one.number("sample_s");
        Lines lines = new Lines("seconds", "MB", false)
                .line("resident memory of the server", timed(one.numbers("rss_mb_by_sample"), seconds));
        plot("soak", "Memory of the server over time", lines.svg());
        say(
                "%.0f minutes at %,.0f jobs/s: memory %+.1f MB an hour, p99 %+.1f %%, %,.0f bytes of WAL a job, %,.0f bytes of tables an open job.",
                one.number("minutes"),
                one.number("jobs_per_s"),
                one.number("rss_drift_mb_per_h"),
                100 * one.number("p99_drift"),
                one.number("wal_bytes_per_job"),
                one.number("table_bytes_per_open_job"));
        source(one);
    }

    private void peers() {
        section(
                "Peers",
                "other job libraries on the same machine in the same run, on a PostgreSQL with the same settings");
        // Only of a whole field: a ratio to whoever happened to be there flatters.
        Optional<Result> found = results.last("peers", "ratio_to_best_peer");
        if (missing(found.stream().toList(), "peers")) {
            return;
        }
        Result one = found.orElseThrow();
        List<String> names = new ArrayList<>(List.of("fairlane"));
        names.addAll(one.find("peers").propertyNames());
        Bars bars = new Bars("jobs/s", List.of("submit to finish", "drain", "one job a call"));
        text.append(
                "| | jobs/s | drain | one a call | pickup p99 | what it keeps and promises |\n| --- | --- | --- | --- | --- | --- |\n");
        for (String name : names) {
            String path = name.equals("fairlane") ? name : "peers." + name;
            bars.row(
                    name,
                    List.of(
                            one.number(path + ".jobs_per_s"),
                            one.number(path + ".drain_jobs_per_s"),
                            one.number(path + ".single_jobs_per_s")));
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %,.0f | %,.0f | %,.0f | %.1f ms | %s |%n",
                    name + " " + one.find("described." + name + ".version").asString(""),
                    one.number(path + ".jobs_per_s"),
                    one.number(path + ".drain_jobs_per_s"),
                    one.number(path + ".single_jobs_per_s"),
                    one.number(path + ".pickup_p99_ms"),
                    one.find("described." + name + ".keeps").asString("")));
        }
        text.append('\n');
        plot("peers", "Fairlane and its peers", bars.svg());
        say(
                "Against the best of them: %.1f × from submit to finish, %.1f × in a drain (%.1f × until the tables have it), %.1f × one job a call;"
                        + " %.1f × the best in Java. Pickup p99 %.2f × the shortest of theirs.",
                one.number("ratio_to_best_peer"),
                one.number("drain_ratio_to_best_peer"),
                one.number("drain_settled_ratio_to_best_peer"),
                one.number("single_ratio_to_best_peer"),
                one.number("ratio_to_best_java_peer"),
                one.number("pickup_p99_ratio_to_best_peer"));
        source(one);
    }

    private void section(String title, String what) {
        text.append("\n## ").append(title).append("\n\n");
        text.append(Character.toUpperCase(what.charAt(0)))
                .append(what, 1, what.length())
                .append(".\n\n");
    }

    private boolean missing(List<Result> found, String command) {
        if (found.isEmpty()) {
            text.append("Not kept yet: `./fairlane bench ").append(command).append(" --save`.\n");
        }
        return found.isEmpty();
    }

    private void plot(String name, String alternative, String svg) {
        files.put(PLOTS + name + ".svg", svg);
        text.append("![").append(alternative).append("](plots/").append(name).append(".svg)\n\n");
    }

    private void say(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private void source(Result one) {
        text.append("Source: [")
                .append(one.file())
                .append("](../bench/results/")
                .append(one.file())
                .append(")\n");
    }

    private static String label(Result one) {
        return one.at().substring(0, Math.min(10, one.at().length())) + " " + one.commit();
    }

    private static List<double[]> timed(List<Double> values, double seconds) {
        List<double[]> points = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            points.add(new double[] {(i + 1) * seconds, values.get(i)});
        }
        return points;
    }
}
