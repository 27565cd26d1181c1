package dev.fairlane.server.objects;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.PayloadRef;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.objects.LocalDisk;
import dev.fairlane.objects.ObjectStore;
import dev.fairlane.server.RecordingStream;
import dev.fairlane.server.TestServer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Payloads above 256 KiB: stored first, submitted by reference. */
class StoredPayloadsTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String LARGE = "x".repeat(300_000);

    @TempDir
    private Path home;

    private TestServer server;

    @BeforeEach
    void start() {
        server = TestServer.start(home);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private HttpResponse<String> store(String query, String body, String... headers) {
        HttpRequest.Builder request = server.request("/v1/objects" + query).POST(BodyPublishers.ofString(body));
        return TestServer.send((headers.length == 0 ? request : request.headers(headers)).build());
    }

    private String stored(String body) {
        HttpResponse<String> answer = store("", body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body()).get("ref").asString();
    }

    private HttpResponse<String> submit(String ref, String more) {
        return server.send(
                "POST",
                "/v1/jobs",
                "{\"type\":\"big\",\"content_type\":\"text/plain\",\"payload_ref\":\"" + ref + "\"" + more + "}");
    }

    private JsonNode job(HttpResponse<String> submitted) {
        assertThat(submitted.statusCode()).as(submitted.body()).isLessThan(300);
        String id = JSON.readTree(submitted.body()).get("id").asString();
        return JSON.readTree(server.get("/v1/jobs/" + id).body());
    }

    private static String code(HttpResponse<String> answer) {
        return JSON.readTree(answer.body()).path("code").asString("");
    }

    @Test
    void aLargePayloadIsStoredSubmittedShownAndRead() throws Exception {
        JsonNode stored = JSON.readTree(store("", LARGE).body());
        String sha256 =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(LARGE.getBytes(UTF_8)));
        assertThat(stored.get("sha256").asString()).isEqualTo(sha256);
        assertThat(stored.get("bytes").asLong()).isEqualTo(LARGE.length());

        JsonNode job = job(submit(stored.get("ref").asString(), ""));

        assertThat(job.get("payload_bytes").asLong()).isEqualTo(LARGE.length());
        assertThat(job.get("content_type").asString()).isEqualTo("text/plain");
        String path = "/v1/jobs/" + job.get("id").asString() + "/payload";
        assertThat(server.get(path).body()).isEqualTo(LARGE);
        assertThat(TestServer.send(server.request(path)
                                .header("Range", "bytes=0-9")
                                .GET()
                                .build())
                        .body())
                .hasSize(10);
        assertThat(server.get("/v1/jobs").body()).doesNotContain(PayloadRef.CONTENT_TYPE);
    }

    @Test
    void aWorkerIsToldWhereItIs() {
        RecordingStream stream = new RecordingStream();
        server.node().connect(new WorkerOffer("w", null, List.of("big"), Map.of("short", 1)), List.of(), stream);
        job(submit(stored(LARGE), ""));
        await().until(() -> !stream.leases.isEmpty());
        PayloadRef ref =
                PayloadRef.of(stream.leases.getFirst().spec().payload()).orElseThrow();
        assertThat(ref.size()).isEqualTo(LARGE.length());
        assertThat(ref.digest()).hasSize(64);
    }

    @Test
    void aReferenceBelongsToOneJob() {
        String ref = stored(LARGE);
        JsonNode first = job(submit(ref, ""));
        HttpResponse<String> again = submit(ref, "");
        assertThat(job(again).get("id")).isEqualTo(first.get("id"));
        assertThat(JSON.readTree(again.body()).get("existing").asBoolean()).isTrue();
    }

    @Test
    void theSameBytesStoredTwiceAreTheSameBodyUnderAKey() {
        JsonNode first = job(submit(stored(LARGE), ",\"idempotency_key\":\"k\""));
        JsonNode second = job(submit(stored(LARGE), ",\"idempotency_key\":\"k\""));
        assertThat(second.get("id")).isEqualTo(first.get("id"));
        assertThat(code(submit(stored(LARGE + "y"), ",\"idempotency_key\":\"k\"")))
                .isEqualTo("IDEMPOTENCY_KEY_REUSED");
    }

    @Test
    void anotherTenantsReferenceIsNotFound() {
        String ref = stored(LARGE);
        server.send("PUT", "/v1/tenants/other", "{\"weight\":10}");
        HttpResponse<String> refused = TestServer.send(server.request("/v1/jobs")
                .header("Content-Type", "application/json")
                .header("Fairlane-Tenant", "other")
                .POST(BodyPublishers.ofString("{\"type\":\"big\",\"payload_ref\":\"" + ref + "\"}"))
                .build());
        assertThat(code(refused)).isEqualTo("OBJECT_NOT_FOUND");
        JsonNode job = job(submit(ref, ""));
        HttpResponse<String> bytes =
                TestServer.send(server.request("/v1/jobs/" + job.get("id").asString() + "/payload")
                        .header("Fairlane-Tenant", "other")
                        .GET()
                        .build());
        assertThat(code(bytes)).isEqualTo("JOB_NOT_FOUND");
    }

    @Test
    void forgedReferencesAreRefused() {
        String ref = stored(LARGE);
        String inline = JSON.readTree(
                        server.send("POST", "/v1/jobs", "{\"type\":\"small\"}").body())
                .get("id")
                .asString();
        String digest = ref.substring(ref.lastIndexOf('/') + 1);
        assertThat(code(submit("payloads/default/" + inline + "/" + digest, "")))
                .as("an id of a job without such bytes")
                .isEqualTo("OBJECT_NOT_FOUND");
        assertThat(code(submit(ref.replaceAll("-\\d+$", "-7"), "")))
                .as("another size")
                .isEqualTo("OBJECT_NOT_FOUND");
        for (String bad : List.of(
                "payloads/default/../../etc/passwd",
                "results/default/" + inline + "/" + digest,
                "payloads/default/not-an-id/" + digest,
                ref + "/more",
                "nothing")) {
            assertThat(code(submit(bad, ""))).as(bad).isEqualTo("INVALID_ARGUMENT");
        }
        assertThat(code(submit(ref, ",\"payload_base64\":\"aGVsbG8=\""))).isEqualTo("INVALID_ARGUMENT");
        assertThat(code(server.send(
                        "POST",
                        "/v1/jobs",
                        "{\"type\":\"t\",\"payload_base64\":\"aGk=\",\"content_type\":\"" + PayloadRef.CONTENT_TYPE
                                + "\"}")))
                .isEqualTo("INVALID_ARGUMENT");
    }

    @Test
    void whatIsMissingIsRefusedAloneInABatch() {
        String gone = stored(LARGE);
        try (ObjectStore store = LocalDisk.open(home.resolve("objects"))) {
            store.delete(gone.substring(0, gone.lastIndexOf('/') + 1) + "bytes");
        }
        String body = "{\"jobs\":[{\"type\":\"a\"},{\"type\":\"b\",\"payload_ref\":\"" + gone
                + "\"},{\"type\":\"c\",\"payload_ref\":\"" + stored(LARGE) + "\"}]}";
        JsonNode answer =
                JSON.readTree(server.send("POST", "/v1/jobs:batch", body).body());
        assertThat(answer.at("/items/0/id").asString()).isNotEmpty();
        assertThat(answer.at("/items/1/problem/code").asString()).isEqualTo("OBJECT_NOT_FOUND");
        assertThat(answer.at("/items/2/id").asString()).isNotEmpty();
    }

    @Test
    void bytesThatCameOtherwiseOrAreTooManyAreNotKept() {
        assertThat(code(store("?sha256=" + "0".repeat(64), "hello"))).isEqualTo("INVALID_ARGUMENT");
        assertThat(code(store("?sha256=abc", "hello"))).isEqualTo("INVALID_ARGUMENT");
        assertThat(code(store("", "x".repeat((4 << 20) + 1)))).isEqualTo("OBJECT_TOO_LARGE");
        try (ObjectStore store = LocalDisk.open(home.resolve("objects"))) {
            assertThat(store.list(StoredPayloads.FOLDER, "", 10).objects()).isEmpty();
        }
    }

    @Test
    void aTypeWithASchemaTakesNoReference() {
        server.send(
                "PUT",
                "/v1/types/big",
                "{\"pool\":\"short\",\"rules\":{\"payload_schema\":\"{\\\"type\\\":\\\"object\\\"}\"}}");
        assertThat(code(submit(stored(LARGE), ""))).isEqualTo("SCHEMA_MISMATCH");
    }

    @Test
    void whatNoJobWasSubmittedWithGoesAfterADay() {
        String used = stored(LARGE);
        job(submit(used, ""));
        String unused = stored(LARGE);
        try (ObjectStore store = LocalDisk.open(home.resolve("objects"))) {
            assertThat(sweep(store, Duration.ofHours(23))).isZero();
            assertThat(sweep(store, Duration.ofHours(25))).isEqualTo(1);
            assertThat(store.list(StoredPayloads.FOLDER, "", 10).objects())
                    .singleElement()
                    .satisfies(
                            object -> assertThat(used).startsWith(object.name().replace("bytes", "")));
        }
        assertThat(code(submit(unused, ""))).isEqualTo("OBJECT_NOT_FOUND");
    }

    private int sweep(ObjectStore store, Duration later) {
        Instant then = Clock.systemUTC().instant().plus(later);
        return new Sweep(server.node(), store, InstantSource.fixed(then), Duration.ofHours(24)).run();
    }

    @Test
    void aPayloadInTheCallIsReadTheSameWay() {
        String id = JSON.readTree(server.send("POST", "/v1/jobs", "{\"type\":\"small\",\"payload\":{\"a\":1}}")
                        .body())
                .get("id")
                .asString();
        HttpResponse<String> payload = server.get("/v1/jobs/" + id + "/payload");
        assertThat(payload.body()).isEqualTo("{\"a\":1}");
        assertThat(payload.headers().firstValue("content-type")).contains(Payload.JSON);
    }
}
