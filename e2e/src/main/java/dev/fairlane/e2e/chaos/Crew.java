package dev.fairlane.e2e.chaos;

import dev.fairlane.bench.rig.Child;
import dev.fairlane.bench.rig.Rig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** The workers of a run. One that dies is replaced by one of another name, with a history of its own. */
final class Crew implements AutoCloseable {
    private static final int RECORDING = 2;
    private static final Duration START_PATIENCE = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final List<String> JVM = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m");

    private final Rig rig;
    private final String url;
    private final List<Child> recording = new ArrayList<>();
    private final List<Child> zombies = new ArrayList<>();
    private int hired;

    Crew(Rig rig, String url) {
        this.rig = rig;
        this.url = url;
    }

    void fill() {
        recording.removeIf(worker -> !worker.alive());
        while (recording.size() < RECORDING) {
            recording.add(hire("worker", RecordingWorker.class));
        }
    }

    void addZombie() {
        zombies.add(hire("zombie", ZombieWorker.class));
    }

    /** Jobs they sit on run again elsewhere when their leases are over. */
    void endZombies() {
        zombies.forEach(Child::kill);
    }

    /** They have nothing left to do, so there is nothing to wait for. */
    @Override
    public void close() {
        endZombies();
        recording.forEach(Child::kill);
    }

    /** One that has been at work; one that is still starting is waited for. */
    Optional<Child> any(Random random) {
        long end = System.nanoTime() + START_PATIENCE.toNanos();
        while (true) {
            List<Child> working = recording.stream()
                    .filter(worker -> worker.alive() && hasBegun(worker))
                    .toList();
            if (!working.isEmpty()) {
                return Optional.of(working.get(random.nextInt(working.size())));
            }
            if (System.nanoTime() - end > 0) {
                return Optional.empty();
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    /** Its first event is that it met the server. */
    private boolean hasBegun(Child worker) {
        try {
            return Files.size(history(worker.name())) > 0;
        } catch (IOException notYet) {
            return false;
        }
    }

    private Path history(String name) {
        return rig.folder().resolve(name + ".history");
    }

    private Child hire(String role, Class<?> main) {
        String name = role + "-" + ++hired;
        return rig.start(
                name,
                JVM,
                main,
                List.of(
                        url,
                        rig.home().resolve("admin.key").toString(),
                        name,
                        history(name).toString()));
    }
}
