package dev.fairlane.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.runtime.LeaseRef;
import dev.fairlane.runtime.WorkerSession;
import dev.fairlane.runtime.WorkerStream;
import dev.fairlane.server.RecordingStream;
import dev.fairlane.server.TestServer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The ledger through REST, against the real server. */
class UsageRestTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final RecordingStream worker = new RecordingStream();
    /** A report is about this month if nothing is said, which may end just now. */
    private static final String SINCE = "from="
            + InstantSource.system().instant().truncatedTo(ChronoUnit.HOURS).minus(1, ChronoUnit.HOURS);

    private static TestServer server;
    private static String acmeKey;

    @BeforeAll
    static void start(@TempDir Path home) {
        server = TestServer.start(home);
        worker.onLease(UsageRestTest::run);
        worker.connect(
                server.node(),
                new WorkerOffer("w", null, List.of("mail", "report"), Map.of("short", 50, "medium", 50)));
        ok(server.send("PUT", "/v1/tenants/acme", "{}"));
        acmeKey = JSON.readTree(server.send(
                                "POST", "/v1/keys", "{\"name\":\"acme\",\"tenant\":\"acme\",\"role\":\"submitter\"}")
                        .body())
                .get("secret")
                .asString();
        ok(server.send("PUT", "/v1/types/report", "{\"pool\":\"medium\",\"tenant\":\"acme\"}"));
        for (int i = 0; i < 3; i++) {
            done(acmeKey, "mail");
        }
        done(acmeKey, "report");
        done(server.adminKey(), "mail");
    }

    private static void run(WorkerStream.Granted granted) {
        LeaseRef lease = new LeaseRef(granted.spec().id(), granted.status().token());
        worker.session()
                .report(new WorkerSession.Report(
                        List.of(),
                        List.of(new WorkerSession.Success(lease, granted.spec().payload())),
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

    private static void done(String key, String type) {
        String id = JSON.readTree(as(key, "/v1/jobs", "POST", "{\"type\":\"" + type + "\"}")
                        .body())
                .get("id")
                .asString();
        await().until(() ->
                ok(server.get("/v1/jobs/" + id)).get("state").asString().equals("SUCCEEDED"));
    }

    private static HttpResponse<String> as(String key, String path, String method, String json) {
        return TestServer.send(HttpRequest.newBuilder(server.uri(path))
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(json))
                .build());
    }

    /** With the key of the tenant acme. */
    private static HttpResponse<String> look(String path) {
        return TestServer.send(HttpRequest.newBuilder(server.uri(path))
                .header("Authorization", "Bearer " + acmeKey)
                .build());
    }

    @Test
    void useIsToldByWhatIsAskedForWithPrices() {
        JsonNode report = ok(server.get("/v1/usage?group_by=tenant&group_by=type&group_by=pool&" + SINCE));
        assertThat(report.get("currency").asString()).isEqualTo("EUR");
        assertThat(report.get("total").get("jobs").asLong()).isEqualTo(5);
        JsonNode mail = null;
        for (JsonNode entry : report.get("entries")) {
            if (entry.get("tenant").asString().equals("acme")
                    && entry.get("type").asString().equals("mail")) {
                mail = entry;
            }
        }
        assertThat(mail).isNotNull();
        assertThat(mail.get("pool").asString()).isEqualTo("short");
        assertThat(mail.get("jobs").asLong()).isEqualTo(3);
        assertThat(mail.get("succeeded").asLong()).isEqualTo(3);
        assertThat(mail.get("executions").asLong()).isEqualTo(3);
        double seconds = mail.get("slot_seconds").asDouble();
        assertThat(Double.parseDouble(mail.get("amount").asString())).isCloseTo(0.03 + 0.5 * seconds, within(1e-9));
    }

    @Test
    void aKeyOfATenantSeesItsOwnOnly() {
        JsonNode report = ok(look("/v1/usage?group_by=tenant&" + SINCE));
        assertThat(report.get("entries")).hasSize(1);
        assertThat(report.get("total").get("jobs").asLong()).isEqualTo(4);
        assertThat(look("/v1/usage?tenant=default").statusCode()).isEqualTo(403);
        assertThat(ok(server.get("/v1/usage?tenant=acme&" + SINCE))
                        .get("total")
                        .get("jobs")
                        .asLong())
                .isEqualTo(4);
    }

    @Test
    void csvHasTheColumnsAskedFor() {
        HttpResponse<String> response = server.get("/v1/usage?tenant=acme&group_by=type,pool,month&format=csv");
        assertThat(response.headers().firstValue("content-type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/csv"));
        List<String> lines = response.body().lines().toList();
        assertThat(lines)
                .first()
                .isEqualTo(
                        "from,type,pool,executions,jobs,succeeded,dead,cancelled,expired,slot_seconds,amount,currency");
        assertThat(lines).hasSize(3);
        assertThat(lines.get(1)).matches("[0-9]{4}-[0-9]{2}-01T00:00:00Z,report,medium,1,1,1,0,0,0,.*,EUR");
        assertThat(lines.get(2)).contains(",mail,short,3,3,3,0,0,0,");
    }

    @Test
    void whatCannotBeAskedIsRefused() {
        for (String bad : List.of(
                "group_by=color",
                "group_by=hour&group_by=day",
                "format=xml",
                "from=2026-11-01T00:30:00Z",
                "from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z")) {
            HttpResponse<String> response = server.get("/v1/usage?" + bad);
            assertThat(response.statusCode()).as(bad).isEqualTo(400);
            assertThat(response.body()).contains("INVALID_ARGUMENT");
        }
        assertThat(ok(server.get("/v1/usage?from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z"))
                        .get("total")
                        .get("jobs")
                        .asLong())
                .isZero();
    }
}
