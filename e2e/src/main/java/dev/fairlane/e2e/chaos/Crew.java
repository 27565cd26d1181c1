package dev.fairlane.e2e.chaos;

import dev.fairlane.bench.rig.Child;
import dev.fairlane.bench.rig.Rig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** The workers of a run. One that dies is replaced by one of another name, with a history of its own. */
final class Crew {
    private static final int RECORDING = 2;
    private static final List<String> JVM = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m");

    private final Rig rig;
    private final String url;
    private final List<Child> recording = new ArrayList<>();
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
        hire("zombie", ZombieWorker.class);
    }

    Optional<Child> any(Random random) {
        List<Child> alive = recording.stream().filter(Child::alive).toList();
        return alive.isEmpty() ? Optional.empty() : Optional.of(alive.get(random.nextInt(alive.size())));
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
                        rig.folder().resolve(name + ".history").toString()));
    }
}
