package dev.fairlane.e2e.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@code ./fairlane}, called as people call it, in a folder and an environment of its own. */
final class Launcher {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path folder;
    private final Map<String, String> environment;

    /** @param folder where commands run and their output is kept */
    Launcher(Path folder, Map<String, String> environment) {
        this.folder = folder;
        this.environment = environment;
    }

    record Result(int exitCode, String out, String err, Duration took) {
        Result succeeded() {
            assertThat(exitCode).as("%s%n%s", out, err).isZero();
            return this;
        }

        String line() {
            return out.strip();
        }
    }

    /** The script at the root of the working tree. */
    static Path script() {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.isExecutable(root.resolve("fairlane"))) {
            root = root.getParent();
            assertThat(root)
                    .as("a folder with the launcher above " + Path.of("").toAbsolutePath())
                    .isNotNull();
        }
        assertThat(root.resolve("dist/target/fairlane/fairlane-cli.classpath"))
                .as("the distribution, which 'mvn verify' and './fairlane test' make before these tests run")
                .exists();
        return root.resolve("fairlane");
    }

    Launcher with(String variable, String value) {
        Map<String, String> changed = new HashMap<>(environment);
        changed.put(variable, value);
        return new Launcher(folder, changed);
    }

    Launcher without(String variable) {
        Map<String, String> changed = new HashMap<>(environment);
        changed.remove(variable);
        return new Launcher(folder, changed);
    }

    /** Runs a command to its end. */
    Result run(String... arguments) {
        List<String> command = new ArrayList<>(List.of(script().toString()));
        command.addAll(List.of(arguments));
        return execute(command, PATIENCE);
    }

    Result execute(List<String> command, Duration patience) {
        try {
            Path out = Files.createTempFile(folder, "out", ".txt");
            Path err = Files.createTempFile(folder, "err", ".txt");
            long begin = System.nanoTime();
            Process process = builder(command)
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            boolean ended = process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            if (!ended) {
                process.destroyForcibly();
            }
            assertThat(ended)
                    .as(
                            "%s ended within %s; it said:%n%s%s",
                            command, patience, Files.readString(out), Files.readString(err))
                    .isTrue();
            return new Result(process.exitValue(), Files.readString(out), Files.readString(err), took);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Starts a command that goes on; its output goes to a file of that name. */
    Process start(String log, String... arguments) {
        List<String> command = new ArrayList<>(List.of(script().toString()));
        command.addAll(List.of(arguments));
        return start(log, command);
    }

    Process start(String log, List<String> command) {
        try {
            return builder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve(log).toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ProcessBuilder builder(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("FAIRLANE_"));
        builder.environment().put("FAIRLANE_NO_BUILD", "1");
        builder.environment().put("FAIRLANE_JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
        return builder;
    }

    /** SIGTERM, and the wait for it to be heard. */
    static void stop(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
