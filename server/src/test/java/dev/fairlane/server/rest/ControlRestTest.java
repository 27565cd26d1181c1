package dev.fairlane.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.server.RecordingStream;
import dev.fairlane.server.TestServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Changing, pausing and bulk by REST, on a real server. */
class ControlRestTest {
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
    void aWaitingJobIsChangedUnderItsETag() {
        String job = "/v1/jobs/" + submit("{\"type\":\"patched\",\"payload\":1,\"tags\":{\"a\":\"b\"}}");
        HttpResponse<String> seen = server.get(job);
        assertThat(seen.headers().firstValue("etag")).contains("\"0\"");

        HttpResponse<String> changed = patch(
                job,
                "\"0\"",
                "{\"priority\":1,\"payload\":{\"n\":2},\"lane\":\"imports\",\"tags\":{\"c\":\"d\"}," + "\"run_at\":\""
                        + Instant.now().plusSeconds(3_600) + "\"}");

        assertThat(changed.statusCode()).isEqualTo(200);
        assertThat(changed.headers().firstValue("etag")).contains("\"1\"");
        assertThat(json(changed).get("outcome").asString()).isEqualTo("ok");
        assertThat(json(changed).get("state").asString()).isEqualTo("SCHEDULED");
        JsonNode now = json(server.get(job));
        assertThat(now.get("priority").asInt()).isEqualTo(1);
        assertThat(now.get("payload").toString()).isEqualTo("{\"n\":2}");
        assertThat(now.get("lane").asString()).isEqualTo("imports");
        assertThat(now.get("tags").toString()).isEqualTo("{\"c\":\"d\"}");
        assertThat(now.get("revision").asInt()).isEqualTo(1);

        HttpResponse<String> stale = patch(job, "\"0\"", "{\"priority\":2}");
        assertThat(stale.statusCode()).isEqualTo(412);
        assertThat(json(stale).get("code").asString()).isEqualTo("REVISION_CONFLICT");
        assertThat(json(patch(job, "*", "{\"clear_tags\":true}"))
                        .get("revision")
                        .asInt())
                .isEqualTo(2);
        assertThat(json(server.get(job)).has("tags")).isFalse();
    }

    @Test
    void badChangesAreRefused() {
        String job = "/v1/jobs/" + submit("{\"type\":\"patched\"}");
        assertThat(field(patch(job, null, "{}"))).isEqualTo("change");
        assertThat(field(patch(job, null, "{\"priority\":10}"))).isEqualTo("priority");
        assertThat(field(patch(job, null, "{\"lane\":\"no lane\"}"))).isEqualTo("lane");
        assertThat(field(patch(job, "\"x\"", "{\"priority\":1}"))).isEqualTo("If-Match");
        assertThat(field(patch(job, null, "{\"clear_tags\":true,\"tags\":{\"a\":\"b\"}}")))
                .isEqualTo("clear_tags");
        assertThat(json(patch(job, null, "{\"type\":\"other\"}")).get("code").asString())
                .isEqualTo("UNKNOWN_FIELD");
        assertThat(json(server.get(job)).get("revision").asInt()).isZero();
        assertThat(patch("/v1/jobs/01a0c450-6c00-7001-8000-010000000001", null, "{\"priority\":1}")
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void aChangedPayloadObeysTheSchemaOfItsType() {
        server.send(
                "PUT",
                "/v1/types/strict",
                "{\"pool\":\"short\",\"rules\":{\"payload_schema\":\"{\\\"required\\\":[\\\"to\\\"]}\"}}");
        String job = "/v1/jobs/" + submit("{\"type\":\"strict\",\"payload\":{\"to\":\"a\"}}");
        HttpResponse<String> refused = patch(job, null, "{\"payload\":{\"from\":\"b\"}}");
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
        assertThat(json(refused).get("code").asString()).isEqualTo("SCHEMA_MISMATCH");
        assertThat(json(server.get(job)).get("revision").asInt()).isZero();
        assertThat(patch(job, null, "{\"payload\":{\"to\":\"b\"}}").statusCode())
                .isEqualTo(200);
        assertThat(json(server.get(job)).get("payload").toString()).isEqualTo("{\"to\":\"b\"}");
    }

    @Test
    void aJobIsPausedAndResumed() {
        String job = "/v1/jobs/" + submit("{\"type\":\"paused-one\"}");
        assertThat(json(post(job + ":pause", "")).get("outcome").asString()).isEqualTo("ok");
        assertThat(json(server.get(job)).get("paused").asBoolean()).isTrue();
        AtomicInteger leases = new AtomicInteger();
        RecordingStream stream = new RecordingStream();
        stream.onLease(_ -> leases.incrementAndGet());
        stream.connect(server.node(), new WorkerOffer("wp", null, List.of("paused-one"), Map.of("short", 5)));
        String other = submit("{\"type\":\"paused-one\"}");
        await().untilAsserted(() -> assertThat(
                        json(server.get("/v1/jobs/" + other)).get("state").asString())
                .isEqualTo("LEASED"));
        assertThat(leases).hasValue(1);
        assertThat(json(post("/v1/jobs/" + other + ":pause", "")).get("outcome").asString())
                .isEqualTo("already_running");
        assertThat(json(post(job + ":resume", "")).get("outcome").asString()).isEqualTo("ok");
        await().untilAsserted(() -> assertThat(leases).hasValue(2));
        stream.session().close();
        String ended = submit("{\"type\":\"nobody\"}");
        post("/v1/jobs/" + ended + ":cancel", "");
        assertThat(json(post("/v1/jobs/" + ended + ":resume", ""))
                        .get("outcome")
                        .asString())
                .isEqualTo("already_done");
    }

    @Test
    void aTypeIsPausedListedAndResumed() {
        HttpResponse<String> paused =
                post("/v1/pauses", "{\"kind\":\"type\",\"name\":\"mail/send\",\"why\":\"the partner is down\"}");
        assertThat(paused.statusCode()).isEqualTo(200);
        assertThat(json(paused).get("paused").asBoolean()).isTrue();
        assertThat(server.get("/v1/pauses").body()).contains("mail/send").contains("the partner is down");
        String id = submit("{\"type\":\"mail/send\"}");
        AtomicInteger leases = new AtomicInteger();
        RecordingStream stream = new RecordingStream();
        stream.onLease(_ -> leases.incrementAndGet());
        stream.connect(server.node(), new WorkerOffer("wt", null, List.of("mail/send", "free"), Map.of("short", 5)));
        submit("{\"type\":\"free\"}");
        await().untilAsserted(() -> assertThat(leases).hasValue(1));
        assertThat(json(server.get("/v1/jobs/" + id)).get("state").asString()).isEqualTo("QUEUED");
        HttpResponse<String> resumed = TestServer.send(
                server.request("/v1/pauses?kind=type&name=mail/send").DELETE().build());
        assertThat(json(resumed).path("paused").asBoolean(false)).isFalse();
        await().untilAsserted(() -> assertThat(leases).hasValue(2));
        stream.session().close();
        assertThat(server.get("/v1/pauses").body()).doesNotContain("mail/send");
    }

    @Test
    void tenantsAndPoolsArePausedByAdminsOnly() {
        server.send("PUT", "/v1/tenants/bound", "{}");
        String submitter = secret("{\"name\":\"s\",\"tenant\":\"bound\",\"role\":\"submitter\"}");
        String admin = secret("{\"name\":\"a\",\"tenant\":\"bound\",\"role\":\"admin\"}");

        assertThat(as(submitter, "{\"kind\":\"tenant\"}").statusCode()).isEqualTo(403);
        assertThat(as(submitter, "{\"kind\":\"pool\",\"name\":\"short\"}").statusCode())
                .isEqualTo(403);
        assertThat(as(admin, "{\"kind\":\"pool\",\"name\":\"short\"}").statusCode())
                .isEqualTo(403);
        assertThat(as(admin, "{\"kind\":\"tenant\",\"name\":\"default\"}").statusCode())
                .isEqualTo(403);
        assertThat(as(submitter, "{\"kind\":\"lane\",\"name\":\"l\"}").statusCode())
                .isEqualTo(200);
        assertThat(json(as(admin, "{\"kind\":\"tenant\"}")).get("name").asString())
                .isEqualTo("bound");
        assertThat(json(post("/v1/pauses", "{\"kind\":\"pool\",\"name\":\"huge\"}"))
                        .get("code")
                        .asString())
                .isEqualTo("UNKNOWN_POOL");
        assertThat(field(post("/v1/pauses", "{\"kind\":\"house\",\"name\":\"x\"}")))
                .isEqualTo("kind");
        post("/v1/pauses:end", "{\"kind\":\"tenant\",\"name\":\"bound\"}");
        post("/v1/pauses:end", "{\"kind\":\"lane\",\"name\":\"l\",\"tenant\":\"bound\"}");
    }

    @Test
    void manyJobsAreCancelledByFilter() {
        for (int i = 0; i < 30; i++) {
            submit("{\"type\":\"bulk\",\"tags\":{\"batch\":\"" + i % 3 + "\"}}");
        }
        Operation some = run("{\"action\":\"cancel\",\"filter\":{\"type\":\"bulk\",\"tags\":{\"batch\":\"1\"}}}");
        assertThat(some.done).isEqualTo(10);
        Operation changed = run(
                "{\"action\":\"change\",\"filter\":{\"type\":\"bulk\"},\"change\":{\"priority\":9,\"lane\":\"x\"}}");
        assertThat(changed.done).isEqualTo(20);
        Operation paused = run("{\"action\":\"pause\",\"filter\":{\"lane\":\"x\",\"state\":[\"QUEUED\"]}}");
        assertThat(paused.done).isEqualTo(20);
        Operation rest = run("{\"action\":\"cancel\",\"filter\":{\"type\":\"bulk\"},\"why\":\"not needed\"}");
        assertThat(rest.done).isEqualTo(20);
        assertThat(field(post("/v1/jobs:bulk", "{\"action\":\"cancel\",\"filter\":{}}")))
                .isEqualTo("all");
        assertThat(field(post("/v1/jobs:bulk", "{\"action\":\"cancel\"}"))).isEqualTo("filter");
        assertThat(field(post("/v1/jobs:bulk", "{\"action\":\"explode\",\"filter\":{\"all\":true}}")))
                .isEqualTo("action");
        assertThat(field(post(
                        "/v1/jobs:bulk",
                        "{\"action\":\"change\",\"filter\":{\"type\":\"b\"},\"change\":{\"payload\":1}}")))
                .isEqualTo("payload");
        assertThat(field(post("/v1/jobs:bulk", "{\"action\":\"cancel\",\"filter\":{\"state\":[\"DEAD\"]}}")))
                .isEqualTo("state");
    }

    private record Operation(long done) {}

    private static Operation run(String body) {
        HttpResponse<String> begun = post("/v1/jobs:bulk", body);
        assertThat(begun.statusCode()).as(begun.body()).isEqualTo(200);
        String path = "/v1/operations/" + json(begun).get("id").asString();
        await().untilAsserted(() ->
                assertThat(json(server.get(path)).get("state").asString()).isEqualTo("done"));
        return new Operation(json(server.get(path)).get("done").asLong());
    }

    private static HttpResponse<String> as(String secret, String body) {
        return TestServer.send(java.net.http.HttpRequest.newBuilder(server.uri("/v1/pauses"))
                .header("Authorization", "Bearer " + secret)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build());
    }

    private static String secret(String body) {
        return json(post("/v1/keys", body)).get("secret").asString();
    }

    private static HttpResponse<String> patch(String path, String match, String body) {
        var request = server.request(path).header("Content-Type", "application/json");
        if (match != null) {
            request.header("If-Match", match);
        }
        return TestServer.send(
                request.method("PATCH", BodyPublishers.ofString(body)).build());
    }

    private static HttpResponse<String> post(String path, String body) {
        return server.send("POST", path, body);
    }

    private static String field(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isBetween(400, 499);
        return json(response).get("field").asString();
    }

    private static String submit(String body) {
        return json(post("/v1/jobs", body)).get("id").asString();
    }

    private static JsonNode json(HttpResponse<String> response) {
        return JSON.readTree(response.body());
    }
}
