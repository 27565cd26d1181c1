package dev.fairlane.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.server.TestServer;
import dev.fairlane.server.routes.RouteTable;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every operation of the served document, called once as it says and once without a key. */
class OpenApiConformanceTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Map<String, String> BODIES = Map.ofEntries(
            Map.entry("Jobs_Submit", "{\"type\":\"t\",\"payload\":[1],\"tags\":{\"a\":\"b\"}}"),
            Map.entry("Jobs_SubmitBatch", "{\"jobs\":[{\"type\":\"t\"},{\"type\":\"?\"}]}"),
            Map.entry("Jobs_SubmitStream", "{\"type\":\"t\"}\n"),
            Map.entry("Webhooks_RotateSecret", "{}"),
            Map.entry("Groups_CreateGroup", "{\"name\":\"n\"}"),
            Map.entry("Groups_SubmitGroup", "{\"jobs\":[{\"type\":\"t\"}]}"),
            Map.entry("Groups_CancelGroup", "{}"),
            Map.entry("Schedules_PutSchedule", "{\"cron\":\"@daily\",\"job\":{\"type\":\"t\",\"payload\":1}}"),
            Map.entry(
                    "Schedules_PutSchedules",
                    "{\"schedules\":[{\"name\":\"a\",\"spec\":{\"cron\":\"@daily\",\"job\":{\"type\":\"t\"}}},{\"name\":\"?\"}]}"),
            Map.entry("Schedules_PauseSchedule", "{\"why\":\"w\"}"),
            Map.entry("Schedules_PreviewSchedule", "{\"spec\":{\"cron\":\"@daily\"}}"),
            Map.entry("DeadLetters_ReplayJob", "{\"why\":\"w\"}"),
            Map.entry("DeadLetters_ReplayDead", "{\"filter\":{\"type\":\"t\"},\"why\":\"w\"}"),
            Map.entry("DeadLetters_PurgeDead", "{\"filter\":{\"all\":true},\"why\":\"w\"}"),
            Map.entry("Audit_EraseReason", "{\"tenant\":\"default\",\"sequence\":1}"),
            Map.entry("Admin_PutTenant", "{\"weight\":3,\"lanes\":{\"l\":{\"weight\":2}},\"in_flight\":{\"short\":1}}"),
            Map.entry("Admin_PutType", "{\"pool\":\"long\"}"),
            Map.entry("Admin_ReleaseType", "{}"),
            Map.entry("Admin_CreateKey", "{\"name\":\"n\",\"role\":\"viewer\"}"),
            Map.entry("Admin_DrainWorker", "{}"),
            Map.entry("Control_UpdateJob", "{\"priority\":1}"),
            Map.entry("Control_UpdateJob_POST", "{\"priority\":1}"),
            Map.entry("Control_ChangeJobs", "{\"action\":\"pause\",\"filter\":{\"type\":\"nobody\"}}"),
            Map.entry("Control_Pause", "{\"kind\":\"type\",\"name\":\"nobody\"}"),
            Map.entry("Control_Resume", "{\"kind\":\"type\",\"name\":\"nobody\"}"));

    /** What only a worker that is connected or holds a lease can do: here they are refused. */
    private static final Set<String> NEED_A_WORKER = Set.of(
            "Objects_SaveCheckpoint",
            "Objects_LoadCheckpoint",
            "Objects_SaveResult",
            "Objects_GetResult",
            "Admin_DrainWorker");

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
    void everyRouteAnswersAsTheDocumentSays() {
        JsonNode document = JSON.readTree(TestServer.send(
                        HttpRequest.newBuilder(server.uri("/openapi.json")).build())
                .body());
        int called = 0;
        for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
            for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
                if (method.getValue().has("operationId")) {
                    call(document, path.getKey(), method.getKey(), method.getValue());
                    called++;
                } else {
                    assertThat(server.get(path.getKey()).statusCode())
                            .as(path.getKey())
                            .isEqualTo(200);
                }
            }
        }
        assertThat(called)
                .isEqualTo(RouteTable.build().rpcs().stream()
                        .mapToInt(rpc -> rpc.bindings().size())
                        .sum());
    }

    private static void call(JsonNode document, String path, String method, JsonNode operation) {
        String id = operation.get("operationId").asString();
        HttpResponse<String> response = send(path, method, operation, true);
        String about = id + " → " + response.statusCode() + " " + response.body();
        if (NEED_A_WORKER.contains(id)) {
            assertThat(response.statusCode()).as(about).isIn(400, 404, 409);
            return;
        }
        if (id.equals("Objects_GetPayload")) {
            assertThat(response.statusCode()).as(about).isEqualTo(200); // the job's own type, not one of the document
            return;
        }
        JsonNode expected = operation.get("responses").get(Integer.toString(response.statusCode()));
        assertThat(expected).as(about).isNotNull();
        String type = response.headers().firstValue("content-type").orElse("").split(";")[0];
        JsonNode content = expected.get("content").get(type);
        assertThat(content).as(about).isNotNull();
        if (!type.equals("text/event-stream")) {
            check(
                    document,
                    content.get("schema"),
                    JSON.readTree(response.body().lines().findFirst().orElseThrow()),
                    about);
        }
        JsonNode problem = JSON.readTree(send(path, method, operation, false).body());
        check(document, JSON.createObjectNode().put("$ref", "#/components/schemas/ProblemDetails"), problem, about);
        assertThat(problem.get("status").asInt()).isEqualTo(401);
    }

    private static HttpResponse<String> send(String path, String method, JsonNode operation, boolean withKey) {
        String id = operation.get("operationId").asString();
        String filled = path.contains("/jobs/")
                ? path.replace("{id}", id.contains("Watch") || id.contains("Await") ? endedJob() : job())
                : path.replace("{name}", "some")
                        .replace(
                                "{id}",
                                path.contains("/operations/")
                                        ? operationId()
                                        : path.contains("/groups/") ? groupId(id.contains("Await")) : keyId());
        if (path.contains("/schedules/")) {
            server.send("PUT", filled.split(":")[0], BODIES.getOrDefault("Schedules_PutSchedule", ""));
        }
        if (id.equals("Control_Resume_DELETE")) {
            filled += "?kind=type&name=nobody";
        }
        HttpRequest.Builder request = withKey ? server.request(filled) : HttpRequest.newBuilder(server.uri(filled));
        JsonNode body = operation.path("requestBody").path("content");
        if (!body.isMissingNode()) {
            request.header("Content-Type", body.propertyNames().iterator().next());
        }
        request.method(method.toUpperCase(java.util.Locale.ROOT), BodyPublishers.ofString(BODIES.getOrDefault(id, "")));
        return TestServer.send(request.build());
    }

    private static String groupId(boolean done) {
        String id = JSON.readTree(server.send("POST", "/v1/groups", "{}").body())
                .get("id")
                .asString();
        if (done) {
            server.send("POST", "/v1/groups/" + id + ":seal", "");
        }
        return id;
    }

    /** Enough of JSON Schema for what we write ourselves: references, types, known and required members. */
    private static void check(JsonNode document, JsonNode schema, JsonNode value, String about) {
        if (schema.has("$ref")) {
            check(document, document.at(schema.get("$ref").asString().substring(1)), value, about);
            return;
        }
        switch (schema.path("type").asString("")) {
            case "object" -> {
                assertThat(value.isObject()).as(about).isTrue();
                JsonNode properties = schema.path("properties");
                if (!properties.isMissingNode()) {
                    assertThat(new TreeSet<>(properties.propertyNames()))
                            .as(about)
                            .containsAll(value.propertyNames());
                    schema.path("required")
                            .forEach(name -> assertThat(value.has(name.asString()))
                                    .as(about + name)
                                    .isTrue());
                    value.properties()
                            .forEach(member ->
                                    check(document, properties.get(member.getKey()), member.getValue(), about));
                }
            }
            case "array" -> value.forEach(item -> check(document, schema.get("items"), item, about));
            case "string" -> {
                assertThat(value.isString()).as(about).isTrue();
                if (schema.has("enum")) {
                    assertThat(schema.get("enum").toString()).contains("\"" + value.asString() + "\"");
                }
            }
            case "integer" -> assertThat(value.isIntegralNumber()).as(about).isTrue();
            case "number" -> assertThat(value.isNumber()).as(about).isTrue();
            case "boolean" -> assertThat(value.isBoolean()).as(about).isTrue();
            default -> {} // any JSON
        }
    }

    private static String job() {
        return JSON.readTree(server.send("POST", "/v1/jobs", "{\"type\":\"t\",\"payload\":1}")
                        .body())
                .get("id")
                .asString();
    }

    private static String endedJob() {
        String id = job();
        TestServer.send(server.request("/v1/jobs/" + id).DELETE().build());
        return id;
    }

    private static String operationId() {
        return JSON.readTree(server.send("POST", "/v1/jobs:bulk", BODIES.getOrDefault("Control_ChangeJobs", ""))
                        .body())
                .get("id")
                .asString();
    }

    private static String keyId() {
        return JSON.readTree(
                        server.send("POST", "/v1/keys", "{\"role\":\"viewer\"}").body())
                .get("key")
                .get("id")
                .asString();
    }
}
