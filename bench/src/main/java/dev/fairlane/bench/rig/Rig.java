package dev.fairlane.bench.rig;

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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One Fairlane with its workers and clients, in a folder of its own. See the package for what is promised. Used by one thread; only
 * {@link #close} may come from another.
 */
public final class Rig implements AutoCloseable {
    /** Long enough for ten million jobs to be read again: how long it took is judged by who measures it. */
    private static final Duration START_PATIENCE = Duration.ofMinutes(10);

    private static final Duration STOP_PATIENCE = Duration.ofSeconds(60);
    private static final Duration KILL_PATIENCE = Duration.ofSeconds(10);

    private final Programs programs;
    private final Path folder;
    private final Map<String, String> settings;
    private final int port;
    private final Deque<Child> children = new ArrayDeque<>();
    private final Thread hook = new Thread(this::takeDown, "rig-shutdown");
    private @Nullable RunningServer server;
    private boolean succeeded;
    private boolean down;

    private Rig(Programs programs, Path folder, Map<String, String> settings) {
        this.programs = programs;
        this.folder = folder;
        this.settings = settings;
        this.port = freePort();
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * Makes the folder; starts nothing.
     *
     * @param settings of the server, by their names in its configuration ({@code flush.interval})
     */
    public static Rig prepare(Programs programs, Map<String, String> settings) {
        try {
            // Not the system's temporary folder: that may be memory, where a commit costs nothing.
            Path parent = Files.createDirectories(programs.root().resolve("bench/target/rig"));
            Path folder = Files.createTempDirectory(parent, "run-");
            Files.createDirectories(folder.resolve("home"));
            return new Rig(programs, folder, settings);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a folder for the rig", e);
        }
    }

    /** Home of the server: its key and its data. */
    public Path home() {
        return folder.resolve("home");
    }

    public Path folder() {
        return folder;
    }

    /** Starts the server, or starts it again after it was stopped or killed, and waits until it is ready. */
    public RunningServer startServer() {
        if (server != null && server.child().alive()) {
            throw new IllegalStateException("the server of this rig is running");
        }
        Map<String, String> environment = new HashMap<>(programs.environment());
        environment.put("FAIRLANE_HOME", home().toString());
        environment.put("FAIRLANE_LISTEN_PORT", Integer.toString(port));
        settings.forEach((name, value) -> environment.put(variable(name), value));
        Child child = adopt(Child.start("server", programs.server("up"), environment, folder));
        RunningServer started = new RunningServer(child, "http://127.0.0.1:" + port, home());
        server = started;
        started.awaitReady(START_PATIENCE);
        return started;
    }

    static String variable(String setting) {
        return "FAIRLANE_" + setting.replace('.', '_').toUpperCase(Locale.ROOT);
    }

    /** Starts a program of the class path this JVM has. */
    public Child start(String name, List<String> jvm, Class<?> main, List<String> arguments) {
        return adopt(Child.start(name, programs.java(jvm, main.getName(), arguments), Map.of(), folder));
    }

    private synchronized Child adopt(Child child) {
        children.push(child);
        return child;
    }

    /** Of everything that runs now. */
    public Use use() {
        Map<String, List<Long>> parts = new LinkedHashMap<>();
        List<Long> postgres = postgresPids();
        children.descendingIterator().forEachRemaining(child -> {
            if (child.alive()) {
                parts.computeIfAbsent(child.name(), name -> new ArrayList<>()).add(child.pid());
            }
        });
        parts.put("postgres", postgres);
        return Use.of(parts);
    }

    /** The postmaster of the embedded PostgreSQL and everything it started. */
    public List<Long> postgresPids() {
        return Proc.workingIn(home());
    }

    /** SIGKILL for all of the embedded PostgreSQL; returns when it is gone. The server has to be down, or it would start it again. */
    public void killPostgres() {
        List<ProcessHandle> processes = postgresPids().stream()
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .toList();
        processes.forEach(ProcessHandle::destroyForcibly);
        try {
            for (ProcessHandle process : processes) {
                process.onExit().get(KILL_PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (ExecutionException | TimeoutException e) {
            throw new RigException("PostgreSQL does not go in " + KILL_PATIENCE, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RigException("interrupted while killing PostgreSQL", e);
        }
    }

    /** Everything went well: the folder goes with the rig. */
    public void succeeded() {
        succeeded = true;
    }

    @Override
    public void close() {
        takeDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            return;
        }
        if (succeeded) {
            delete(folder);
        } else {
            System.err.println("The logs of this run are in " + folder);
        }
    }

    private synchronized void takeDown() {
        if (down) {
            return;
        }
        down = true;
        while (!children.isEmpty()) {
            children.pop().stop(STOP_PATIENCE);
        }
        // Only a server that was killed leaves these behind.
        for (long pid : postgresPids()) {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no free port on the loopback address", e);
        }
    }

    /** A folder of a run that is over, with everything in it. */
    public static void delete(Path folder) {
        try {
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
        } catch (IOException e) {
            System.err.println("Could not remove " + folder + ": " + e);
        }
    }
}
