package dev.fairlane.bench.rig;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A process the rig started. Those that speak take one line as a question and give one line of JSON as the answer; everything else
 * they print is in the log.
 */
public final class Child implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int LOG_LINES_SHOWN = 15;
    private static final String ENDED = "";

    private final String name;
    private final Path log;
    private final Process process;
    private final Guardian guardian;
    private final LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Thread reader;

    private Child(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
        this.guardian = Guardian.over(process);
        this.reader = Thread.ofPlatform().daemon().name("rig-" + name).start(this::read);
    }

    /** The process works in {@code folder} and logs there. */
    static Child start(String name, List<String> command, Map<String, String> environment, Path folder) {
        Path log = folder.resolve(name + ".log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .directory(folder.toFile());
        builder.environment().putAll(environment);
        try {
            return new Child(name, log, builder.start());
        } catch (IOException e) {
            throw new RigException("cannot start " + name + ": " + e.getMessage(), e);
        }
    }

    /** For programs that are no part of a rig; whoever starts one stops it. */
    public static Child launch(String name, List<String> command, Path folder) {
        return start(name, command, Map.of(), folder);
    }

    public String name() {
        return name;
    }

    public long pid() {
        return process.pid();
    }

    public boolean alive() {
        return process.isAlive();
    }

    /** @throws RigException if there is no answer in time, or the answer has a field {@code error} */
    public JsonNode ask(String question, Duration patience) {
        tell(question);
        return answer(question, patience);
    }

    /** Asks without waiting; {@link #answer} has to follow. */
    public void tell(String question) {
        try {
            Writer pipe = process.outputWriter();
            pipe.write(question + "\n");
            pipe.flush();
        } catch (IOException e) {
            throw new RigException(name + " does not listen any more; " + lastWords(), e);
        }
    }

    public JsonNode answer(String question, Duration patience) {
        try {
            String line = answers.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
            if (line == null) {
                throw new RigException(name + " did not answer '" + question + "' in " + patience + "; " + lastWords());
            }
            if (line.equals(ENDED)) {
                throw new RigException(name + " ended instead of answering '" + question + "'; " + lastWords());
            }
            JsonNode node = JSON.readTree(line);
            if (node.has("error")) {
                throw new RigException(name + " answered '" + question + "' with: "
                        + node.get("error").asString() + "; " + lastWords());
            }
            return node;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RigException("interrupted while asking " + name, e);
        }
    }

    /** SIGTERM, and SIGKILL when that is not heard in time. Does nothing to a process that has ended. */
    public void stop(Duration patience) {
        process.destroy();
        if (!awaitEnd(patience)) {
            kill();
        }
        guardian.close();
    }

    /** SIGKILL, as a crash does it; returns when the process is gone. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd(Duration.ofSeconds(10));
        guardian.close();
    }

    /** Waits for the process to end by itself. */
    public boolean awaitEnd(Duration patience) {
        try {
            return process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** @throws TimeoutException if it has not ended yet */
    public int exitCode() throws TimeoutException {
        if (process.isAlive()) {
            throw new TimeoutException(name + " has not ended");
        }
        return process.exitValue();
    }

    /** The end of the log, for messages. */
    public String lastWords() {
        try {
            reader.join(200);
            List<String> lines = Files.readAllLines(log);
            List<String> last = lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size());
            return "its log (" + log + ") ends with:\n  " + String.join("\n  ", last);
        } catch (IOException e) {
            return "its log " + log + " cannot be read: " + e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "its log is " + log;
        }
    }

    @Override
    public void close() {
        stop(Duration.ofSeconds(30));
    }

    private void read() {
        try (BufferedReader lines = process.inputReader();
                Writer out = Files.newBufferedWriter(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("{\"answer\"")) {
                    answers.add(line);
                } else {
                    out.write(line + "\n");
                    out.flush();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read what " + name + " prints", e);
        } finally {
            answers.add(ENDED);
        }
    }
}
