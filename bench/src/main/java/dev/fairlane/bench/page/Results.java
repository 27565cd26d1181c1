package dev.fairlane.bench.page;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code --save} has kept, oldest first. */
public final class Results {
    private static final JsonMapper JSON = new JsonMapper();

    private final List<Result> all;

    /** One run of one benchmark. */
    public record Result(String file, JsonNode json) {
        public String name() {
            return json.path("name").asString("");
        }

        public String commit() {
            return json.path("commit").asString("");
        }

        String at() {
            return json.path("at").asString("");
        }

        boolean has(String path) {
            return find(path).isNumber();
        }

        /** By its path, {@code rates.500.pickup_p99_ms}. */
        public double number(String path) {
            return find(path).asDouble(0);
        }

        JsonNode find(String path) {
            JsonNode node = json;
            for (String part : path.split("\\.")) {
                node = node.path(part);
            }
            return node;
        }

        List<Double> numbers(String path) {
            List<Double> values = new ArrayList<>();
            find(path).forEach(value -> values.add(value.asDouble(0)));
            return values;
        }
    }

    private Results(List<Result> all) {
        this.all = all;
    }

    /** All in the folder {@code bench/results} of a working tree. */
    public static Results of(Path root) {
        Path folder = root.resolve("bench/results");
        if (!Files.isDirectory(folder)) {
            return new Results(List.of());
        }
        try (Stream<Path> files = Files.list(folder)) {
            return new Results(files.filter(file -> file.toString().endsWith(".json"))
                    .map(Results::read)
                    .sorted(Comparator.comparing(Result::at).thenComparing(Result::file))
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + folder, e);
        }
    }

    private static Result read(Path file) {
        try {
            return new Result(file.getFileName().toString(), JSON.readTree(Files.readString(file)));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /** @param path of a number they must have: older results lack newer figures */
    List<Result> of(String name, String path) {
        return all.stream()
                .filter(result -> result.name().equals(name) && result.has(path))
                .toList();
    }

    /** The newest of a benchmark that has the number. */
    public Optional<Result> last(String name, String path) {
        List<Result> found = of(name, path);
        return found.isEmpty() ? Optional.empty() : Optional.of(found.getLast());
    }
}
