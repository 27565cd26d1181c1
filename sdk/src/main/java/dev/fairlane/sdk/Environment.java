package dev.fairlane.sdk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Where the server is and which key to use, as programs on a machine find it: {@code FAIRLANE_URL} and {@code FAIRLANE_KEY}, else
 * {@code http://localhost:8080} and the key a server on this machine wrote at its first start, {@code admin.key} in
 * {@code FAIRLANE_HOME} (default {@code ~/.fairlane}).
 */
public final class Environment {
    public static final String DEFAULT_URL = "http://localhost:8080";

    private final Map<String, String> variables;
    private final Path userHome;

    /** For tests; see {@link #ofProcess}. */
    public Environment(Map<String, String> variables, Path userHome) {
        this.variables = variables;
        this.userHome = userHome;
    }

    public static Environment ofProcess() {
        return new Environment(System.getenv(), Path.of(System.getProperty("user.home", ".")));
    }

    public String url() {
        return variable("FAIRLANE_URL").orElse(DEFAULT_URL);
    }

    /** The key; empty when there is none. */
    public Optional<String> key() {
        return variable("FAIRLANE_KEY").or(() -> readKey(adminKeyFile()));
    }

    /** Where a server on this machine keeps its first key. */
    public Path adminKeyFile() {
        return variable("FAIRLANE_HOME")
                .map(Path::of)
                .orElse(userHome.resolve(".fairlane"))
                .resolve("admin.key");
    }

    /**
     * The key in a file; empty when there is no such file.
     *
     * @throws UncheckedIOException if it is there and cannot be read
     */
    public static Optional<String> readKey(Path file) {
        try {
            return Optional.of(Files.readString(file).strip()).filter(key -> !key.isEmpty());
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("the key in " + file + " cannot be read", e);
        }
    }

    private Optional<String> variable(String name) {
        return Optional.ofNullable(variables.get(name)).map(String::strip).filter(value -> !value.isEmpty());
    }
}
