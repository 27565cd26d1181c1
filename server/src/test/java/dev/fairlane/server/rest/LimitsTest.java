package dev.fairlane.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.protocol.ProblemStatus;
import dev.fairlane.protocol.v1.AdminGrpc;
import dev.fairlane.protocol.v1.GetJobRequest;
import dev.fairlane.protocol.v1.GetStatusRequest;
import dev.fairlane.protocol.v1.JobsGrpc;
import dev.fairlane.protocol.v1.NewJob;
import dev.fairlane.protocol.v1.Problem;
import dev.fairlane.protocol.v1.RefusalCount;
import dev.fairlane.protocol.v1.SubmitBatchRequest;
import dev.fairlane.protocol.v1.SubmitItem;
import dev.fairlane.protocol.v1.SubmitRequest;
import dev.fairlane.runtime.NodeConfig;
import dev.fairlane.server.TestServer;
import io.grpc.StatusRuntimeException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Semantics §3: no limit is silent, and limits hold however many ask at once. */
class LimitsTest {
    private static final int CLIENTS = 8;
    private static final int RATE = 1_000;
    private static final long FOR_NANOS = 3_000_000_000L;

    @TempDir
    Path home;

    @Test
    void a_submit_rate_holds_under_eight_parallel_clients() throws Exception {
        try (TestServer server = TestServer.start(home);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            String key = server.newKey("busy", "submitter");
            JobsGrpc.JobsBlockingStub jobs = server.stub(JobsGrpc.JobsBlockingStub.class, key);
            submit(jobs, 1_000, new ArrayList<>()); // without a rate yet: the first calls of a JVM take their time
            put(server, "busy", "{\"submit_rate\":" + RATE + "}");

            long began = System.nanoTime();
            List<Future<Tally>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(threads.submit(() -> {
                    List<String> taken = new ArrayList<>();
                    long refused = 0;
                    while (System.nanoTime() - began < FOR_NANOS) {
                        refused += submit(server.stub(JobsGrpc.JobsBlockingStub.class, key), 200, taken);
                    }
                    return new Tally(taken, refused);
                }));
            }
            long taken = 0;
            long refused = 0;
            long first = Long.MAX_VALUE;
            for (Future<Tally> client : clients) {
                Tally tally = client.get();
                taken += tally.taken.size();
                refused += tally.refused;
                if (!tally.taken.isEmpty()) {
                    first = Math.min(first, submittedAt(jobs, tally.taken.getFirst()));
                }
            }
            List<String> last = new ArrayList<>(); // what ran into the bucket since the last of them asked
            while (last.isEmpty()) {
                refused += submit(jobs, 1_000, last);
            }
            taken += last.size();

            double seconds = (submittedAt(jobs, last.getLast()) - first) / 1e6;
            // Never more than that. Less only where a machine stood still for longer than the bucket has room; the
            // core's tests, which have a clock
            // of their own, know no such excuse.
            assertThat((double) taken).isBetween(0.5 * (RATE + RATE * seconds), 1.01 * (RATE + RATE * seconds));
            assertThat(refused).isPositive();
            assertThat(shown(server, server.newKey("busy", "viewer")))
                    .containsExactly(refusals("busy", "RATE_LIMIT", refused));
            assertThat(server.get("/metrics").body())
                    .contains("fairlane_refusals_total{code=\"RATE_LIMIT\",tenant=\"busy\"} " + (double) refused);
        }
    }

    private record Tally(List<String> taken, long refused) {}

    /** How many were refused. */
    private static long submit(JobsGrpc.JobsBlockingStub jobs, int count, List<String> taken) {
        long refused = 0;
        for (SubmitItem item : jobs.submitBatch(mails(count)).getItemsList()) {
            if (item.hasProblem()) {
                refused++;
                assertNamesEverything(item.getProblem());
            } else {
                taken.add(item.getId());
            }
        }
        return refused;
    }

    private static SubmitBatchRequest mails(int count) {
        SubmitBatchRequest.Builder batch = SubmitBatchRequest.newBuilder();
        for (int i = 0; i < count; i++) {
            batch.addJobs(NewJob.newBuilder().setType("mail"));
        }
        return batch.build();
    }

    private static long submittedAt(JobsGrpc.JobsBlockingStub jobs, String id) {
        return jobs.get(GetJobRequest.newBuilder().setId(id).build()).getSubmittedAtMicros();
    }

    private static void assertNamesEverything(Problem problem) {
        assertThat(problem.getCode()).isEqualTo("RATE_LIMIT");
        assertThat(problem.getDetail()).contains("at most " + RATE + " jobs a second");
        assertThat(problem.getLimit()).isEqualTo(RATE);
        assertThat(problem.getPresent()).isBetween(1L, (long) RATE);
        assertThat(problem.getRetryAfterMs()).isBetween(1L, 1_000L);
    }

    @Test
    void depth_and_quota_hold_exactly_under_eight_parallel_clients() throws Exception {
        try (TestServer server = TestServer.start(home);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (String rules : List.of("{\"max_open_jobs\":500}", "{\"quotas\":[{\"kind\":\"jobs\",\"hard\":500}]}")) {
                String tenant = rules.contains("quotas") ? "bounded" : "shallow";
                String key = server.newKey(tenant, "submitter");
                put(server, tenant, rules);
                List<Future<Integer>> clients = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    clients.add(threads.submit(() -> {
                        JobsGrpc.JobsBlockingStub jobs = server.stub(JobsGrpc.JobsBlockingStub.class, key);
                        int taken = 0;
                        for (int call = 0; call < 4; call++) {
                            taken += (int) jobs.submitBatch(mails(50)).getItemsList().stream()
                                    .filter(item -> !item.hasProblem())
                                    .count();
                        }
                        return taken;
                    }));
                }
                int taken = 0;
                for (Future<Integer> client : clients) {
                    taken += client.get();
                }
                assertThat(taken).as(rules).isEqualTo(500);
            }
        }
    }

    @Test
    void rest_and_grpc_name_limit_present_value_and_when_to_come_back() {
        try (TestServer server = TestServer.start(home)) {
            String key = server.newKey("small", "submitter");
            put(server, "small", "{\"max_open_jobs\":2}");
            assertThat(post(server, key, "{\"type\":\"mail\",\"idempotency_key\":\"k\"}")
                            .statusCode())
                    .isEqualTo(201);
            assertThat(post(server, key, "{\"type\":\"mail\"}").statusCode()).isEqualTo(201);

            HttpResponse<String> refused = post(server, key, "{\"type\":\"mail\"}");
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).contains("1");
            assertThat(refused.body())
                    .contains("\"code\":\"DEPTH_LIMIT\"", "\"retry_after\":1", "\"limit\":2", "\"present\":2");
            assertThat(post(server, key, "{\"type\":\"mail\",\"idempotency_key\":\"k\"}")
                            .statusCode())
                    .as("a repeated key is answered whatever the limits")
                    .isEqualTo(200);

            JobsGrpc.JobsBlockingStub jobs = server.stub(JobsGrpc.JobsBlockingStub.class, key);
            StatusRuntimeException failure = Assertions.catchThrowableOfType(
                    StatusRuntimeException.class,
                    () -> jobs.submit(SubmitRequest.newBuilder()
                            .setJob(NewJob.newBuilder().setType("mail"))
                            .build()));
            Problem problem = ProblemStatus.problemOf(failure).orElseThrow();
            assertThat(problem.getCode()).isEqualTo("DEPTH_LIMIT");
            assertThat(problem.getLimit()).isEqualTo(2);
            assertThat(problem.getPresent()).isEqualTo(2);
            assertThat(problem.getRetryAfterMs()).isEqualTo(1_000);
            assertThat(shown(server, server.newKey("small", "viewer")))
                    .containsExactly(refusals("small", "DEPTH_LIMIT", 2));
            assertThat(shown(server, server.newKey("other", "viewer"))).isEmpty();
        }
    }

    @Test
    void closed_types_and_a_standard_tenants_rate_hold() {
        try (TestServer server = TestServer.start(home)) {
            String key = server.newKey("strict", "submitter");
            put(server, "strict", "{\"closed_types\":true}");
            HttpResponse<String> refused = post(server, key, "{\"type\":\"mail\"}");
            assertThat(refused.statusCode()).isEqualTo(409);
            assertThat(refused.body()).contains("\"code\":\"TYPES_CLOSED\"");

            put(server, "strict", "{\"closed_types\":false,\"tier\":\"standard\"}");
            SubmitBatchRequest.Builder batch = SubmitBatchRequest.newBuilder();
            for (int i = 0; i < 1_000; i++) {
                batch.addJobs(NewJob.newBuilder().setType("mail"));
            }
            List<SubmitItem> items = server.stub(JobsGrpc.JobsBlockingStub.class, key)
                    .submitBatch(batch.build())
                    .getItemsList();
            assertThat(items.stream().filter(item -> !item.hasProblem())).hasSizeBetween(100, 200);
        }
    }

    @Test
    void a_node_near_its_bounds_marks_jobs_and_a_full_one_answers_503() {
        try (TestServer server =
                TestServer.start(home, NodeConfig.named("test").withEngine(EngineConfig.DEFAULT.withMaxOpenJobs(10)))) {
            for (int i = 0; i < 8; i++) {
                server.send("POST", "/v1/jobs", "{\"type\":\"mail\"}");
            }
            HttpResponse<String> marked = server.send("POST", "/v1/jobs", "{\"type\":\"mail\",\"priority\":8}");
            assertThat(marked.body()).contains("\"degraded\":true");
            String id = marked.headers().firstValue("Location").orElseThrow();
            assertThat(server.get(id).body()).contains("\"degraded\":true");

            HttpResponse<String> full = server.send("POST", "/v1/jobs", "{\"type\":\"mail\"}");
            assertThat(full.statusCode()).isEqualTo(503);
            assertThat(full.headers().firstValue("Retry-After")).contains("1");
            assertThat(full.body()).contains("\"code\":\"NODE_FULL\"", "\"limit\":9", "\"present\":9");
        }
    }

    private static void put(TestServer server, String tenant, String rules) {
        assertThat(server.send("PUT", "/v1/tenants/" + tenant, rules).statusCode())
                .isEqualTo(200);
    }

    private static HttpResponse<String> post(TestServer server, String key, String json) {
        return TestServer.send(HttpRequest.newBuilder(server.uri("/v1/jobs"))
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json))
                .build());
    }

    private static List<RefusalCount> shown(TestServer server, String key) {
        return server.stub(AdminGrpc.AdminBlockingStub.class, key)
                .getStatus(GetStatusRequest.getDefaultInstance())
                .getRefusalsList();
    }

    private static RefusalCount refusals(String tenant, String code, long count) {
        return RefusalCount.newBuilder()
                .setTenant(tenant)
                .setCode(code)
                .setCount(count)
                .build();
    }
}
