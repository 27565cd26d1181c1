package dev.fairlane.e2e.chaos;

import dev.fairlane.bench.rig.Child;
import dev.fairlane.bench.rig.Rig;
import dev.fairlane.bench.rig.RigException;
import dev.fairlane.bench.rig.RunningServer;
import dev.fairlane.e2e.history.Event;
import dev.fairlane.e2e.history.EventLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Strikes and heals. Everything here happens on the thread of the run, except waking up a worker that was paused. The server is
 * started again after its death, as a supervisor would; PostgreSQL has to come back by itself.
 */
final class Faults implements AutoCloseable {
    private static final String SERVER = "server";
    private static final String POSTGRES = "postgres";
    private static final Duration HEAL_PATIENCE = Duration.ofMinutes(2);
    private static final Duration WORK_BETWEEN_MIN = Duration.ofMillis(300);
    private static final Duration WORK_BETWEEN_MORE = Duration.ofMillis(1_200);
    private static final int STARTS_MAX = 5;

    /** In proportion; drawn without putting back until the bag is empty. */
    private static final List<FaultKind> BAG = List.of(
            FaultKind.KILL_SERVER,
            FaultKind.KILL_SERVER,
            FaultKind.KILL_WORKER,
            FaultKind.KILL_WORKER,
            FaultKind.KILL_POSTMASTER,
            FaultKind.KILL_POSTMASTER,
            FaultKind.KILL_BACKEND,
            FaultKind.KILL_BACKEND,
            FaultKind.KILL_BACKEND,
            FaultKind.KILL_EVERYTHING,
            FaultKind.PAUSE_WORKER);

    private final Rig rig;
    private final Crew crew;
    private final EventLog log;
    private final Random random;
    private final List<FaultKind> kinds;
    private final Duration pause;
    private final Map<FaultKind, Integer> struck = new EnumMap<>(FaultKind.class);
    private final List<FaultKind> bag = new ArrayList<>();
    private final List<String> down = new ArrayList<>();
    private final Map<String, CompletableFuture<Void>> paused = new LinkedHashMap<>();
    private RunningServer server;

    /** @param pause longer than any lease */
    Faults(Rig rig, RunningServer server, Crew crew, EventLog log, ChaosPlan plan, Duration pause) {
        this.rig = rig;
        this.server = server;
        this.crew = crew;
        this.log = log;
        this.random = new Random(plan.seed());
        this.kinds = BAG.stream().filter(plan.faults()::contains).toList();
        this.pause = pause;
    }

    Map<FaultKind, Integer> struck() {
        return Collections.unmodifiableMap(struck);
    }

    int kills() {
        return struck.entrySet().stream()
                .filter(entry -> entry.getKey().kills())
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    /** One fault, at times two in a row, at a random moment; returns when everything is well again. */
    void round(BooleanSupplier well) {
        LockSupport.parkNanos(WORK_BETWEEN_MIN.toNanos());
        waitUpTo(WORK_BETWEEN_MORE);
        strike(draw());
        if (random.nextInt(4) == 0) {
            waitUpTo(Duration.ofMillis(200));
            strike(draw());
        }
        heal(well);
    }

    /** Kills the server and starts it again. */
    void restartServer(BooleanSupplier well) {
        strike(FaultKind.KILL_SERVER);
        heal(well);
    }

    /** Waits for paused workers to wake up. */
    void awaitPauses() {
        paused.values().forEach(CompletableFuture::join);
        paused.clear();
    }

    private FaultKind draw() {
        if (bag.isEmpty()) {
            bag.addAll(kinds);
            Collections.shuffle(bag, random);
        }
        return bag.removeLast();
    }

    private void strike(FaultKind kind) {
        boolean hit = switch (kind) {
            case KILL_SERVER -> killServer(kind);
            case KILL_WORKER -> killWorker(kind);
            case KILL_POSTMASTER -> kill(kind, PostgresProcesses.postmaster(rig));
            case KILL_BACKEND -> kill(kind, PostgresProcesses.anyBackend(rig, random));
            case KILL_EVERYTHING -> killServer(kind) | kill(kind, PostgresProcesses.postmaster(rig)) | killWorker(kind);
            case PAUSE_WORKER -> pauseWorker(kind);
        };
        // Two in a row may find the second one's target dead already; only what was hit is counted.
        if (hit) {
            struck.merge(kind, 1, Integer::sum);
        }
    }

    private boolean killServer(FaultKind kind) {
        if (!server.child().alive()) {
            return false;
        }
        note(kind, SERVER);
        server.child().kill();
        return true;
    }

    private boolean kill(FaultKind kind, Optional<ProcessHandle> process) {
        return process.map(victim -> {
                    note(kind, POSTGRES);
                    return victim.destroyForcibly();
                })
                .orElse(false);
    }

    private boolean killWorker(FaultKind kind) {
        return crew.any(random)
                .map(worker -> {
                    log.record(new Event.Struck(EventLog.now(), kind.id(), worker.name()));
                    worker.kill();
                    return true;
                })
                .orElse(false);
    }

    private boolean pauseWorker(FaultKind kind) {
        Optional<Child> found = crew.any(random).filter(worker -> !paused.containsKey(worker.name()));
        found.ifPresent(worker -> {
            log.record(new Event.Struck(EventLog.now(), kind.id(), worker.name()));
            signal("-STOP", worker);
            paused.put(
                    worker.name(),
                    CompletableFuture.runAsync(
                            () -> wake(worker), r -> Thread.ofVirtual().start(r)));
        });
        return found.isPresent();
    }

    private void wake(Child worker) {
        LockSupport.parkNanos(pause.toNanos());
        log.record(new Event.Healed(EventLog.now(), worker.name()));
        if (worker.alive()) {
            signal("-CONT", worker);
        }
    }

    private void note(FaultKind kind, String target) {
        log.record(new Event.Struck(EventLog.now(), kind.id(), target));
        down.add(target);
    }

    private void heal(BooleanSupplier well) {
        startServer();
        crew.fill();
        long end = System.nanoTime() + HEAL_PATIENCE.toNanos();
        while (!well.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new RigException("the server did not come back to itself in " + HEAL_PATIENCE + "; "
                        + server.child().lastWords());
            }
            if (!server.child().alive()) {
                startServer();
            }
        }
        down.forEach(target -> log.record(new Event.Healed(EventLog.now(), target)));
        down.clear();
    }

    /** A server may give up while PostgreSQL is being killed under its start; its supervisor does not. */
    private void startServer() {
        for (int starts = 1; !server.child().alive(); starts++) {
            try {
                server = rig.startServer();
            } catch (RigException e) {
                if (starts == STARTS_MAX) {
                    throw e;
                }
            }
        }
    }

    private void waitUpTo(Duration longest) {
        LockSupport.parkNanos(random.nextLong(longest.toNanos()));
    }

    private static void signal(String signal, Child child) {
        try {
            new ProcessBuilder("kill", signal, Long.toString(child.pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot send " + signal, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        awaitPauses();
    }
}
