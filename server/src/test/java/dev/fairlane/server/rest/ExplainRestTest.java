package dev.fairlane.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.runtime.LeaseRef;
import dev.fairlane.runtime.WorkerSession;
import dev.fairlane.server.RecordingStream;
import dev.fairlane.server.TestServer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Why a job waits, by REST. The worker of a test takes one job at a time, and mostly never ends it. */
class ExplainRestTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static TestServer server;

    @BeforeAll
    static void start(@TempDir Path home) {
        server = TestServer.start(home);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aJobNobodyCanRunSaysSo() {
        JsonNode told = explain(submit("{\"type\":\"orphan\",\"requires\":[\"gpu-a100\"]}"));
        assertThat(codes(told)).containsExactly("no_worker");
        assertThat(told.get("summary").asString()).contains("no connected worker can run it");
        assertThat(told.get("reasons").get(0).get("unblock").asString()).contains("start a worker");
        assertThat(told.has("eta")).as("nobody can know").isFalse();
        assertThat(told.get("pool").asString()).isEqualTo("short");
    }

    @Test
    void aJobThatIsNotDueSaysWhen() {
        JsonNode told = explain(submit("{\"type\":\"later\",\"delay_ms\":3600000,\"exact\":true}"));
        assertThat(codes(told)).containsExactly("not_due");
        assertThat(told.get("goes_on_at").asString()).startsWith("20");
        assertThat(told.get("eta").get("earliest_ms").asLong()).isBetween(3_500_000L, 3_600_000L);
    }

    @Test
    void whatIsPausedSaysSo() {
        String id = submit("{\"type\":\"halted\"}");
        server.send("POST", "/v1/jobs/" + id + ":pause", "");
        assertThat(codes(explain(id))).startsWith("job_paused");
    }

    @Test
    void aJobThatRunsHasNoReason() {
        try (Busy worker = new Busy("busy", "runs")) {
            String id = submit("{\"type\":\"runs\"}");
            worker.awaitLeases(1);
            JsonNode told = explain(id);
            assertThat(told.get("summary").asString()).isEqualTo("It is with a worker.");
            assertThat(codes(told)).isEmpty();
        }
    }

    @Test
    void theOthersOfAFullWorkerStandInLineAndGetAGuess() {
        try (Busy worker = new Busy("full", "line")) {
            submit("{\"type\":\"line\",\"lane\":\"own\"}");
            worker.awaitLeases(1);
            submit("{\"type\":\"line\",\"lane\":\"own\"}");
            JsonNode told = explain(submit("{\"type\":\"line\",\"lane\":\"own\"}"));
            assertThat(codes(told)).containsExactly("no_room");
            assertThat(told.get("ahead").asInt()).isEqualTo(1);
            assertThat(told.get("lane_waiting").asInt()).isGreaterThanOrEqualTo(2);
            assertThat(told.get("eta").get("latest_ms").asLong()).isPositive();
            assertThat(told.get("share").get("running").asInt()).isGreaterThanOrEqualTo(1);
        }
    }

    @Test
    void whenAnotherTenantHasTheSlotItIsForFairShare() {
        String other = server.newKey("other", "submitter");
        try (Busy worker = new Busy("shared", "shared")) {
            String has = submit(other, "{\"type\":\"shared\"}");
            worker.awaitLeases(1);
            JsonNode told = explain(submit("{\"type\":\"shared\"}"));
            assertThat(codes(told)).containsExactly("fair_share");
            assertThat(told.get("summary").asString()).contains("other tenants' jobs have the slots by their shares");
            assertThat(told.get("reasons").get(0).get("unblock").asString()).contains("add workers", "weight");
            // or the slots of the other tests would be another tenant's too
            worker.endAll();
            Awaitility.await().until(() -> explain(has).get("state").asString().equals("SUCCEEDED"));
        }
    }

    @Test
    void aLimitOfItsKeyIsNamed() {
        server.send(
                "PUT",
                "/v1/tenants/default",
                "{\"key_limits\":[{\"kind\":\"concurrency\",\"key\":\"user-*\",\"limit\":1}]}");
        try (Busy worker = new Busy("keys", "keyed", 5)) {
            submit("{\"type\":\"keyed\",\"concurrency_key\":\"user-1\"}");
            worker.awaitLeases(1);
            JsonNode told = explain(submit("{\"type\":\"keyed\",\"concurrency_key\":\"user-1\"}"));
            assertThat(codes(told)).containsExactly("key_cap");
            assertThat(told.get("reasons").get(0).get("unblock").asString()).contains("limit of the key");
        }
    }

    @Test
    void anEndedJobAndOthersJobs() {
        String id = submit("{\"type\":\"gone\"}");
        server.send("POST", "/v1/jobs/" + id + ":cancel", "");
        JsonNode told = explain(id);
        assertThat(told.get("state").asString()).isEqualTo("CANCELLED");
        assertThat(told.get("summary").asString()).isEqualTo("It is at its end.");

        String stranger = server.newKey("stranger", "viewer");
        HttpResponse<String> refused =
                TestServer.send(with(stranger, "/v1/jobs/" + submit("{\"type\":\"mine\"}") + "/explain")
                        .GET()
                        .build());
        assertThat(refused.statusCode()).isEqualTo(404);
    }

    private static String submit(String job) {
        return submit(server.adminKey(), job);
    }

    private static String submit(String key, String job) {
        HttpResponse<String> submitted = TestServer.send(with(key, "/v1/jobs")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(job))
                .build());
        assertThat(submitted.statusCode()).as(submitted.body()).isLessThan(300);
        return JSON.readTree(submitted.body()).get("id").asString();
    }

    private static HttpRequest.Builder with(String key, String path) {
        return HttpRequest.newBuilder(server.uri(path)).header("Authorization", "Bearer " + key);
    }

    private static JsonNode explain(String id) {
        HttpResponse<String> told = server.get("/v1/jobs/" + id + "/explain");
        assertThat(told.statusCode()).as(told.body()).isEqualTo(200);
        return JSON.readTree(told.body());
    }

    private static List<String> codes(JsonNode told) {
        return told.path("reasons")
                .valueStream()
                .map(reason -> reason.get("code").asString())
                .toList();
    }

    private static final class Busy implements AutoCloseable {
        private final RecordingStream stream = new RecordingStream();

        Busy(String name, String type) {
            this(name, type, 1);
        }

        Busy(String name, String type, int slots) {
            stream.connect(server.node(), new WorkerOffer(name, null, List.of(type), Map.of("short", slots)));
        }

        void awaitLeases(int count) {
            Awaitility.await().until(() -> stream.leases.size() >= count);
        }

        /** What it has succeeds, and it takes no more. */
        void endAll() {
            stream.session().drain();
            List<WorkerSession.Success> ends = stream.leases.stream()
                    .map(lease -> new LeaseRef(lease.spec().id(), lease.status().token()))
                    .map(lease -> new WorkerSession.Success(lease, Payload.EMPTY))
                    .toList();
            stream.session().report(new WorkerSession.Report(List.of(), ends, List.of()));
        }

        @Override
        public void close() {
            stream.session().close();
        }
    }
}
