package dev.fairlane.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.runtime.LeaseRef;
import dev.fairlane.runtime.WorkerSession;
import dev.fairlane.server.RecordingStream;
import dev.fairlane.server.TestServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RestApiTest {
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
    void aJobIsMadeAndFoundAtItsLocation() {
        HttpResponse<String> made = server.send("POST", "/v1/jobs", """
                {"type": "rest", "payload": {"to": "ä", "n": 1.50}, "priority": 1, "tags": {"a": "b"}}""");
        assertThat(made.statusCode()).isEqualTo(201);
        JsonNode answer = json(made);
        assertThat(answer.get("state").asString()).isEqualTo("QUEUED");
        String location = made.headers().firstValue("location").orElseThrow();
        assertThat(location).isEqualTo("/v1/jobs/" + answer.get("id").asString());
        JsonNode job = json(server.get(location));
        assertThat(job.get("payload").toString()).isEqualTo("{\"to\":\"ä\",\"n\":1.50}".replace("1.50", "1.5"));
        assertThat(job.get("tenant").asString()).isEqualTo("default");
        assertThat(job.get("priority").asInt()).isEqualTo(1);
        assertThat(job.get("tags").get("a").asString()).isEqualTo("b");
        assertThat(job.get("submitted_at").asString()).startsWith("20").endsWith("Z");
        assertThat(job.has("ended_at")).isFalse();
    }

    @Test
    void theIdempotencyKeyHeaderIsTheField() {
        String body = "{\"type\":\"keyed\",\"payload\":1}";
        HttpResponse<String> first = keyed(body, "k1");
        HttpResponse<String> again = keyed(body, "k1");
        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(json(again).get("existing").asBoolean()).isTrue();
        assertThat(json(again).get("id")).isEqualTo(json(first).get("id"));
        HttpResponse<String> reused = keyed("{\"type\":\"keyed\",\"payload\":2}", "k1");
        assertThat(reused.statusCode()).isEqualTo(409);
        assertThat(reused.headers().firstValue("content-type")).contains("application/problem+json");
        assertThat(json(reused).get("code").asString()).isEqualTo("IDEMPOTENCY_KEY_REUSED");
        assertThat(json(reused).get("type").asString()).isEqualTo("/problems/idempotency-key-reused");
        HttpResponse<String> both = keyed("{\"type\":\"keyed\",\"idempotency_key\":\"other\"}", "k1");
        assertThat(json(both).get("field").asString()).isEqualTo("idempotency_key");
    }

    @Test
    void itemsOfABatchAreIndependent() {
        HttpResponse<String> answer = server.send("POST", "/v1/jobs:batch", """
                {"jobs": [{"type": "b"}, {"type": "not a type"}, {"type": "b", "priority": 77}, {"type": "b"}], "tag": 7}""");
        assertThat(answer.statusCode()).isEqualTo(200);
        JsonNode items = json(answer).get("items");
        assertThat(items).hasSize(4);
        assertThat(items.get(0).has("id")).isTrue();
        assertThat(items.get(1).get("problem").get("field").asString()).isEqualTo("type");
        assertThat(items.get(2).get("problem").get("code").asString()).isEqualTo("INVALID_ARGUMENT");
        assertThat(items.get(3).has("id")).isTrue();
        assertThat(json(answer).get("tag").asLong()).isEqualTo(7);
    }

    @Test
    void aStreamOfLinesIsAnsweredLineByLine() {
        int count = 5_000;
        String lines = IntStream.range(0, count)
                .mapToObj(i -> i % 1_000 == 7 ? "{\"type\": oops" : "{\"type\":\"line\",\"payload\":" + i + "}")
                .collect(Collectors.joining("\n", "", "\n\n"));
        HttpResponse<String> answer = TestServer.send(server.request("/v1/jobs:stream")
                .header("Content-Type", "application/x-ndjson")
                .POST(BodyPublishers.ofString(lines))
                .build());
        assertThat(answer.statusCode()).isEqualTo(200);
        List<String> answers = answer.body().lines().toList();
        assertThat(answers).hasSize(count);
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < count; i++) {
            JsonNode item = JSON.readTree(answers.get(i));
            if (i % 1_000 == 7) {
                assertThat(item.get("problem").get("code").asString()).isEqualTo("MALFORMED_REQUEST");
            } else {
                ids.add(item.get("id").asString());
            }
        }
        assertThat(ids).hasSize(count - 5);
    }

    @Test
    void listsGoOnWhereTheyStopped() {
        String position = "";
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            JsonNode answer = json(server.send("POST", "/v1/jobs", "{\"type\":\"listed\"}"));
            made.addFirst(answer.get("id").asString());
            position = answer.get("position").asString();
        }
        String path = "/v1/jobs?type=listed&state=QUEUED&state=SCHEDULED&page_size=2&min_position=" + position;
        List<String> seen = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = json(server.get(path + (cursor.isEmpty() ? "" : "&cursor=" + cursor)));
            page.get("jobs").forEach(job -> seen.add(job.get("id").asString()));
            cursor = page.path("next_cursor").asString("");
        } while (!cursor.isEmpty());
        assertThat(seen).isEqualTo(made);
        String next = json(server.get(path)).get("next_cursor").asString();
        HttpResponse<String> mixed = server.get("/v1/jobs?type=other&cursor=" + next);
        assertThat(json(mixed).get("code").asString()).isEqualTo("INVALID_CURSOR");
    }

    @Test
    void deleteIsCancel() {
        String id = submit("{\"type\":\"doomed\"}");
        JsonNode first =
                json(TestServer.send(server.request("/v1/jobs/" + id).DELETE().build()));
        assertThat(first.get("outcome").asString()).isEqualTo("cancelled");
        JsonNode again = json(TestServer.send(server.request("/v1/jobs/" + id + ":cancel")
                .POST(BodyPublishers.noBody())
                .build()));
        assertThat(again.get("outcome").asString()).isEqualTo("already_done");
        assertThat(again.get("state").asString()).isEqualTo("CANCELLED");
    }

    @Test
    void awaitAndWatchSeeTheEnd() {
        String id = submit("{\"type\":\"watched\",\"payload\":{\"a\":\n1}}");
        JsonNode waiting = json(server.get("/v1/jobs/" + id + ":await?timeout_ms=1"));
        assertThat(waiting.get("state").asString()).isEqualTo("QUEUED");
        RecordingStream stream = new RecordingStream();
        stream.onLease(granted -> {
            WorkerSession session = stream.session();
            LeaseRef lease = new LeaseRef(granted.spec().id(), granted.status().token());
            session.report(new WorkerSession.Report(
                    List.of(lease),
                    List.of(new WorkerSession.Success(lease, new Payload("\"done\"".getBytes(), Payload.JSON))),
                    List.of()));
        });
        stream.connect(server.node(), new WorkerOffer("w", null, List.of("watched"), Map.of("short", 1)));
        JsonNode ended = json(server.get("/v1/jobs/" + id + ":await"));
        assertThat(ended.get("state").asString()).isEqualTo("SUCCEEDED");
        assertThat(ended.get("result").asString()).isEqualTo("done");
        assertThat(ended.has("ended_at")).isTrue();
        HttpResponse<String> events = server.get("/v1/jobs/" + id + ":watch");
        assertThat(events.headers().firstValue("content-type").orElseThrow()).startsWith("text/event-stream");
        assertThat(events.body())
                .contains("event:job")
                .contains("\"state\":\"SUCCEEDED\"")
                .contains("id:");
        String last = events.body()
                .lines()
                .filter(line -> line.startsWith("id:"))
                .findFirst()
                .orElseThrow()
                .substring(3);
        HttpResponse<String> resumed = TestServer.send(server.request("/v1/jobs/" + id + ":watch")
                .header("Last-Event-ID", last.strip())
                .build());
        assertThat(resumed.body()).doesNotContain("event:job");
        stream.session().close();
    }

    @Test
    void tenantsTypesAndKeysAreGoverned() {
        assertThat(json(server.send("PUT", "/v1/tenants/acme", "{\"weight\": 50}"))
                        .get("weight")
                        .asInt())
                .isEqualTo(50);
        assertThat(server.get("/v1/tenants").body()).contains("\"acme\"").contains("\"default\"");
        JsonNode type = json(server.send("PUT", "/v1/types/mail%2Fsend", "{\"pool\":\"medium\",\"tenant\":\"acme\"}"));
        assertThat(type.get("name").asString()).isEqualTo("mail/send");
        assertThat(type.get("tenant").asString()).isEqualTo("acme");
        assertThat(server.get("/v1/types?tenant=acme").body()).contains("mail/send");
        assertThat(json(server.send("PUT", "/v1/types/x", "{\"pool\":\"huge\"}"))
                        .get("code")
                        .asString())
                .isEqualTo("UNKNOWN_POOL");
        HttpResponse<String> made =
                server.send("POST", "/v1/keys", "{\"name\":\"ci\",\"tenant\":\"acme\",\"role\":\"submitter\"}");
        assertThat(made.statusCode()).isEqualTo(201);
        String id = json(made).get("key").get("id").asString();
        assertThat(server.get("/v1/keys").body())
                .contains(id)
                .doesNotContain(json(made).get("secret").asString());
        JsonNode revoked =
                json(TestServer.send(server.request("/v1/keys/" + id).DELETE().build()));
        assertThat(revoked.has("revoked_at")).isTrue();
        assertThat(server.send("POST", "/v1/keys", "{\"tenant\":\"nobody\",\"role\":\"viewer\"}")
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void aKeyThatSeesAllTenantsMayNameOne() {
        server.send("PUT", "/v1/tenants/named", "{}");
        HttpResponse<String> made = TestServer.send(server.request("/v1/jobs")
                .header("Content-Type", "application/json")
                .header("Fairlane-Tenant", "named")
                .POST(BodyPublishers.ofString("{\"type\":\"t\"}"))
                .build());
        JsonNode job = json(server.get(made.headers().firstValue("location").orElseThrow()));
        assertThat(job.get("tenant").asString()).isEqualTo("named");
    }

    @Test
    void operationsAreServed() {
        assertThat(TestServer.send(java.net.http.HttpRequest.newBuilder(server.uri("/healthz"))
                                .build())
                        .statusCode())
                .isEqualTo(200);
        assertThat(TestServer.send(java.net.http.HttpRequest.newBuilder(server.uri("/readyz"))
                                .build())
                        .body())
                .isEqualTo("serving\n");
        assertThat(TestServer.send(java.net.http.HttpRequest.newBuilder(server.uri("/openapi.json"))
                                .build())
                        .body())
                .contains("\"openapi\"");
        assertThat(TestServer.send(java.net.http.HttpRequest.newBuilder(server.uri("/metrics"))
                                .build())
                        .statusCode())
                .isEqualTo(401);
        String metrics = server.get("/metrics").body();
        assertThat(metrics)
                .contains("fairlane_jobs_submitted_total ")
                .contains("fairlane_queue_depth{pool=\"short\"}")
                .contains("fairlane_oldest_job_age_seconds{pool=\"short\"}")
                .contains("fairlane_commit_seconds_total ")
                .contains("jvm_memory_used_bytes");
        JsonNode status = json(server.get("/v1/status"));
        assertThat(status.get("state").asString()).isEqualTo("serving");
        assertThat(status.get("version").asString()).matches("\\d.*");
    }

    @Test
    void aFreshStatusHasSeenWhatWasAnsweredBefore() {
        for (int i = 0; i < 3; i++) {
            long before = submitted();
            submit("{\"type\":\"fresh\"}");
            assertThat(submitted()).isEqualTo(before + 1);
        }
    }

    private static long submitted() {
        return json(server.get("/v1/status?fresh=true")).get("submitted").asLong();
    }

    @Test
    void nothingIsThereTwice() {
        assertThat(server.get("/v1/nothing").statusCode()).isEqualTo(404);
        assertThat(json(server.get("/elsewhere")).get("code").asString()).isEqualTo("ROUTE_NOT_FOUND");
        HttpResponse<String> wrong = server.send("PATCH", "/v1/jobs", "{}");
        assertThat(wrong.statusCode()).isEqualTo(405);
        assertThat(wrong.headers().firstValue("allow")).contains("GET, POST");
        assertThat(ByteString.copyFromUtf8(wrong.body()).isEmpty()).isFalse();
    }

    private static HttpResponse<String> keyed(String body, String key) {
        return TestServer.send(server.request("/v1/jobs")
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(body))
                .build());
    }

    private static String submit(String body) {
        return json(server.send("POST", "/v1/jobs", body)).get("id").asString();
    }

    private static JsonNode json(HttpResponse<String> response) {
        return JSON.readTree(response.body());
    }
}
