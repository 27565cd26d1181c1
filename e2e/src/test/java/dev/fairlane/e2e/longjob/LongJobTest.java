package dev.fairlane.e2e.longjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairlane.bench.rig.Child;
import dev.fairlane.bench.rig.Programs;
import dev.fairlane.bench.rig.Rig;
import dev.fairlane.bench.rig.RunningServer;
import dev.fairlane.e2e.longjob.CountingWorker.Counted;
import dev.fairlane.e2e.longjob.CountingWorker.Order;
import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobInfo;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.Pool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Semantics §8 with real processes: what was saved survives the worker, and a zombie can write nothing. Mostly waiting, so all wait
 * at once, on one server, each with a type of its own.
 */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class LongJobTest {
    private static final List<String> JVM = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m");
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final Map<String, String> SETTINGS =
            Map.of("node.heartbeat", "500ms", "pools.long.lease", "10s", "pools.long.time_limit", "10m");

    /** Seconds of work of the job that is killed three times; {@code -Dfairlane.longjob.seconds=15} for who is in a hurry. */
    private static final int WORK_SECONDS = Integer.getInteger("fairlane.longjob.seconds", 60);

    private static final long STEP_MILLIS = 250;

    private static Rig rig;
    private static RunningServer server;
    private static Fairlane client;
    private final List<Child> workers = new ArrayList<>();

    @BeforeAll
    static void start() {
        rig = Rig.prepare(Programs.here(List.of()), SETTINGS);
        server = rig.startServer();
        client = Fairlane.connect(server.url(), server.adminKey());
    }

    @AfterEach
    void dismiss() {
        workers.forEach(Child::kill);
    }

    @AfterAll
    static void stop() {
        client.close();
        rig.succeeded();
        rig.close();
    }

    @Test
    void aJobKilledThreeTimesGoesOnFromItsCheckpointAndEndsOnce() {
        int steps = (int) (WORK_SECONDS * 1_000 / STEP_MILLIS);
        JobHandle job = submit("killed", new Order(steps, STEP_MILLIS));
        int reached = 0;
        for (int life = 1; life <= 3; life++) {
            Notes notes = hire("killed", "life-" + life, CountingWorker.class);
            int until = steps * life / 4;
            await().atMost(PATIENCE).until(() -> lastStep(notes) >= until);
            workers.getLast().kill();
            int began = began(notes);
            // The last step of the life before may be saved and not written down.
            assertThat(began).as("where life %d began", life).isBetween(reached, reached + 1);
            reached = lastStep(notes);
        }
        Notes last = hire("killed", "life-4", CountingWorker.class);

        Counted counted = job.await(Counted.class, PATIENCE);

        assertThat(counted).isEqualTo(new Counted(steps, "life-4"));
        assertThat(began(last)).isBetween(reached, reached + 1);
        assertThat(last.lines()).containsOnlyOnce("ended");
        JobInfo info = job.get();
        assertThat(info.crashes()).isEqualTo(3);
        assertThat(info.attempt()).as("crashes cost no attempt").isEqualTo(1);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(checkpoints(job)).isEmpty());
    }

    @Test
    void aZombiesHeartbeatCheckpointAndResultAreAllRefused() throws IOException, InterruptedException {
        JobHandle job = submit("zombie", new Order(6, 100));
        Notes zombie = hire("zombie", "zombie", StubbornWorker.class);
        await().atMost(PATIENCE).until(() -> zombie.lines().stream().anyMatch(line -> line.startsWith("leased")));
        assertThat(zombie.lines()).contains("checkpoint 200");
        Child stubborn = workers.getLast();
        signal("-STOP", stubborn);
        Notes heir = hire("zombie", "heir", CountingWorker.class);

        Counted counted = job.await(Counted.class, PATIENCE);
        assertThat(counted.worker()).isEqualTo("heir");
        assertThat(began(heir)).as("from the checkpoint saved before the pause").isEqualTo(2);
        assertThat(zombie.lines()).doesNotContain("woke");

        signal("-CONT", stubborn);
        await().atMost(PATIENCE).until(() -> zombie.lines().contains("reported"));
        assertThat(zombie.lines()).contains("checkpoint 409 LEASE_REVOKED");
        // One for the heartbeat, which is looked up, and one for the result.
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(zombie.lines())
                        .filteredOn("ack revoked=true"::equals)
                        .hasSizeGreaterThanOrEqualTo(2));
        assertThat(zombie.lines()).doesNotContain("ack revoked=false");
        JobInfo after = job.get();
        assertThat(after.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(after.result(Counted.class)).isEqualTo(counted);
    }

    @Test
    void aDrainedWorkerHandsItsJobOver() {
        JobHandle job = submit("drained", new Order(100, 200));
        Notes first = hire("drained", "first", CountingWorker.class);
        await().atMost(PATIENCE).until(() -> lastStep(first) >= 3);
        Notes second = hire("drained", "second", CountingWorker.class);

        client.admin().drainWorker("first", true);

        Counted counted = job.await(Counted.class, PATIENCE);
        assertThat(counted.worker()).isEqualTo("second");
        assertThat(first.lines()).contains("handed over " + lastStep(first));
        assertThat(began(second)).isEqualTo(lastStep(first));
        assertThat(job.get().crashes()).isZero();
        assertThat(job.get().attempt()).isEqualTo(1);
    }

    private static JobHandle submit(String type, Order order) {
        client.admin().putType(null, type, Pool.LONG, 0, null);
        return client.submit(Job.of(type, order));
    }

    private Notes hire(String type, String name, Class<?> main) {
        Notes notes = new Notes(rig.folder().resolve(name + ".notes"));
        workers.add(rig.start(
                name,
                JVM,
                main,
                List.of(
                        server.url(),
                        rig.home().resolve("admin.key").toString(),
                        type,
                        name,
                        notes.file().toString())));
        return notes;
    }

    private static int began(Notes notes) {
        return notes.lines().stream()
                .filter(line -> line.startsWith("began "))
                .mapToInt(line -> Integer.parseInt(line.substring(6)))
                .findFirst()
                .orElseThrow();
    }

    private static int lastStep(Notes notes) {
        return notes.lines().stream()
                .filter(line -> line.startsWith("step "))
                .mapToInt(line -> Integer.parseInt(line.substring(5)))
                .max()
                .orElse(0);
    }

    private static List<Path> checkpoints(JobHandle job) throws IOException {
        Path folder = rig.home().resolve("objects/checkpoints/default").resolve(job.id());
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    private static void signal(String signal, Child child) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", signal, Long.toString(child.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }
}
