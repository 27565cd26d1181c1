package dev.fairlane.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Resources;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.runtime.LeaseRef;
import dev.fairlane.runtime.WorkerSession;
import dev.fairlane.server.RecordingStream;
import dev.fairlane.server.TestServer;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Rules of tenants, and what types, jobs and workers say about resources and keys, by REST and back. */
class TenantsRestTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String FULL = """
            {"tier":"pro","weight":250,"submit_rate":5000,"max_open_jobs":1000,"in_flight":{"medium":7,"short":100},
             "reserved":{"long":2},"lanes":{"training":{"weight":20,"aging_ms":[0,1,2,3,4,5,6,7,8,9]},"ui":{"weight":50,"aging_ms":[]}},
             "key_limits":[{"kind":"concurrency","key":"user-7","limit":5,"per_ms":0},
              {"kind":"rate","key":"mail","limit":100,"per_ms":60000},{"kind":"concurrency","key":"user-*","limit":2,"per_ms":0}],
             "quotas":[{"kind":"jobs","soft":1,"hard":0},{"kind":"slot_seconds","soft":100000,"hard":200000}],"closed_types":true}""";
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
    void everyRuleComesBackAsItWasGiven() {
        JsonNode put = json(server.send("PUT", "/v1/tenants/full", FULL));
        JsonNode got = json(server.get("/v1/tenants/full"));
        assertThat(got).isEqualTo(put);
        assertThat(got.get("changed_at").asString()).startsWith("20");
        ObjectNode given = (ObjectNode) JSON.readTree(FULL);
        assertThat(((ObjectNode) got).without(List.of("name", "changed_at", "effective")))
                .isEqualTo(given);
        assertThat(server.node().tenant("full").rules().keyLimits()).hasSize(3);
    }

    @Test
    void aNewTenantIsStandardAndItsWeightFollowsItsTier() {
        JsonNode made = json(server.send("PUT", "/v1/tenants/plain", "{}"));
        assertThat(made.get("tier").asString()).isEqualTo("standard");
        assertThat(made.get("weight").asInt()).isEqualTo(10);
        assertThat(made.has("submit_rate")).isFalse();
        assertThat(json(server.send("PUT", "/v1/tenants/plain", "{\"tier\":\"enterprise\"}"))
                        .get("weight")
                        .asInt())
                .isEqualTo(1_000);
    }

    @Test
    void whatHoldsIsShownBesideWhatIsSet() {
        server.send("PUT", "/v1/tenants/holds", "{\"tier\":\"standard\"}");
        JsonNode tier = json(server.get("/v1/tenants/holds"));
        assertThat(tier.has("submit_rate")).isFalse();
        JsonNode effective = tier.get("effective");
        assertThat(effective.get("submit_rate").asInt()).isEqualTo(100);
        assertThat(effective.get("submit_burst").asInt()).isEqualTo(100);
        assertThat(effective.get("weight").asInt()).isEqualTo(10);
        assertThat(effective.get("max_open_jobs").asInt()).isEqualTo(10_000_000);
        assertThat(effective.get("open_jobs").asInt()).isZero();
        assertThat(effective.has("quenched")).isFalse();

        JsonNode own = json(server.send(
                        "PUT", "/v1/tenants/holds", "{\"submit_rate\":7,\"max_open_jobs\":5,\"weight\":20}"))
                .get("effective");
        assertThat(own.get("submit_rate").asInt()).isEqualTo(7);
        assertThat(own.get("max_open_jobs").asInt()).isEqualTo(5);
        assertThat(own.get("weight").asInt()).isEqualTo(20);
        assertThat(json(server.send("PUT", "/v1/tenants/holds", "{\"tier\":\"enterprise\",\"submit_rate\":0}"))
                        .get("effective")
                        .has("submit_rate"))
                .as("no bound")
                .isFalse();
    }

    @Test
    void aQuenchedTenantSaysSoAndASlowedOneToo() {
        String key = server.newKey("calm", "submitter");
        server.send("PUT", "/v1/tenants/calm", "{\"submit_rate\":100,\"quotas\":[{\"kind\":\"jobs\",\"soft\":1}]}");
        server.send("POST", "/v1/pauses", "{\"kind\":\"tenant\",\"name\":\"calm\",\"why\":\"unpaid\"}");
        JsonNode quenched =
                json(server.get("/v1/tenants/calm")).get("effective").get("quenched");
        assertThat(quenched.get("why").asString()).isEqualTo("unpaid");
        assertThat(quenched.get("since").asString()).startsWith("20");
        server.send("POST", "/v1/pauses:end", "{\"kind\":\"tenant\",\"name\":\"calm\"}");

        RecordingStream worker = new RecordingStream();
        worker.onLease(granted -> worker.session()
                .report(new WorkerSession.Report(
                        List.of(),
                        List.of(new WorkerSession.Success(
                                new LeaseRef(
                                        granted.spec().id(), granted.status().token()),
                                granted.spec().payload())),
                        List.of())));
        worker.connect(server.node(), new WorkerOffer("w-calm", null, List.of("calm"), Map.of("short", 1)));
        TestServer.send(HttpRequest.newBuilder(server.uri("/v1/jobs"))
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"type\":\"calm\"}"))
                .build());
        Awaitility.await()
                .until(() -> json(server.get("/v1/tenants/calm"))
                        .get("effective")
                        .get("slowed")
                        .asBoolean());
        JsonNode slowed = json(server.get("/v1/tenants/calm")).get("effective");
        assertThat(slowed.has("quenched")).isFalse();
        assertThat(slowed.get("submit_rate").asInt()).isEqualTo(50);
        assertThat(slowed.get("month_jobs").asInt()).isEqualTo(1);
        JsonNode pace = json(server.get("/v1/types/calm?tenant=calm")).get("pace");
        assertThat(pace.get("pool").asString()).isEqualTo("short");
        assertThat(pace.get("p95_ms").asDouble()).isPositive();
        assertThat(pace.get("estimate_ms").asDouble()).isPositive().isLessThan(10_000);
    }

    @Test
    void aTypeThatNeverRanIsThoughtToTakeWhatItsPoolSays() {
        server.send("PUT", "/v1/types/unseen", "{\"pool\":\"medium\"}");
        JsonNode pace = json(server.get("/v1/types/unseen")).get("pace");
        assertThat(pace.get("pool").asString()).isEqualTo("medium");
        assertThat(pace.get("estimate_ms").asDouble()).isEqualTo(60_000);
        assertThat(pace.has("p95_ms")).isFalse();
    }

    @Test
    void whatIsNotNamedStaysAndZeroTakesAway() {
        server.send("PUT", "/v1/tenants/part", FULL);
        JsonNode changed = json(server.send("PUT", "/v1/tenants/part", """
                {"in_flight":{"short":0},"lanes":{"ui":{}},"key_limits":[{"kind":"rate","key":"mail"}],"submit_rate":0,
                 "closed_types":false,"quotas":[{"kind":"jobs"}]}"""));
        assertThat(changed.get("weight").asInt()).isEqualTo(250);
        assertThat(changed.get("in_flight").toString()).isEqualTo("{\"medium\":7}");
        assertThat(changed.get("lanes").propertyNames()).containsExactly("training");
        assertThat(changed.get("key_limits")).hasSize(2);
        assertThat(changed.get("quotas")).hasSize(1);
        assertThat(changed.has("submit_rate")).isFalse();
        assertThat(changed.get("closed_types").asBoolean()).isFalse();
        JsonNode bare = json(server.send("PUT", "/v1/tenants/part", "{\"replace\":true}"));
        assertThat(bare.get("weight").asInt()).isEqualTo(10);
        assertThat(bare.has("lanes")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"tier\":\"gold\"} | tier",
                "{\"weight\":-1} | weight",
                "{\"submit_rate\":-1} | submit_rate",
                "{\"max_open_jobs\":100000001} | max_open_jobs",
                "{\"in_flight\":{\"short\":-1}} | in_flight.short",
                "{\"in_flight\":{\"\":1}} | in_flight",
                "{\"lanes\":{\"no lane\":{\"weight\":1}}} | lanes",
                "{\"lanes\":{\"x\":{\"weight\":100001}}} | lanes.x.weight",
                "{\"lanes\":{\"x\":{\"aging_ms\":[1,2]}}} | lanes.x.aging_ms",
                "{\"lanes\":{\"x\":{\"heavy\":1}}} | lanes.heavy",
                "{\"key_limits\":[{\"kind\":\"speed\",\"key\":\"a\",\"limit\":1}]} | key_limits.kind",
                "{\"key_limits\":[{\"kind\":\"rate\",\"key\":\"\",\"limit\":1,\"per_ms\":1}]} | key_limits.key",
                "{\"key_limits\":[{\"kind\":\"rate\",\"key\":\"a*b\",\"limit\":1,\"per_ms\":1}]} | key_limits.key",
                "{\"key_limits\":[{\"kind\":\"rate\",\"key\":\"a\",\"limit\":1}]} | key_limits.per_ms",
                "{\"key_limits\":[{\"kind\":\"concurrency\",\"key\":\"a\",\"limit\":1,\"per_ms\":5}]} | key_limits.per_ms",
                "{\"key_limits\":[{\"kind\":\"concurrency\",\"key\":\"a\",\"limit\":-1}]} | key_limits.limit",
                "{\"quotas\":[{\"kind\":\"jobs\",\"soft\":3,\"hard\":2}]} | quotas.soft",
                "{\"quotas\":[{\"kind\":\"jobs\",\"hard\":-2}]} | quotas.hard",
                "{\"quotas\":[{\"kind\":\"jobs\"},{\"kind\":\"jobs\"}]} | quotas.kind",
            })
    void whatIsOutOfShapeIsRefusedByName(String body, String field) {
        server.send("PUT", "/v1/tenants/kept", "{\"submit_rate\":7}");
        HttpResponse<String> refused = server.send("PUT", "/v1/tenants/kept", body);
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
        assertThat(json(refused).get("field").asString()).isEqualTo(field);
        JsonNode kept = json(server.get("/v1/tenants/kept"));
        assertThat(kept.get("submit_rate").asInt()).isEqualTo(7);
        assertThat(kept.get("weight").asInt()).isEqualTo(10);
    }

    @Test
    void anUnknownPoolAndTooMuchAreRefused() {
        HttpResponse<String> pool = server.send("PUT", "/v1/tenants/pools", "{\"reserved\":{\"huge\":1}}");
        assertThat(json(pool).get("code").asString()).isEqualTo("UNKNOWN_POOL");
        assertThat(server.get("/v1/tenants/pools").statusCode()).isEqualTo(404);
        String many = IntStream.range(0, 1_001)
                .mapToObj(i -> "\"l" + i + "\":{\"weight\":1}")
                .collect(Collectors.joining(",", "{\"lanes\":{", "}}"));
        assertThat(json(server.send("PUT", "/v1/tenants/pools", many))
                        .get("field")
                        .asString())
                .isEqualTo("lanes");
    }

    @Test
    void aTenantReadsItsOwnRulesAndChangesNone() {
        server.send("PUT", "/v1/tenants/theirs", "{}");
        String key = server.newKey("mine", "admin");
        assertThat(as(key, "GET", "/v1/tenants/mine", "").statusCode()).isEqualTo(200);
        assertThat(as(key, "GET", "/v1/tenants/theirs", "").statusCode()).isEqualTo(403);
        assertThat(as(key, "PUT", "/v1/tenants/mine", "{\"tier\":\"enterprise\"}")
                        .statusCode())
                .isEqualTo(403);
        String viewer = server.newKey("mine", "viewer");
        assertThat(as(viewer, "GET", "/v1/tenants/mine", "").statusCode()).isEqualTo(200);
        assertThat(server.get("/v1/tenants/nobody").statusCode()).isEqualTo(404);
    }

    @Test
    void aTypeSaysWhatItsJobsNeedAndJobsSayMore() {
        String rules = """
                {"rules":{"max_in_flight":9,"preemptible":true,"needs":{"fair_key":"f","concurrency_key":"c","rate_key":"r","rate_cost":3,
                 "demand":{"cpu_millis":2000,"memory_mib":4096,"gpus":1},"requires":["gpu-a100","arm","arm"]}}}""";
        JsonNode type = json(server.send("PUT", "/v1/types/render", rules));
        JsonNode got = json(server.get("/v1/types/render")).get("rules");
        assertThat(got).isEqualTo(type.get("rules"));
        assertThat(got.get("max_in_flight").asInt()).isEqualTo(9);
        assertThat(got.get("preemptible").asBoolean()).isTrue();
        assertThat(got.get("needs").toString())
                .isEqualTo(
                        "{\"fair_key\":\"f\",\"concurrency_key\":\"c\",\"rate_key\":\"r\",\"rate_cost\":3,"
                                + "\"demand\":{\"cpu_millis\":2000,\"memory_mib\":4096,\"gpus\":1},\"requires\":[\"arm\",\"gpu-a100\"]}");
        assertThat(needs("{\"type\":\"render\"}")).isEqualTo(got.get("needs"));
        JsonNode own = needs("""
                {"type":"render","fair_key":"u","concurrency_key":"user-7","rate_key":"x","rate_cost":2,"demand":{"gpus":4},
                 "requires":["big"]}""");
        assertThat(own.toString())
                .isEqualTo("{\"fair_key\":\"u\",\"concurrency_key\":\"user-7\",\"rate_key\":\"x\",\"rate_cost\":2,"
                        + "\"demand\":{\"cpu_millis\":0,\"memory_mib\":0,\"gpus\":4},\"requires\":[\"big\"]}");
        assertThat(needs("{\"type\":\"plain\"}")).isNull();
        assertThat(needs("{\"type\":\"render\",\"rate_cost\":1}")
                        .get("rate_cost")
                        .asInt())
                .as("one, whatever its type says")
                .isEqualTo(1);
        assertThat(needs("{\"type\":\"render\",\"fair_key\":\"u\"}")
                        .get("rate_cost")
                        .asInt())
                .isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"type\":\"t\",\"rate_cost\":-1} | rate_cost",
                "{\"type\":\"t\",\"demand\":{\"gpus\":-1}} | demand.gpus",
                "{\"type\":\"t\",\"demand\":{\"cpu_millis\":10000001}} | demand.cpu_millis",
                "{\"type\":\"t\",\"requires\":[\"\"]} | requires",
                "{\"type\":\"t\",\"requires\":[\"no tag\"]} | requires",
            })
    void needsThatNobodyCouldMeanAreRefused(String body, String field) {
        HttpResponse<String> refused = server.send("POST", "/v1/jobs", body);
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
        assertThat(json(refused).get("field").asString()).isEqualTo(field);
    }

    @Test
    void keysAndTagsOfAJobAreBounded() {
        for (String key : List.of("fair_key", "concurrency_key", "rate_key")) {
            assertThat(json(server.send(
                                    "POST", "/v1/jobs", "{\"type\":\"t\",\"" + key + "\":\"" + "x".repeat(201) + "\"}"))
                            .get("field")
                            .asString())
                    .isEqualTo(key);
        }
        String tags = IntStream.range(0, 17).mapToObj(i -> "\"t" + i + "\"").collect(Collectors.joining(","));
        assertThat(json(server.send("POST", "/v1/jobs", "{\"type\":\"t\",\"requires\":[" + tags + "]}"))
                        .get("field")
                        .asString())
                .isEqualTo("requires");
    }

    @Test
    void whatAWorkerHasIsShown() {
        RecordingStream stream = new RecordingStream();
        stream.connect(
                server.node(),
                new WorkerOffer(
                        "big", null, List.of("t"), Map.of("long", 2), new Resources(8_000, 65_536, 2), List.of("arm")));
        Awaitility.await().ignoreExceptions().untilAsserted(() -> {
            JsonNode worker = json(server.get("/v1/status"))
                    .get("workers")
                    .valueStream()
                    .filter(one -> one.get("worker").asString().equals("big"))
                    .findFirst()
                    .orElseThrow();
            assertThat(worker.get("resources").toString())
                    .isEqualTo("{\"cpu_millis\":8000,\"memory_mib\":65536,\"gpus\":2}");
            assertThat(worker.get("tags").toString()).isEqualTo("[\"arm\"]");
        });
        stream.session().close();
    }

    private static JsonNode needs(String job) {
        HttpResponse<String> submitted = server.send("POST", "/v1/jobs", job);
        assertThat(submitted.statusCode()).as(submitted.body()).isLessThan(300);
        return json(server.get("/v1/jobs/" + json(submitted).get("id").asString()))
                .get("needs");
    }

    private static HttpResponse<String> as(String key, String method, String path, String body) {
        return TestServer.send(HttpRequest.newBuilder(server.uri(path))
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    private static JsonNode json(HttpResponse<String> response) {
        return JSON.readTree(response.body());
    }
}
