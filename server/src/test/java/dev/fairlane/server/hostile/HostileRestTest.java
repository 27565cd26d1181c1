package dev.fairlane.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.server.TestServer;
import dev.fairlane.server.admit.Limits;
import dev.fairlane.server.auth.Role;
import dev.fairlane.server.routes.HttpBinding;
import dev.fairlane.server.routes.RouteTable;
import dev.fairlane.server.routes.Rpc;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every REST route of the table × every bad way to call it: a 4xx with a stable code, and nothing stored. */
class HostileRestTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Set<String> STREAMS = Set.of("SubmitStream");
    private static final String NO_SUCH_JOB = "0199d6c5-0000-7000-8000-000000000000";

    private static TestServer server;
    private static Hostile hostile;
    private static String before;
    private static String jobOfDefault;

    @BeforeAll
    static void start(@TempDir Path home) {
        server = TestServer.start(home);
        hostile = new Hostile(server);
        jobOfDefault = JSON.readTree(
                        server.send("POST", "/v1/jobs", "{\"type\":\"t\"}").body())
                .get("id")
                .asString();
        before = hostile.storedByNow();
    }

    @AfterAll
    static void stop() {
        String after = hostile.storedByNow();
        server.close();
        assertThat(after).isEqualTo(before);
    }

    @TestFactory
    Stream<DynamicTest> everyRouteRefusesBadInput() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Rpc rpc : RouteTable.build().rpcs()) {
            for (HttpBinding binding : rpc.bindings()) {
                String name = binding.method() + " " + binding.path() + ": ";
                tests.add(dynamicTest(name + "keys", () -> untouched(() -> keys(rpc, binding))));
                tests.add(dynamicTest(name + "roles", () -> untouched(() -> roles(rpc, binding))));
                tests.add(dynamicTest(name + "tenants", () -> untouched(() -> tenants(rpc, binding))));
                tests.add(dynamicTest(name + "paths", () -> untouched(() -> paths(binding))));
                tests.add(dynamicTest(name + "queries", () -> untouched(() -> queries(rpc, binding))));
                tests.add(dynamicTest(name + "bodies", () -> untouched(() -> bodies(rpc, binding))));
            }
        }
        return tests.stream();
    }

    private static void untouched(Runnable attack) {
        attack.run();
        assertThat(hostile.stored()).isEqualTo(before);
    }

    private static void keys(Rpc rpc, HttpBinding binding) {
        refused(send(binding, path(binding, jobOfDefault), null, body(rpc)), Set.of(ErrorCode.UNAUTHENTICATED));
        for (String authorization : hostile.badAuthorizations()) {
            refused(
                    send(binding, path(binding, jobOfDefault), authorization, body(rpc)),
                    Set.of(ErrorCode.UNAUTHENTICATED));
        }
    }

    private static void roles(Rpc rpc, HttpBinding binding) {
        for (Role role : Role.values()) {
            if (!rpc.roles().contains(role)) {
                refused(
                        send(binding, path(binding, jobOfDefault), "Bearer " + hostile.key(role), body(rpc)),
                        Set.of(ErrorCode.PERMISSION_DENIED));
            }
        }
    }

    /** A key of another tenant: not found, not allowed, or an answer without anything of ours. */
    private static void tenants(Rpc rpc, HttpBinding binding) {
        for (Role role : rpc.roles()) {
            boolean submits = rpc.method().getName().startsWith("Submit");
            if (!submits) {
                HttpResponse<String> response = send(
                        binding,
                        path(binding, jobOfDefault),
                        "Bearer " + hostile.keyOfAnother(role),
                        naming(rpc, binding));
                assertThat(response.statusCode()).as(response.body()).isLessThan(500);
                assertThat(response.body()).doesNotContain("\"default\"");
                if (binding.path().variables().contains("id")) {
                    refused(
                            response,
                            Set.of(
                                    ErrorCode.JOB_NOT_FOUND,
                                    ErrorCode.WORKER_NOT_FOUND,
                                    ErrorCode.KEY_NOT_FOUND,
                                    ErrorCode.OPERATION_NOT_FOUND,
                                    ErrorCode.GROUP_NOT_FOUND));
                }
            }
            HttpRequest.Builder naming = HttpRequest.newBuilder(server.uri(path(binding, jobOfDefault)))
                    .header("Authorization", "Bearer " + hostile.keyOfAnother(role))
                    .header("Fairlane-Tenant", "default")
                    .method(binding.method(), BodyPublishers.ofString("{}"));
            refused(TestServer.send(naming.build()), Set.of(ErrorCode.PERMISSION_DENIED));
        }
    }

    private static void paths(HttpBinding binding) {
        if (binding.path().variables().isEmpty()) {
            return;
        }
        for (String text : Hostile.TEXTS) {
            String encoded = URLEncoder.encode(
                            text.length() > 3_000 ? text.substring(0, 3_000) : text, StandardCharsets.UTF_8)
                    .replace("+", "%20");
            refused(admin(binding, path(binding, encoded), "{}"), null);
        }
        refused(admin(binding, path(binding, "%zz".replace("zz", "C3%28")), "{}"), null);
        if (binding.path().toString().contains("/jobs/")) {
            refused(admin(binding, path(binding, "00000000-0000-4000-8000-000000000000"), "{}"), null);
            refused(admin(binding, path(binding, NO_SUCH_JOB), change(binding)), Set.of(ErrorCode.JOB_NOT_FOUND));
        }
    }

    private static void queries(Rpc rpc, HttpBinding binding) {
        String path = path(binding, jobOfDefault);
        refused(admin(binding, path + "?no_such_thing=1", body(rpc)), null);
        for (var field : rpc.method().getInputType().getFields()) {
            // a text to search for may be anything people write
            boolean free = field.getName().equals("text");
            if (free || !binding.inQuery(field.getName()) || rpc.method().isClientStreaming()) {
                continue;
            }
            for (String text : Hostile.TEXTS) {
                String value = URLEncoder.encode(
                        text.length() > 3_000 ? text.substring(0, 3_000) : text, StandardCharsets.UTF_8);
                refused(admin(binding, path + "?" + field.getName() + "=" + value, ""), null);
            }
            refused(admin(binding, path + "?" + field.getName() + "=~9999999999999999999999", ""), null);
        }
    }

    private static void bodies(Rpc rpc, HttpBinding binding) {
        if (rpc.method().getName().equals("PutPayload")) {
            return; // any bytes are a payload; how many, and whose, is tested with the uploads
        }
        String path = path(binding, "x");
        for (String body : List.of(
                "{",
                "[]",
                "null",
                "\"a\"",
                "1",
                "{\"a\":}",
                "{\"no_such_field\":1}",
                "\u0000",
                "{}{}",
                "{\"" + "x".repeat(70_000) + "\":1}",
                "{\"a\":" + "[".repeat(50_000),
                "{\"jobs\":" + "[".repeat(200) + "]".repeat(200) + "}",
                "[".repeat(100_000))) {
            hostileBody(rpc, binding, path, body);
        }
        for (var field : (binding.hasBody() && !binding.body().equals("*")
                        ? rpc.method()
                                .getInputType()
                                .findFieldByName(binding.body())
                                .getMessageType()
                        : rpc.method().getInputType())
                .getFields()) {
            for (String value : List.of(
                    "null", "[[]]", "{\"a\":{}}", "1e400", "-1", "99999999999999999999999999", "\"\\u0000\"", "true")) {
                if (!field.getName().equals("payload") && !inPlace(rpc, field.getName(), value)) {
                    hostileBody(rpc, binding, path, "{\"" + field.getName() + "\":" + value + "}");
                }
            }
            hostileBody(rpc, binding, path, "{\"" + field.getName() + "\":1,\"" + field.getName() + "\":1}");
        }
        if (binding.hasBody() && !rpc.raw() && !STREAMS.contains(rpc.method().getName())) {
            refused(admin(binding, path, " ".repeat(Limits.CALL_BYTES + 10)), Set.of(ErrorCode.CALL_TOO_LARGE));
            refused(
                    TestServer.send(server.request(path)
                            .header("Content-Type", "text/xml")
                            .method(binding.method(), BodyPublishers.ofString("<a/>"))
                            .build()),
                    Set.of(ErrorCode.UNSUPPORTED_MEDIA_TYPE));
        }
    }

    /** A tenant may be put with nothing but this. */
    private static boolean inPlace(Rpc rpc, String field, String value) {
        return rpc.method().getName().equals("PutTenant")
                && (Set.of("closed_types", "replace").contains(field) && value.equals("true")
                        || field.equals("lanes") && value.equals("{\"a\":{}}"));
    }

    /** A stream of lines answers each bad line in place; everything else is refused whole. */
    private static void hostileBody(Rpc rpc, HttpBinding binding, String path, String body) {
        HttpResponse<String> response = admin(binding, path, body);
        if (STREAMS.contains(rpc.method().getName())) {
            assertThat(response.statusCode()).isEqualTo(200);
            response.body().lines().forEach(line -> {
                JsonNode problem = JSON.readTree(line).get("problem");
                assertThat(problem).as(line).isNotNull();
                assertThat(ErrorCode.find(problem.get("code").asString())).isPresent();
            });
        } else {
            refused(response, null);
        }
    }

    private static void refused(HttpResponse<String> response, Set<ErrorCode> codes) {
        String about = response.request().method() + " "
                + response.request()
                        .uri()
                        .toString()
                        .substring(
                                0,
                                Math.min(
                                        200, response.request().uri().toString().length()))
                + " → " + response.statusCode() + " " + response.body();
        assertThat(response.statusCode()).as(about).isBetween(400, 499);
        if (response.headers().firstValue("content-type").orElse("").isEmpty()) {
            return;
        }
        assertThat(response.headers().firstValue("content-type")).as(about).contains("application/problem+json");
        JsonNode problem = JSON.readTree(response.body());
        ErrorCode code = ErrorCode.find(problem.get("code").asString()).orElseThrow();
        assertThat(code.httpStatus()).isEqualTo(response.statusCode());
        assertThat(problem.get("trace_id").asString()).hasSize(32);
        assertThat(response.body()).as(about).doesNotContain("Exception", "dev.fairlane", "java.");
        if (codes != null) {
            assertThat(codes).as(about).contains(code);
        }
    }

    private static HttpResponse<String> admin(HttpBinding binding, String path, String body) {
        return send(binding, path, "Bearer " + server.adminKey(), body);
    }

    private static HttpResponse<String> send(HttpBinding binding, String path, String authorization, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.uri(path))
                .header("Content-Type", path.endsWith(":stream") ? "application/x-ndjson" : "application/json")
                .method(binding.method(), BodyPublishers.ofString(body));
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        return TestServer.send(request.build());
    }

    private static String path(HttpBinding binding, String variable) {
        return binding.path().toString().replaceAll("\\{\\w+}", java.util.regex.Matcher.quoteReplacement(variable));
    }

    private static String naming(Rpc rpc, HttpBinding binding) {
        if (changes(binding)) {
            return change(binding);
        }
        return rpc.method().getInputType().findFieldByName("tenant") == null ? "{}" : "{\"tenant\":\"default\"}";
    }

    private static boolean changes(HttpBinding binding) {
        return binding.body().equals("change");
    }

    /** Nothing to say, but for a change of something. */
    private static String change(HttpBinding binding) {
        return changes(binding) ? "{\"priority\":1}" : binding.hasBody() ? "{}" : "";
    }

    private static String body(Rpc rpc) {
        return rpc.method().getName().equals("SubmitBatch") ? "{\"jobs\":[{\"type\":\"t\"}]}" : "{\"type\":\"t\"}";
    }
}
