package dev.fairlane.server.objects;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairlane.core.model.JobProgress;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.PayloadRef;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.objects.LocalDisk;
import dev.fairlane.objects.ObjectInfo;
import dev.fairlane.objects.ObjectStore;
import dev.fairlane.runtime.LeaseRef;
import dev.fairlane.runtime.WorkerSession;
import dev.fairlane.server.RecordingStream;
import dev.fairlane.server.TestServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Checkpoints, progress and handing over through the real server. */
class CheckpointsTest {
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    private Path home;

    private TestServer server;
    private ObjectStore store;
    private RecordingStream stream;
    private WorkerSession worker;

    @BeforeEach
    void start() {
        server = TestServer.start(home);
        store = LocalDisk.open(home.resolve("objects"));
        stream = new RecordingStream();
        worker = connect("w1", stream);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void theNewestCheckpointIsReadAndTwoAreKept() {
        LeaseRef lease = run();
        for (int i = 1; i <= 4; i++) {
            assertThat(save(lease, lease.token(), "state " + i).statusCode()).isEqualTo(200);
        }

        assertThat(load(lease).body()).isEqualTo("state 4");
        assertThat(names(lease)).hasSize(2);
        assertThat(job(lease).at("/checkpoint/bytes").asInt()).isEqualTo(7);
    }

    @Test
    void aZombiesCheckpointIsRefusedAndLeavesNoBytes() {
        LeaseRef lease = run();
        save(lease, lease.token(), "good");

        HttpResponse<String> late = save(lease, lease.token() - 1, "late");

        assertThat(late.statusCode()).isEqualTo(409);
        assertThat(code(late)).isEqualTo("LEASE_REVOKED");
        assertThat(load(lease).body()).isEqualTo("good");
        assertThat(names(lease)).hasSize(1);
    }

    @Test
    void anEndedJobTakesNoCheckpointAndItsBytesGo() {
        LeaseRef lease = run();
        save(lease, lease.token(), "state");
        worker.report(new WorkerSession.Report(
                List.of(), List.of(new WorkerSession.Success(lease, Payload.EMPTY)), List.of()));

        await().until(() -> job(lease).get("state").asString().equals("SUCCEEDED"));
        await().until(() -> names(lease).isEmpty());
        assertThat(code(save(lease, lease.token(), "late"))).isEqualTo("LEASE_REVOKED");
        assertThat(names(lease)).isEmpty();
    }

    @Test
    void aCheckpointIsBounded() {
        LeaseRef lease = run();

        assertThat(code(save(lease, lease.token(), "x".repeat((1 << 20) + 1)))).isEqualTo("OBJECT_TOO_LARGE");
        HttpResponse<String> unannounced = TestServer.send(server.request(path(lease) + "?token=" + lease.token())
                .PUT(BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(new byte[(1 << 20) + 1])))
                .build());
        assertThat(code(unannounced)).isEqualTo("OBJECT_TOO_LARGE");
        assertThat(names(lease)).isEmpty();
        assertThat(code(load(lease))).isEqualTo("CHECKPOINT_NOT_FOUND");
    }

    @Test
    void anotherTenantSeesNothing() {
        LeaseRef lease = run();
        save(lease, lease.token(), "secret");
        String other = server.newKey("other", "worker");

        HttpResponse<String> answer = TestServer.send(java.net.http.HttpRequest.newBuilder(server.uri(path(lease)))
                .header("Authorization", "Bearer " + other)
                .build());

        assertThat(code(answer)).isEqualTo("JOB_NOT_FOUND");
    }

    @Test
    void progressIsShownWhileTheLeaseHolds() {
        LeaseRef lease = run();
        worker.heartbeat(List.of(lease), List.of(new WorkerSession.Progress(lease, 0.25, "a quarter")), 1);

        await().until(() -> job(lease).has("progress"));
        assertThat(job(lease).at("/progress/fraction").asDouble()).isEqualTo(0.25);
        assertThat(job(lease).at("/progress/message").asString()).isEqualTo("a quarter");
        LeaseRef zombie = new LeaseRef(lease.id(), lease.token() - 1);
        worker.heartbeat(
                List.of(lease), List.of(new WorkerSession.Progress(zombie, JobProgress.UNKNOWN, "from the dead")), 2);
        worker.report(new WorkerSession.Report(List.of(), List.of(), List.of(), List.of(lease)));
        await().until(() -> job(lease).get("execution").asInt() == 2);
        assertThat(job(lease).has("progress")).isFalse();
    }

    @Test
    void aJobHandedOverGoesOnElsewhereAtNoCost() {
        LeaseRef lease = run();
        save(lease, lease.token(), "half");
        worker.drain();
        RecordingStream second = new RecordingStream();
        connect("w2", second);
        worker.report(new WorkerSession.Report(List.of(), List.of(), List.of(), List.of(lease)));

        await().until(() -> !second.leases.isEmpty());
        assertThat(second.leases.getFirst().spec().id()).isEqualTo(lease.id());
        assertThat(second.leases.getFirst().status().attempt()).isEqualTo(1);
        assertThat(second.leases.getFirst().status().crashes()).isZero();
        assertThat(load(lease).body()).isEqualTo("half");
    }

    @Test
    void aWorkerIsToldToDrain() {
        run();
        HttpResponse<String> answer = server.send("POST", "/v1/workers/w1:drain", "{\"hand_over\":true}");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(JSON.readTree(answer.body()).get("running").asInt()).isEqualTo(1);
        await().until(() -> stream.drains.equals(List.of(true)));
        assertThat(code(server.send("POST", "/v1/workers/nobody:drain", "{}"))).isEqualTo("WORKER_NOT_FOUND");
    }

    @Test
    void aLargeResultIsSavedReportedAndDownloaded() {
        LeaseRef lease = run();
        String large = "0123456789".repeat(100_000);
        HttpResponse<String> saved =
                TestServer.send(server.request("/v1/jobs/" + lease.id() + "/result?token=" + lease.token())
                        .PUT(BodyPublishers.ofString(large))
                        .build());
        String ref = JSON.readTree(saved.body()).get("ref").asString();
        assertThat(code(server.get("/v1/jobs/" + lease.id() + "/result"))).isEqualTo("RESULT_NOT_FOUND");

        assertThat(Results.belongs(ref, lease.id(), lease.token())).isTrue();
        assertThat(Results.belongs(ref, lease.id(), lease.token() + 1)).isFalse();
        worker.report(new WorkerSession.Report(
                List.of(),
                List.of(new WorkerSession.Success(lease, new PayloadRef(ref, 1_000_000, "text/plain").payload())),
                List.of()));
        await().until(() -> job(lease).get("state").asString().equals("SUCCEEDED"));

        JsonNode job = job(lease);
        assertThat(job.get("result_bytes").asLong()).isEqualTo(1_000_000);
        assertThat(job.get("result_content_type").asString()).isEqualTo("text/plain");
        assertThat(job.has("result_base64")).isFalse();
        HttpResponse<String> whole = server.get("/v1/jobs/" + lease.id() + "/result");
        assertThat(whole.body()).isEqualTo(large);
        assertThat(whole.headers().firstValue("content-type")).contains("text/plain");
        HttpResponse<String> part = TestServer.send(server.request("/v1/jobs/" + lease.id() + "/result")
                .header("Range", "bytes=999995-")
                .build());
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(part.body()).isEqualTo("56789");
        assertThat(part.headers().firstValue("content-range")).contains("bytes 999995-999999/1000000");
    }

    @Test
    void aSmallResultIsDownloadedTheSameWay() {
        LeaseRef lease = run();
        Payload small = new Payload("{\"a\":1}".getBytes(UTF_8), Payload.JSON);
        worker.report(new WorkerSession.Report(List.of(), List.of(new WorkerSession.Success(lease, small)), List.of()));
        await().until(() -> job(lease).get("state").asString().equals("SUCCEEDED"));

        assertThat(server.get("/v1/jobs/" + lease.id() + "/result").body()).isEqualTo("{\"a\":1}");
        assertThat(TestServer.send(server.request("/v1/jobs/" + lease.id() + "/result")
                                .header("Range", "bytes=1-3")
                                .build())
                        .body())
                .isEqualTo("\"a\"");
    }

    private WorkerSession connect(String name, RecordingStream to) {
        return server.node().connect(new WorkerOffer(name, null, List.of("t"), Map.of("short", 1)), List.of(), to);
    }

    private LeaseRef run() {
        server.send("POST", "/v1/jobs", "{\"type\":\"t\",\"time_limit_ms\":60000}");
        await().until(() -> !stream.leases.isEmpty());
        var granted = stream.leases.getFirst();
        return new LeaseRef(granted.spec().id(), granted.status().token());
    }

    private String path(LeaseRef lease) {
        return "/v1/jobs/" + lease.id() + "/checkpoint";
    }

    private HttpResponse<String> save(LeaseRef lease, long token, String state) {
        return TestServer.send(server.request(path(lease) + "?token=" + token)
                .PUT(BodyPublishers.ofByteArray(state.getBytes(UTF_8)))
                .build());
    }

    private HttpResponse<String> load(LeaseRef lease) {
        return server.get(path(lease));
    }

    private List<String> names(LeaseRef lease) {
        return store.list("checkpoints/default/" + lease.id() + "/", "", 100).objects().stream()
                .map(ObjectInfo::name)
                .toList();
    }

    private JsonNode job(LeaseRef lease) {
        return JSON.readTree(server.get("/v1/jobs/" + lease.id()).body());
    }

    private static String code(HttpResponse<String> answer) {
        return JSON.readTree(answer.body()).get("code").asString();
    }
}
