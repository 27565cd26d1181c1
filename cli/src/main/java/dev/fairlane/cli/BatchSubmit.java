package dev.fairlane.cli;

import dev.fairlane.cli.ServerOptions.Format;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Submits a file of jobs, a part at a time: a part is at most 1,000 lines or 1 MiB, small enough that its whole answer waits in the
 * sockets while it is still being sent. Ids go to stdout when asked for by {@code -o}; refusals, with their line, to stderr.
 */
final class BatchSubmit {
    private static final int LINES_MAX = 1_000;
    private static final int BYTES_MAX = 1 << 20;
    private static final int REFUSALS_SHOWN = 20;

    private final Api api;
    private final ServerOptions server;
    private final ByteArrayOutputStream part = new ByteArrayOutputStream();
    private long line;
    private int lines;
    private final long[] lineNumbers = new long[LINES_MAX];
    private long accepted;
    private long refused;

    BatchSubmit(Api api, ServerOptions server) {
        this.api = api;
        this.server = server;
    }

    int run(String file) throws IOException {
        long began = System.nanoTime();
        try (InputStream in = new BufferedInputStream(open(file), 1 << 16);
                Progress progress = progress(file)) {
            ByteArrayOutputStream current = new ByteArrayOutputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                if (next != '\n') {
                    current.write(next);
                } else {
                    take(current, progress);
                }
            }
            take(current, progress);
            send(progress);
        }
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        server.session()
                .err()
                .printf(
                        "%,d submitted, %,d refused in %.1f s (%,.0f jobs/s)%n",
                        accepted, refused, took.toMillis() / 1e3, accepted * 1e9 / Math.max(1, took.toNanos()));
        return refused == 0 ? ExitCode.OK : ExitCode.FAILED;
    }

    private void take(ByteArrayOutputStream current, Progress progress) {
        line++;
        if (!current.toString(StandardCharsets.UTF_8).isBlank()) {
            if (part.size() + current.size() > BYTES_MAX) {
                send(progress);
            }
            part.writeBytes(current.toByteArray());
            part.write('\n');
            lineNumbers[lines++] = line;
            if (lines == LINES_MAX) {
                send(progress);
            }
        }
        current.reset();
    }

    private void send(Progress progress) {
        if (lines == 0) {
            return;
        }
        byte[] answer = api.call("POST", "/v1/jobs:stream", part.toByteArray(), Api.NDJSON, Duration.ofSeconds(60));
        List<String> items = new String(answer, StandardCharsets.UTF_8).lines().toList();
        if (items.size() != lines) {
            throw new Failed(
                    ExitCode.FAILED,
                    "",
                    "lines " + lineNumbers[0] + " to " + lineNumbers[lines - 1] + ": expected " + lines
                            + " answers, but got " + items.size() + "; some of them may have been submitted");
        }
        for (int i = 0; i < lines; i++) {
            answered(lineNumbers[i], items.get(i));
        }
        server.session().out().flush();
        progress.stepBy(part.size());
        part.reset();
        lines = 0;
    }

    private void answered(long number, String json) {
        Map<String, @Nullable Object> item = Json.object(Json.parse(json.getBytes(StandardCharsets.UTF_8)));
        Map<String, @Nullable Object> problem = Json.object(item.get("problem"));
        Format format = server.printer().format();
        if (format == Format.json) {
            server.session().out().println(json);
        }
        if (problem.isEmpty()) {
            accepted++;
            if (format == Format.name) {
                server.session().out().println(Json.text(item, "id"));
            }
        } else if (++refused <= REFUSALS_SHOWN) {
            String field = Json.text(problem, "field");
            server.session()
                    .err()
                    .println("line " + number + ": " + (field.isEmpty() ? "" : field + ": ")
                            + Json.text(problem, "detail") + " (" + Json.text(problem, "code") + ")");
        } else if (refused == REFUSALS_SHOWN + 1) {
            server.session().err().println("further refusals are counted only");
        }
    }

    private InputStream open(String file) throws IOException {
        if (file.equals("-")) {
            return server.session().in();
        }
        try {
            return Files.newInputStream(Path.of(file));
        } catch (NoSuchFileException e) {
            throw Failed.usage("there is no file " + file);
        }
    }

    private Progress progress(String file) throws IOException {
        return server.session().errTerminal()
                ? new Bar(file.equals("-") ? -1 : Files.size(Path.of(file)), server.session())
                : new Progress();
    }

    /** For nobody who watches. */
    private static class Progress implements AutoCloseable {
        void stepBy(long bytes) {}

        @Override
        public void close() {}
    }

    /** Apart, so that its library is loaded only when somebody watches. */
    private static final class Bar extends Progress {
        private final ProgressBar bar;

        Bar(long bytes, Session session) {
            bar = new ProgressBarBuilder()
                    .setTaskName("submit")
                    .setInitialMax(bytes)
                    .setUnit(" KiB", 1024)
                    .setStyle(ProgressBarStyle.ASCII)
                    .setConsumer(new ConsoleProgressBarConsumer(session.err()))
                    .showSpeed()
                    .build();
        }

        @Override
        void stepBy(long bytes) {
            bar.stepBy(bytes);
        }

        @Override
        public void close() {
            bar.close();
        }
    }
}
