package dev.fairlane.journal.postgres.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One running postmaster: our child, or an orphan of an earlier JVM. */
final class Postmaster {

    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration LINGER = Duration.ofSeconds(2);
    private static final Duration IMMEDIATE = Duration.ofSeconds(10);

    private final long pid;
    private final @Nullable Process child;
    private final FolderProcesses processes;

    private Postmaster(long pid, @Nullable Process child, FolderProcesses processes) {
        this.pid = pid;
        this.child = child;
        this.processes = processes;
    }

    /**
     * Starts one in a session of its own: a Ctrl-C at the terminal must reach the server alone, which then stops
     * PostgreSQL when it has finished with it. Every program of the chain replaces itself, so the child is the postmaster.
     */
    static Postmaster launch(PostgresBinaries binaries, RunAs runAs, Path data, Path log) throws IOException {
        List<String> command = runAs.command(List.of(binaries.postgres().toString(), "-D", data.toString()));
        Process child = Commands.builder(inOwnSession(command))
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new Postmaster(child.pid(), child, new FolderProcesses(data));
    }

    static Postmaster running(long pid, Path data) {
        return new Postmaster(pid, null, new FolderProcesses(data));
    }

    long pid() {
        return pid;
    }

    boolean alive() {
        return child == null ? processes.owns(pid) : child.isAlive();
    }

    void awaitExit() throws InterruptedException {
        if (child != null) {
            child.waitFor();
        }
        while (alive()) {
            Thread.sleep(POLL);
        }
    }

    /**
     * Stops it: fast (checkpoint, clean), then immediate, then by force.
     *
     * @return whether it was clean
     */
    boolean stop(PostgresBinaries binaries, RunAs runAs, Duration fast) throws IOException, InterruptedException {
        if (alive() && signalled("INT", binaries, runAs) && ended(fast)) {
            // Its log writer ends last; whoever deletes or restarts the folder next must not meet it.
            processes.awaitNone(LINGER);
            return true;
        }
        if (alive() && signalled("QUIT", binaries, runAs)) {
            ended(IMMEDIATE);
        }
        kill();
        return false;
    }

    /** Kills it and whatever it leaves behind. */
    void kill() throws IOException, InterruptedException {
        if (child != null) {
            child.destroyForcibly().waitFor();
        }
        processes.killAll(IMMEDIATE);
    }

    /** Java can send TERM and KILL only, and TERM waits for clients. */
    private boolean signalled(String signal, PostgresBinaries binaries, RunAs runAs) throws InterruptedException {
        return Commands.run(
                        runAs.command(List.of(binaries.pgCtl().toString(), "kill", signal, Long.toString(pid))),
                        IMMEDIATE)
                .ok();
    }

    private boolean ended(Duration limit) throws InterruptedException {
        if (child != null) {
            return child.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        }
        long deadline = System.nanoTime() + limit.toNanos();
        while (alive()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            Thread.sleep(POLL);
        }
        return true;
    }

    /** Nearly every Linux has the program; without it only Ctrl-C is less graceful. */
    private static List<String> inOwnSession(List<String> command) {
        boolean possible = Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "setsid")));
        List<String> all = new ArrayList<>(possible ? List.of("setsid") : List.of());
        all.addAll(command);
        return all;
    }
}
