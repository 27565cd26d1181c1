package dev.fairlane.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.journal.AuditCheck;
import dev.fairlane.journal.AuditQuery;
import dev.fairlane.protocol.v1.AuditGrpc;
import dev.fairlane.protocol.v1.AuditRecord;
import dev.fairlane.protocol.v1.ListAuditRequest;
import dev.fairlane.runtime.LeaseRef;
import dev.fairlane.runtime.WorkerSession;
import dev.fairlane.runtime.WorkerStream;
import dev.fairlane.server.RecordingStream;
import dev.fairlane.server.TestServer;
import dev.fairlane.server.routes.Repeating;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The audit through REST and gRPC, against the real server. */
class AuditRestTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String SECRET = "a-name-of-a-person";

    /** What each call that changes the control plane is called in the audit. */
    private static final Map<String, String> AUDITED = Map.ofEntries(
            Map.entry("fairlane.v1.Admin/PutTenant", "tenant.put"),
            Map.entry("fairlane.v1.Admin/PutType", "type.put"),
            Map.entry("fairlane.v1.Admin/ReleaseType", "type.release"),
            Map.entry("fairlane.v1.Admin/DrainWorker", "worker.drain"),
            Map.entry("fairlane.v1.Admin/CreateKey", "key.create"),
            Map.entry("fairlane.v1.Admin/RevokeKey", "key.revoke"),
            Map.entry("fairlane.v1.Schedules/PutSchedule", "schedule.put"),
            Map.entry("fairlane.v1.Schedules/PutSchedules", "schedule.put"),
            Map.entry("fairlane.v1.Schedules/PauseSchedule", "schedule.pause"),
            Map.entry("fairlane.v1.Schedules/ResumeSchedule", "schedule.resume"),
            Map.entry("fairlane.v1.Schedules/TriggerSchedule", "schedule.trigger"),
            Map.entry("fairlane.v1.Schedules/DeleteSchedule", "schedule.delete"),
            Map.entry("fairlane.v1.Audit/EraseReason", "audit.erase"),
            Map.entry("fairlane.v1.Webhooks/RotateSecret", "webhook.rotate"),
            Map.entry("fairlane.v1.Jobs/Cancel", "job.cancel"),
            Map.entry("fairlane.v1.Groups/CancelGroup", "group.cancel"),
            Map.entry("fairlane.v1.Control/UpdateJob", "job.change"),
            Map.entry("fairlane.v1.Control/PauseJob", "job.pause"),
            Map.entry("fairlane.v1.Control/ResumeJob", "job.resume"),
            Map.entry("fairlane.v1.Control/ChangeJobs", "jobs.pause"),
            Map.entry("fairlane.v1.Control/Pause", "type.pause"),
            Map.entry("fairlane.v1.Control/Resume", "type.resume"),
            Map.entry("fairlane.v1.DeadLetters/ReplayJob", "job.replay"),
            Map.entry("fairlane.v1.DeadLetters/ReplayDead", "dead.replay"),
            Map.entry("fairlane.v1.DeadLetters/PurgeDead", "dead.purge"),
            Map.entry("fairlane.v1.Operations/CancelOperation", "operation.cancel"));

    /** They hand in work, are the work itself, or only look. */
    private static final Set<String> WORK = Set.of(
            "fairlane.v1.Groups/CreateGroup",
            "fairlane.v1.Groups/SubmitGroup",
            "fairlane.v1.Groups/SealGroup",
            "fairlane.v1.Schedules/PreviewSchedule",
            "fairlane.v1.Objects/SaveCheckpoint",
            "fairlane.v1.Objects/SaveResult",
            "fairlane.v1.Objects/PutPayload");

    private static final RecordingStream worker = new RecordingStream();
    private static final AtomicInteger calls = new AtomicInteger();
    private static TestServer server;
    private static String acmeAdmin;
    private static String acmeSubmitter;

    @BeforeAll
    static void start(@TempDir Path home) {
        server = TestServer.start(home);
        acmeAdmin = server.newKey("acme", "admin");
        acmeSubmitter = server.newKey("acme", "submitter");
        worker.onLease(AuditRestTest::die);
        worker.connect(server.node(), new WorkerOffer("w", null, List.of("dies"), Map.of("short", 5)));
    }

    private static void die(WorkerStream.Granted granted) {
        LeaseRef lease = new LeaseRef(granted.spec().id(), granted.status().token());
        worker.session()
                .report(new WorkerSession.Report(
                        List.of(),
                        List.of(),
                        List.of(new WorkerSession.Failed(lease, Failure.of(FailureClass.NON_RETRYABLE, "no")))));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static HttpResponse<String> as(String key, String method, String path, String body, String request) {
        return TestServer.send(java.net.http.HttpRequest.newBuilder(server.uri(path))
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", request)
                .method(method, BodyPublishers.ofString(body))
                .build());
    }

    private static HttpResponse<String> look(String key, String path) {
        return TestServer.send(java.net.http.HttpRequest.newBuilder(server.uri(path))
                .header("Authorization", "Bearer " + key)
                .build());
    }

    private static JsonNode ok(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isBetween(200, 299);
        return JSON.readTree(response.body());
    }

    /** Makes the same call three times; gives the last answer. */
    private static JsonNode again(String method, String path, String body) {
        String request = "r-" + calls.incrementAndGet();
        ok(as(server.adminKey(), method, path, body, request));
        ok(as(server.adminKey(), method, path, body, request));
        return ok(as(server.adminKey(), method, path, body, request));
    }

    private static List<JsonNode> entries(String query) {
        List<JsonNode> all = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = ok(server.get("/v1/audit?page_size=7" + query + cursor));
            page.get("entries").forEach(all::add);
            cursor = page.has("next_cursor")
                    ? "&cursor=" + page.get("next_cursor").asString()
                    : "";
        } while (!cursor.isEmpty());
        return all;
    }

    private static String submit(String type) {
        return ok(server.send(
                        "POST", "/v1/jobs", "{\"type\":\"" + type + "\",\"payload\":{\"who\":\"" + SECRET + "\"}}"))
                .get("id")
                .asString();
    }

    private static String dead() {
        String id = submit("dies");
        assertThat(ok(server.get("/v1/jobs/" + id + ":await")).get("state").asString())
                .isEqualTo("DEAD");
        return id;
    }

    @Test
    void everyCallThatChangesSomethingIsAuditedOrIsWork() {
        Set<String> changing = new TreeSet<>(Repeating.REMEMBERED);
        changing.addAll(Repeating.BY_NATURE);
        Set<String> known = new TreeSet<>(AUDITED.keySet());
        known.addAll(WORK);
        assertThat(known).isEqualTo(changing);
    }

    @Test
    void eachChangeLeavesOneEntryHoweverOftenItsCallComes() {
        String waits = submit("waits");
        String held = submit("held");
        String member = ok(server.send("POST", "/v1/groups:submit", "{\"jobs\":[{\"type\":\"member\"}]}"))
                .get("group")
                .get("id")
                .asString();
        String toReplay = dead();
        dead();
        again("PUT", "/v1/tenants/globex", "{\"weight\":20}");
        again("PUT", "/v1/types/report", "{\"pool\":\"medium\"}");
        again(
                "PUT",
                "/v1/schedules/nightly",
                "{\"cron\":\"@yearly\",\"job\":{\"type\":\"report\",\"payload\":\"" + SECRET + "\"}}");
        again("POST", "/v1/schedules/nightly:pause", "{\"why\":\"moving\"}");
        again("POST", "/v1/schedules/nightly:resume", "");
        again("POST", "/v1/schedules/nightly:trigger", "");
        again("DELETE", "/v1/schedules/nightly", "");
        again("POST", "/v1/pauses", "{\"kind\":\"type\",\"name\":\"held\",\"why\":\"printer\"}");
        again("POST", "/v1/pauses:end", "{\"kind\":\"type\",\"name\":\"held\",\"why\":\"printer\"}");
        again("PATCH", "/v1/jobs/" + held, "{\"priority\":1}");
        again("POST", "/v1/jobs/" + held + ":pause", "");
        again("POST", "/v1/jobs/" + held + ":resume", "");
        again("POST", "/v1/jobs/" + waits + ":cancel", "{}");
        again("POST", "/v1/groups/" + member + ":cancel", "{}");
        again("POST", "/v1/jobs:bulk", "{\"action\":\"pause\",\"filter\":{\"type\":\"held\"},\"why\":\"bulk\"}");
        again("POST", "/v1/jobs/" + toReplay + ":replay", "{\"payload\":{\"who\":\"" + SECRET + "\"},\"why\":\"x\"}");
        JsonNode slow =
                again("POST", "/v1/dead-letters:replay", "{\"filter\":{\"all\":true},\"why\":\"all\",\"canary\":1}");
        again("POST", "/v1/operations/" + slow.get("id").asString() + ":cancel", "{}");
        again("POST", "/v1/dead-letters:purge", "{\"filter\":{\"type\":\"gone\"},\"why\":\"old\"}");
        String key = again("POST", "/v1/keys", "{\"name\":\"tmp\",\"role\":\"viewer\",\"tenant\":\"acme\"}")
                .get("key")
                .get("id")
                .asString();
        again("DELETE", "/v1/keys/" + key, "");
        again("POST", "/v1/webhooks/secret:rotate", "{}");
        again("POST", "/v1/workers/w:drain", "{}");
        again("POST", "/v1/audit:erase", "{\"tenant\":\"default\",\"sequence\":" + paused() + "}");

        List<JsonNode> mine = entries("").stream()
                .filter(entry -> entry.has("request_id")
                        && entry.get("request_id").asString().startsWith("r-"))
                .toList();
        Set<String> expected = new HashSet<>(AUDITED.values());
        expected.remove("type.release"); // nothing was in quarantine
        if (mine.stream().noneMatch(entry -> action(entry).equals("operation.cancel"))) {
            expected.remove("operation.cancel"); // it was faster than the cancel
        }
        assertThat(mine).extracting(AuditRestTest::action).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(mine).extracting(entry -> entry.get("request_id").asString()).doesNotHaveDuplicates();
        assertThat(mine).allSatisfy(entry -> {
            assertThat(entry.get("key_name").asString()).isEqualTo("admin of this home");
            assertThat(entry.get("role").asString()).isEqualTo("admin");
            assertThat(entry.get("request_digest").asString()).hasSize(64);
            assertThat(entry.toString())
                    .doesNotContain(SECRET)
                    .doesNotContain("flk_")
                    .doesNotContain("flwh_");
        });
        assertThat(brokenChains()).isEmpty();
    }

    @Test
    void aGroupCannotBeCancelledUnseenByBeginningInTheMiddle() {
        String group = ok(server.send(
                        "POST", "/v1/groups:submit", "{\"jobs\":[{\"type\":\"member\"},{\"type\":\"member\"}]}"))
                .get("group")
                .get("id")
                .asString();
        String cursor = "{\"cursor\":\"" + group + "\"}";
        ok(as(server.adminKey(), "POST", "/v1/groups/" + group + ":cancel", cursor, "middle"));
        assertThat(of("middle")).extracting(AuditRestTest::action).containsExactly("group.cancel");
    }

    /** The number of the entry about the schedule that was paused. */
    private static long paused() {
        return entries("&tenant=default").stream()
                .filter(entry -> action(entry).equals("schedule.pause"))
                .findFirst()
                .orElseThrow()
                .get("sequence")
                .asLong();
    }

    @Test
    void aReasonIsErasedByWhoMaySeeItAndTheChainHolds() {
        String pause = "{\"kind\":\"type\",\"name\":\"erased\",\"why\":\"ask " + SECRET + "\"}";
        ok(as(acmeAdmin, "POST", "/v1/pauses", pause, "to-erase"));
        JsonNode entry = of("to-erase").getFirst();
        assertThat(entry.get("reason").asString()).contains(SECRET);
        String which = "{\"sequence\":" + entry.get("sequence").asLong() + "}";
        assertThat(as(acmeSubmitter, "POST", "/v1/audit:erase", which, "no").statusCode())
                .isEqualTo(403);
        assertThat(as(server.adminKey(), "POST", "/v1/audit:erase", which, "no").statusCode())
                .as("which chain is not said")
                .isEqualTo(400);
        assertThat(as(acmeAdmin, "POST", "/v1/audit:erase", "{\"sequence\":99999}", "no")
                        .body())
                .contains("AUDIT_ENTRY_NOT_FOUND");

        JsonNode erased = ok(as(acmeAdmin, "POST", "/v1/audit:erase", which, "erase"));
        assertThat(erased.has("reason")).isFalse();
        assertThat(erased.get("reason_digest")).isEqualTo(entry.get("reason_digest"));
        assertThat(of("to-erase").getFirst()).isEqualTo(erased);
        ok(as(acmeAdmin, "POST", "/v1/audit:erase", which, "erase again"));
        assertThat(of("erase"))
                .extracting(one -> action(one) + " " + one.get("target").asString())
                .containsExactly("audit.erase audit/" + entry.get("sequence").asLong());
        assertThat(of("erase again")).isEmpty();
        assertThat(of("no")).isEmpty();
        assertThat(brokenChains()).isEmpty();
    }

    @Test
    void aBatchOfSchedulesLeavesAnEntryForEachThatChanges() {
        String job = "\"job\":{\"type\":\"report\"}}}";
        String first = "{\"name\":\"b-1\",\"spec\":{\"cron\":\"@daily\"," + job;
        String second = "{\"name\":\"b-2\",\"spec\":{\"cron\":\"@daily\"," + job;
        String changed = "{\"name\":\"b-2\",\"spec\":{\"cron\":\"@hourly\"," + job;
        String bad = "{\"name\":\"b-3\",\"spec\":{\"cron\":\"@never\"," + job;
        put("tried", first + "," + second, true);
        put("made", first + "," + second + "," + bad, false);
        put("again", first + "," + second + "," + bad, false);
        put("changed", first + "," + changed, false);
        assertThat(of("tried")).isEmpty();
        assertThat(of("made")).hasSize(2).extracting(AuditRestTest::action).containsOnly("schedule.put");
        assertThat(of("made"))
                .extracting(entry -> entry.get("target").asString())
                .containsExactlyInAnyOrder("schedule/b-1", "schedule/b-2");
        assertThat(of("again")).isEmpty();
        assertThat(of("changed"))
                .extracting(entry -> entry.get("target").asString())
                .containsExactly("schedule/b-2");
        assertThat(brokenChains()).isEmpty();
    }

    private static void put(String request, String schedules, boolean dryRun) {
        String body = "{\"schedules\":[" + schedules + "],\"dry_run\":" + dryRun + "}";
        ok(as(server.adminKey(), "POST", "/v1/schedules:batch", body, request));
    }

    @Test
    void aSecretIsRotatedForTwoTenantsUnderOneKeyWithAnEntryEach() {
        rotate("acme", "two");
        rotate("default", "two");
        rotate("default", "two");
        assertThat(of("two"))
                .extracting(entry -> entry.get("chain").asString())
                .containsExactlyInAnyOrder("acme", "default");
    }

    private static void rotate(String tenant, String request) {
        ok(TestServer.send(java.net.http.HttpRequest.newBuilder(server.uri("/v1/webhooks/secret:rotate"))
                .header("Authorization", "Bearer " + server.adminKey())
                .header("Content-Type", "application/json")
                .header("Fairlane-Tenant", tenant)
                .header("Idempotency-Key", request)
                .POST(BodyPublishers.ofString("{}"))
                .build()));
    }

    private static List<JsonNode> of(String request) {
        return entries("").stream()
                .filter(entry -> entry.has("request_id")
                        && entry.get("request_id").asString().equals(request))
                .toList();
    }

    private static String action(JsonNode entry) {
        return entry.get("action").asString();
    }

    private static List<String> brokenChains() {
        List<String> broken = new ArrayList<>();
        server.node().audit().heads(null, -1, 100).join().forEach(head -> {
            Tenant tenant = server.node().tenant(head.chain());
            List<AuditEntry> entries =
                    server.node().audit().list(AuditQuery.whole(head.chain())).join();
            AuditCheck.firstBreak(head, tenant == null ? "" : tenant.name(), entries)
                    .ifPresent(broken::add);
        });
        return broken;
    }

    @Test
    void aRefusedChangeLeavesNoEntry() {
        int before = entries("").size();
        assertThat(server.send("PUT", "/v1/tenants/globex", "{\"weight\":-1}").statusCode())
                .isEqualTo(400);
        assertThat(server.send("PUT", "/v1/types/x", "{\"pool\":\"nowhere\"}").statusCode())
                .isEqualTo(400);
        assertThat(server.send("DELETE", "/v1/keys/000000000000", "").statusCode())
                .isEqualTo(404);
        assertThat(server.send("POST", "/v1/workers/nobody:drain", "{}").statusCode())
                .isEqualTo(404);
        assertThat(as(acmeAdmin, "PUT", "/v1/tenants/globex", "{}", "no").statusCode())
                .isEqualTo(403);
        assertThat(entries("")).hasSize(before);
    }

    @Test
    void aTenantsAdminSeesItsOwnChainAndNothingElse() {
        ok(as(acmeAdmin, "PUT", "/v1/types/acme-type", "{}", "own"));
        JsonNode own = ok(look(acmeAdmin, "/v1/audit"));
        assertThat(own.get("entries"))
                .isNotEmpty()
                .allSatisfy(entry -> assertThat(entry.get("chain").asString()).isEqualTo("acme"));
        assertThat(ok(look(acmeAdmin, "/v1/audit/head")).get("heads"))
                .singleElement()
                .satisfies(head -> assertThat(head.get("chain").asString()).isEqualTo("acme"));
        assertThat(look(acmeAdmin, "/v1/audit?system=true").statusCode()).isEqualTo(403);
        assertThat(look(acmeAdmin, "/v1/audit?tenant=default").statusCode()).isEqualTo(403);
        assertThat(look(acmeSubmitter, "/v1/audit").statusCode()).isEqualTo(403);
        assertThat(look(acmeSubmitter, "/v1/audit/head").statusCode()).isEqualTo(403);
    }

    @Test
    void theListIsCutByTimeAndChainAndGoesBothWays() {
        ok(as(acmeAdmin, "PUT", "/v1/types/sorted-a", "{}", "s-a"));
        ok(as(acmeAdmin, "PUT", "/v1/types/sorted-b", "{}", "s-b"));
        List<JsonNode> newest = entries("&tenant=acme");
        assertThat(newest.getFirst().get("target").asString()).isEqualTo("type/sorted-b");
        List<JsonNode> oldest = entries("&tenant=acme&oldest_first=true");
        assertThat(oldest).isEqualTo(newest.reversed());
        String at = newest.getFirst().get("at").asString();
        assertThat(entries("&tenant=acme&from=" + at))
                .extracting(AuditRestTest::action)
                .contains("type.put");
        assertThat(entries("&tenant=acme&from=2099-01-01T00:00:00Z")).isEmpty();
        assertThat(look(server.adminKey(), "/v1/audit?cursor=nonsense").statusCode())
                .isEqualTo(400);
        assertThat(look(server.adminKey(), "/v1/audit/head?cursor=nonsense").statusCode())
                .isEqualTo(400);
        assertThat(look(server.adminKey(), "/v1/audit?system=true&tenant=acme").statusCode())
                .isEqualTo(400);
    }

    @Test
    void theHeadIsTheNewestEntry() {
        ok(as(acmeAdmin, "PUT", "/v1/types/headed", "{}", "h"));
        JsonNode head = ok(look(acmeAdmin, "/v1/audit/head")).get("heads").get(0);
        JsonNode newest = entries("&tenant=acme").getFirst();
        assertThat(head.get("hash")).isEqualTo(newest.get("hash"));
        assertThat(head.get("sequence")).isEqualTo(newest.get("sequence"));
    }

    @Test
    void grpcTellsTheSame() {
        ok(as(acmeAdmin, "PUT", "/v1/types/by-grpc", "{}", "g"));
        List<AuditRecord> entries = server.stub(AuditGrpc.AuditBlockingStub.class, acmeAdmin)
                .listAudit(ListAuditRequest.newBuilder().setPageSize(1).build())
                .getEntriesList();
        assertThat(entries).singleElement().satisfies(entry -> {
            assertThat(entry.getTarget()).isEqualTo("type/by-grpc");
            assertThat(entry.getHash())
                    .isEqualTo(entries("&tenant=acme").getFirst().get("hash").asString());
        });
        await().until(() -> brokenChains().isEmpty());
    }
}
