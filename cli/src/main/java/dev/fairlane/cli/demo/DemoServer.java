package dev.fairlane.cli.demo;

import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.FairlaneException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server process with a home nobody else uses, both gone when this is closed.
 *
 * <p>Between this process and the server stands a shell that reads from a pipe only we hold: when we end, however we end, the pipe
 * does, and the shell stops the server. It also keeps the terminal's Ctrl-C away from the server, which is stopped after us.
 */
final class DemoServer implements AutoCloseable {
    private static final int FIRST_PORT = 8080;
    private static final int PORTS = 100;
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration START_PATIENCE = Duration.ofMinutes(2);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);
    private static final int LOG_LINES_SHOWN = 12;

    private static final String HOLD = """
            trap '' INT
            exec 3<&0
            "$@" 3<&- </dev/null &
            server=$!
            { read -r _ <&3; kill "$server"; } 2>/dev/null &
            watch=$!
            exec 3<&-
            wait "$server"
            status=$?
            kill "$watch" 2>/dev/null
            exit "$status"
            """;

    private final Path home;
    private final int port;
    private final Process process;

    private DemoServer(Path home, int port, Process process) {
        this.home = home;
        this.port = port;
        this.process = process;
    }

    /** The server did not start; the message says why, as far as its log does. */
    static final class DidNotStart extends RuntimeException {
        private static final long serialVersionUID = 1L;

        DidNotStart(String message) {
            super(message);
        }
    }

    /** @param launcher the {@code fairlane} script */
    static DemoServer launch(Path launcher) {
        try {
            Path home = Files.createTempDirectory("fairlane-demo-");
            int port = freePort();
            List<String> command =
                    new ArrayList<>(List.of("/bin/sh", "-c", HOLD, "fairlane-demo", launcher.toString(), "up"));
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(home.resolve("server.log").toFile());
            environment(builder.environment(), home, port);
            return new DemoServer(home, port, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start the demo's server", e);
        }
    }

    /** What is set for another server, its address or its database, must not leak into this one. */
    private static void environment(Map<String, String> environment, Path home, int port) {
        environment.keySet().removeIf(name -> name.startsWith("FAIRLANE_") && !name.startsWith("FAIRLANE_JAVA_"));
        environment.put("FAIRLANE_NO_BUILD", "1");
        environment.put("FAIRLANE_JAVA_HOME", System.getProperty("java.home"));
        environment.put("FAIRLANE_HOME", home.toString());
        environment.put("FAIRLANE_LISTEN_PORT", Integer.toString(port));
    }

    private static int freePort() {
        for (int port = FIRST_PORT; port < FIRST_PORT + PORTS; port++) {
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                continue;
            }
        }
        throw new DidNotStart("no free port from " + FIRST_PORT + " to " + (FIRST_PORT + PORTS - 1));
    }

    Path home() {
        return home;
    }

    String url() {
        return "http://localhost:" + port;
    }

    /**
     * Waits until the server answers.
     *
     * @return the admin key; null when {@code stop} came first
     */
    @Nullable String awaitReady(CountDownLatch stop) throws InterruptedException {
        long end = System.nanoTime() + START_PATIENCE.toNanos();
        while (!stop.await(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
            if (!process.isAlive()) {
                throw new DidNotStart("the server ended while it was starting\n" + lastWords());
            }
            if (System.nanoTime() - end > 0) {
                throw new DidNotStart(
                        "the server was not ready after " + START_PATIENCE.toSeconds() + " s\n" + lastWords());
            }
            String key = key();
            if (key != null && serving(key)) {
                return key;
            }
        }
        return null;
    }

    private @Nullable String key() {
        try {
            Path file = home.resolve("admin.key");
            return Files.exists(file) ? Files.readString(file).strip() : null;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the demo server's key", e);
        }
    }

    private boolean serving(String key) {
        try (Fairlane fairlane = Fairlane.builder()
                .address(url())
                .key(key)
                .deadline(Duration.ofSeconds(2))
                .connect()) {
            return fairlane.status().state().equals("serving");
        } catch (FairlaneException notYet) {
            return false;
        }
    }

    String lastWords() {
        try {
            List<String> lines = Files.readAllLines(home.resolve("server.log"));
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size()));
        } catch (IOException e) {
            return "(its log cannot be read: " + e.getMessage() + ")";
        }
    }

    @Override
    public void close() {
        try {
            process.outputWriter().close();
            if (!process.waitFor(STOP_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            delete(home);
        } catch (IOException e) {
            System.err.println("Could not remove " + home + ": " + e.getMessage());
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static void delete(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException failure) throws IOException {
                Files.deleteIfExists(dir);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
