package dev.fairlane.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.runtime.LeaseRef;
import dev.fairlane.runtime.WorkerSession;
import dev.fairlane.runtime.WorkerStream;
import dev.fairlane.server.RecordingStream;
import dev.fairlane.server.TestServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Dead letters through REST, against the real server and a worker that fails what it is told to fail. */
class DeadLettersRestTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final AtomicBoolean broken = new AtomicBoolean(true);
    private static final RecordingStream worker = new RecordingStream();
    private static TestServer server;

    @BeforeAll
    static void start(@TempDir Path home) {
        server = TestServer.start(home);
        worker.onLease(DeadLettersRestTest::run);
        worker.connect(
                server.node(),
                new WorkerOffer(
                        "w", null, List.of("single", "many", "canary", "purged", "schooled"), Map.of("short", 50)));
    }

    private static void run(WorkerStream.Granted granted) {
        LeaseRef lease = new LeaseRef(granted.spec().id(), granted.status().token());
        worker.session()
                .report(
                        broken.get()
                                ? new WorkerSession.Report(
                                        List.of(),
                                        List.of(),
                                        List.of(new WorkerSession.Failed(
                                                lease,
                                                new Failure(
                                                        FailureClass.NON_RETRYABLE,
                                                        "No such User 42",
                                                        "at Mailer.send(Mailer.java:7)",
                                                        0))))
                                : new WorkerSession.Report(
                                        List.of(),
                                        List.of(new WorkerSession.Success(
                                                lease, granted.spec().payload())),
                                        List.of()));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static JsonNode ok(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    private static String dead(String type) {
        broken.set(true);
        String id = JSON.readTree(server.send("POST", "/v1/jobs", "{\"type\":\"" + type + "\",\"payload\":{\"n\":1}}")
                        .body())
                .get("id")
                .asString();
        assertThat(state(id + ":await")).isEqualTo("DEAD");
        return id;
    }

    private static String state(String id) {
        return ok(server.get("/v1/jobs/" + id)).get("state").asString();
    }

    private static List<String> listed(String query) {
        List<String> ids = new ArrayList<>();
        ok(server.get("/v1/dead-letters" + query))
                .path("jobs")
                .forEach(job -> ids.add(job.get("id").asString()));
        return ids;
    }

    private static JsonNode ended(JsonNode begun) {
        String id = begun.get("id").asString();
        await().until(() -> ok(server.get("/v1/operations/" + id)).has("ended_at"));
        return ok(server.get("/v1/operations/" + id));
    }

    @Test
    void aDeadLetterIsFoundInspectedEditedAndReplayed() {
        String id = dead("single");
        await().until(() -> listed("?type=single").contains(id));
        assertThat(listed("?type=single&error_class=NON_RETRYABLE&text=no%20such%20user"))
                .containsExactly(id);
        assertThat(listed("?type=single&error_class=TIMEOUT")).isEmpty();
        assertThat(listed("?type=single&from=2099-01-01T00:00:00Z")).isEmpty();
        JsonNode job = ok(server.get("/v1/jobs/" + id));
        assertThat(job.get("attempts").get(0).get("detail").asString()).contains("Mailer.java:7");
        JsonNode summary = ok(server.get("/v1/dead-letters:summary?type=single"));
        assertThat(summary.get("count").asInt()).isEqualTo(1);
        assertThat(summary.get("last_hour").asInt()).isEqualTo(1);
        assertThat(summary.get("groups").get(0).get("error_class").asString()).isEqualTo("NON_RETRYABLE");

        broken.set(false);
        JsonNode replayed = ok(server.send(
                "POST", "/v1/jobs/" + id + ":replay", "{\"payload\":{\"n\":2},\"why\":\"address corrected\"}"));
        assertThat(replayed.get("outcome").asString()).isEqualTo("replayed");
        assertThat(state(id + ":await")).isEqualTo("SUCCEEDED");
        JsonNode after = ok(server.get("/v1/jobs/" + id));
        assertThat(after.get("result").toString()).isEqualTo("{\"n\":2}");
        assertThat(after.get("replay").get("why").asString()).isEqualTo("address corrected");
        assertThat(after.get("replay").get("by").asString()).isNotEmpty();
        await().until(() -> listed("?type=single").isEmpty());
        assertThat(ok(server.send("POST", "/v1/jobs/" + id + ":replay", "{}"))
                        .get("outcome")
                        .asString())
                .isEqualTo("not_dead");
    }

    @Test
    void aBadPayloadIsRefusedAndTheJobStaysDead() {
        String id = dead("single");
        HttpResponse<String> refused =
                server.send("POST", "/v1/jobs/" + id + ":replay", "{\"payload_base64\":\"ew==\"}");
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
        assertThat(state(id)).isEqualTo("DEAD");
    }

    @Test
    void manyAreReplayedAtARateAndPagesHaveNoGap() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            ids.addFirst(dead("many"));
        }
        await().until(() -> listed("?type=many").size() == 7);
        JsonNode page = ok(server.get("/v1/dead-letters?type=many&page_size=4"));
        assertThat(page.get("jobs").size()).isEqualTo(4);
        String cursor = page.get("next_cursor").asString();
        assertThat(listed("?type=many&page_size=4&cursor=" + cursor)).hasSize(3);
        assertThat(server.get("/v1/dead-letters?type=single&cursor=" + cursor).statusCode())
                .isEqualTo(400);
        assertThat(ok(server.send(
                                "POST",
                                "/v1/dead-letters:replay",
                                "{\"filter\":{\"type\":\"many\"},\"why\":\"w\",\"dry_run\":true}"))
                        .get("expected")
                        .asInt())
                .isEqualTo(7);

        broken.set(false);
        JsonNode begun = ok(server.send(
                "POST",
                "/v1/dead-letters:replay",
                "{\"filter\":{\"type\":\"many\",\"text\":\"USER\"},\"rate\":100,\"canary\":2,\"why\":\"fixed\"}"));
        assertThat(begun.get("kind").asString()).isEqualTo("replay_dead");
        JsonNode done = ended(begun);
        assertThat(done.get("state").asString()).isEqualTo("done");
        assertThat(done.get("done").asInt()).isEqualTo(7);
        assertThat(done.get("expected").asInt()).isEqualTo(7);
        assertThat(ids).allSatisfy(id -> assertThat(state(id + ":await")).isEqualTo("SUCCEEDED"));
        assertThat(ok(server.get("/v1/operations")).get("operations").size()).isPositive();
    }

    @Test
    void manyAreCheckedAgainstTheSchemaTheTypeHasByNow() {
        String id = dead("schooled");
        await().until(() -> listed("?type=schooled").contains(id));
        ok(server.send(
                "PUT",
                "/v1/types/schooled",
                "{\"pool\":\"short\",\"rules\":{\"payload_schema\":\"{\\\"required\\\":[\\\"to\\\"]}\"}}"));
        JsonNode operation = ended(ok(server.send(
                "POST", "/v1/dead-letters:replay", "{\"filter\":{\"type\":\"schooled\"},\"why\":\"again\"}")));
        assertThat(operation.path("failed").asLong()).isEqualTo(1);
        assertThat(operation.toString()).contains("schema");
        assertThat(state(id)).isEqualTo("DEAD");
    }

    @Test
    void canariesThatDieAgainStopTheReplay() {
        for (int i = 0; i < 3; i++) {
            dead("canary");
        }
        JsonNode stopped = ended(ok(server.send(
                "POST",
                "/v1/dead-letters:replay",
                "{\"filter\":{\"type\":\"canary\"},\"canary\":1,\"why\":\"hope\"}")));
        assertThat(stopped.get("state").asString()).isEqualTo("stopped");
        assertThat(stopped.get("done").asInt()).isEqualTo(1);
        await().until(() -> listed("?type=canary").size() == 3);
    }

    @Test
    void aPurgeNeedsAFilterAReasonAndAnAdmin() {
        String id = dead("purged");
        for (String body : List.of(
                "{\"why\":\"w\"}",
                "{\"filter\":{\"type\":\"purged\"}}",
                "{\"filter\":{\"type\":\"purged\",\"all\":true},\"why\":\"w\"}",
                "{\"filter\":{\"error_class\":\"WHAT\"},\"why\":\"w\"}")) {
            assertThat(server.send("POST", "/v1/dead-letters:purge", body).statusCode())
                    .as(body)
                    .isEqualTo(400);
        }
        String submitter = server.newKey("", "submitter");
        assertThat(TestServer.send(server.request("/v1/dead-letters:purge")
                                .setHeader("Authorization", "Bearer " + submitter)
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString("{\"filter\":{\"all\":true},\"why\":\"w\"}"))
                                .build())
                        .statusCode())
                .isEqualTo(403);
        JsonNode done = ended(ok(
                server.send("POST", "/v1/dead-letters:purge", "{\"filter\":{\"type\":\"purged\"},\"why\":\"old\"}")));
        assertThat(done.get("done").asInt()).isEqualTo(1);
        assertThat(server.get("/v1/jobs/" + id).statusCode()).isEqualTo(404);
    }

    @Test
    void anotherTenantSeesAndReplaysNothing() {
        String id = dead("single");
        String other = server.newKey("another", "admin");
        for (var request : List.of(
                server.request("/v1/jobs/" + id + ":replay").POST(BodyPublishers.ofString("{}")),
                server.request("/v1/jobs/" + id).GET())) {
            HttpResponse<String> response = TestServer.send(request.setHeader("Authorization", "Bearer " + other)
                    .header("Content-Type", "application/json")
                    .build());
            assertThat(response.statusCode()).as(response.body()).isEqualTo(404);
        }
        JsonNode summary = ok(TestServer.send(server.request("/v1/dead-letters:summary")
                .setHeader("Authorization", "Bearer " + other)
                .build()));
        assertThat(summary.path("count").asInt(0)).isZero();
        assertThat(state(id)).isEqualTo("DEAD");
    }
}
