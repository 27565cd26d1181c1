package dev.fairlane.journal.postgres.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Short-lived programs: run, bounded in time, with what they said. */
final class Commands {

    /** What a program ended with; both of its streams in one text. */
    record Outcome(int exit, String output) {

        boolean ok() {
            return exit == 0;
        }
    }

    private Commands() {}

    /** A program that cannot be started at all counts as exit 127, as in a shell. */
    static Outcome run(List<String> command, Duration limit) throws InterruptedException {
        return run(command, "", limit);
    }

    static Outcome run(List<String> command, String input, Duration limit) throws InterruptedException {
        Process process;
        try {
            process = builder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            return new Outcome(127, e.toString());
        }
        try {
            CompletableFuture<String> output = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> output.complete(exchange(process, input)));
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return new Outcome(124, command + " did not end within " + limit);
            }
            return new Outcome(process.exitValue(), output.join());
        } finally {
            process.destroyForcibly();
        }
    }

    private static String exchange(Process process, String input) {
        try (var in = process.getInputStream()) {
            try (var out = process.getOutputStream()) {
                out.write(input.getBytes(StandardCharsets.UTF_8));
            } catch (IOException closedWithoutReading) {
                // A program may end without reading its input; its exit code tells the rest.
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /**
     * A builder whose environment cannot change what PostgreSQL does: no {@code PG*} variables, no foreign libraries, one
     * locale and time zone everywhere.
     */
    static ProcessBuilder builder(List<String> command) {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(Path.of("/").toFile());
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("PG") || name.startsWith("LC_"));
        environment.remove("LD_LIBRARY_PATH");
        environment.remove("LANG");
        environment.put("LC_ALL", "C");
        environment.put("TZ", "UTC");
        return builder;
    }
}
