package dev.fairlane.server.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.objects.InMemoryObjects;
import dev.fairlane.objects.ObjectInfo;
import dev.fairlane.objects.ObjectStore;
import dev.fairlane.runtime.LeaseRef;
import dev.fairlane.runtime.WorkerSession;
import dev.fairlane.server.RecordingStream;
import dev.fairlane.server.TestServer;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What nobody points to any more is removed when it is old enough; what a job may go on from stays. */
class SweepTest {
    @TempDir
    private Path home;

    private TestServer server;
    private final RecordingStream worker = new RecordingStream();
    private Instant now = Instant.now();
    private final ObjectStore store = new InMemoryObjects(() -> now);
    private Checkpoints checkpoints;
    private Sweep sweep;

    @BeforeEach
    void start() {
        server = TestServer.start(home);
        worker.connect(server.node(), new WorkerOffer("w1", null, List.of("t"), Map.of("short", 10)));
        checkpoints = new Checkpoints(server.node(), store, () -> now);
        sweep = new Sweep(server.node(), store, () -> now, Duration.ofHours(24));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void theNewestTwoOfAJobThatRunsStayHoweverOldTheyAre() {
        LeaseRef lease = run();
        for (int i = 0; i < 5; i++) {
            save(lease);
        }
        List<String> newest = names(lease);
        assertThat(newest).hasSize(2);
        now = now.plus(Duration.ofDays(30));

        assertThat(sweep.run()).isZero();
        assertThat(names(lease)).isEqualTo(newest);
    }

    @Test
    void whatIsLeftOfAJobThatEndedGoesWhenItIsOld() {
        LeaseRef lease = run();
        save(lease);
        save(lease);
        worker.session()
                .report(new WorkerSession.Report(
                        List.of(), List.of(new WorkerSession.Success(lease, Payload.EMPTY)), List.of()));
        awaitState(lease, "SUCCEEDED");
        now = now.plus(Duration.ofMinutes(59));
        assertThat(sweep.run()).as("it may be on its way").isZero();
        now = now.plus(Duration.ofMinutes(2));

        assertThat(sweep.run()).isEqualTo(2);
        assertThat(names(lease)).isEmpty();
    }

    @Test
    void aDeadJobKeepsItsOwnSinceItMayBeReplayed() {
        LeaseRef lease = run();
        save(lease);
        worker.session()
                .report(new WorkerSession.Report(
                        List.of(),
                        List.of(),
                        List.of(new WorkerSession.Failed(lease, Failure.of(FailureClass.NON_RETRYABLE, "no")))));
        awaitState(lease, "DEAD");
        now = now.plus(Duration.ofDays(1));

        assertThat(sweep.run()).isZero();
        assertThat(names(lease)).hasSize(1);
    }

    @Test
    void whatBelongsToNoJobGoes() {
        put("checkpoints/default/" + new JobId(1, 2) + "/0000000000000001-0000000000000001");
        put("results/default/" + new JobId(1, 3) + "/0000000000000001");
        now = now.plus(Duration.ofHours(2));

        assertThat(sweep.run()).isEqualTo(2);
    }

    private LeaseRef run() {
        server.send("POST", "/v1/jobs", "{\"type\":\"t\",\"time_limit_ms\":60000}");
        await().until(() -> !worker.leases.isEmpty());
        var granted = worker.leases.getFirst();
        return new LeaseRef(granted.spec().id(), granted.status().token());
    }

    private void save(LeaseRef lease) {
        now = now.plusMillis(10);
        checkpoints.save(
                null,
                checkpoints.admit(null, lease.id(), lease.token()),
                lease.token(),
                new ByteArrayInputStream(new byte[] {1}),
                1);
    }

    private void put(String name) {
        store.put(name, new ByteArrayInputStream(new byte[] {1}), 1, false);
    }

    private List<String> names(LeaseRef lease) {
        return store.list("checkpoints/default/" + lease.id() + "/", "", 100).objects().stream()
                .map(ObjectInfo::name)
                .toList();
    }

    private void awaitState(LeaseRef lease, String state) {
        await().until(() -> server.get("/v1/jobs/" + lease.id()).body().contains("\"state\":\"" + state + "\""));
    }
}
