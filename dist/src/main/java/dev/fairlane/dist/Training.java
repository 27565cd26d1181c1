package dev.fairlane.dist;

import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.Payload;
import dev.fairlane.sdk.SubmitStream;
import dev.fairlane.sdk.Worker;
import dev.fairlane.server.config.Keys;
import dev.fairlane.server.config.ServerConfig;
import dev.fairlane.server.config.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Runs a server with jobs for the JVM to watch: what it loads, links and learns here is kept in the AOT cache the launcher makes when it
 * builds, and a server starts with it. It starts twice, the second time with jobs to read back. Not a command.
 */
public final class Training {
    private static final int STREAMED = 60_000;
    private static final int LEFT = 20_000;
    private static final int SINGLE = 2_000;
    private static final int BATCH = 100;
    private static final int SLOTS = 1_000;
    private static final long PAUSE_NANOS = 10_000_000;
    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final byte[] BODY =
            "{\"to\":\"somebody\",\"subject\":\"training\"}".getBytes(StandardCharsets.UTF_8);

    private Training() {}

    public static void main(String[] arguments) throws IOException {
        Path home = Files.createTempDirectory("fairlane-training");
        try {
            ServerConfig config = ServerConfig.of(Settings.load(
                    null, Map.of(), Map.of(Keys.HOME.name(), home.toString(), Keys.LISTEN_PORT.name(), "0")));
            LogSetup.apply(config.log());
            serve(config, Training::work);
            serve(config, _ -> {});
        } finally {
            remove(home);
        }
    }

    private interface Load {
        void on(Fairlane fairlane);
    }

    private static void serve(ServerConfig config, Load load) throws IOException {
        try (Installation installation = Installation.start(config, false);
                Fairlane fairlane = Fairlane.connect(
                        "http://127.0.0.1:" + installation.port(),
                        Files.readString(installation.keyFile()).trim())) {
            load.on(fairlane);
        }
    }

    private static void work(Fairlane fairlane) {
        stream(fairlane, "left", LEFT);
        try (Worker worker = Worker.of(fairlane)
                .slots(SLOTS)
                .handle("trained", byte[].class, (_, _) -> null)
                .start()) {
            stream(fairlane, "trained", STREAMED);
            for (int i = 0; i < SINGLE; i++) {
                fairlane.submit(job("trained"));
            }
            long end = System.nanoTime() + PATIENCE_NANOS;
            while (worker.acked() < STREAMED + SINGLE && System.nanoTime() - end < 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            if (worker.acked() < STREAMED + SINGLE) {
                throw new IllegalStateException(
                        "expected " + (STREAMED + SINGLE) + " jobs to be run, but got " + worker.acked());
            }
        }
    }

    private static void stream(Fairlane fairlane, String type, int count) {
        try (SubmitStream stream = fairlane.submitter().batchSize(BATCH).open()) {
            for (int sent = 0; sent < count; sent += BATCH) {
                List<Job> jobs = new ArrayList<>(BATCH);
                for (int i = 0; i < BATCH; i++) {
                    jobs.add(job(type));
                }
                stream.submit(jobs);
            }
        }
    }

    private static Job job(String type) {
        return Job.raw(type, BODY, Payload.JSON);
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
