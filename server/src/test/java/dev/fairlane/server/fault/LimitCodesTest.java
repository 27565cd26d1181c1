package dev.fairlane.server.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.Usage;
import dev.fairlane.core.model.UsageAccount;
import dev.fairlane.core.model.UsageRow;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.core.shard.Engine;
import dev.fairlane.journal.Journal;
import dev.fairlane.journal.UsageQuery;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.ProblemStatus;
import dev.fairlane.protocol.v1.Hello;
import dev.fairlane.protocol.v1.JobsGrpc;
import dev.fairlane.protocol.v1.NamedSchedule;
import dev.fairlane.protocol.v1.NewJob;
import dev.fairlane.protocol.v1.PoolSlots;
import dev.fairlane.protocol.v1.Problem;
import dev.fairlane.protocol.v1.PutSchedulesRequest;
import dev.fairlane.protocol.v1.Resources;
import dev.fairlane.protocol.v1.SchedulesGrpc;
import dev.fairlane.protocol.v1.ServerMessage;
import dev.fairlane.protocol.v1.SubmitBatchRequest;
import dev.fairlane.protocol.v1.SubmitItem;
import dev.fairlane.protocol.v1.WorkerMessage;
import dev.fairlane.protocol.v1.WorkersGrpc;
import dev.fairlane.runtime.NodeConfig;
import dev.fairlane.server.PacedStore;
import dev.fairlane.server.RecordingStream;
import dev.fairlane.server.TestServer;
import dev.fairlane.server.admit.Limits;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.lang.reflect.Proxy;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Semantics §3: no limit is silent. Every code of the catalogue that is about more than there may be is provoked on the real server, and its
 * refusal names limit, present value and, where waiting helps, when to come back; what is told explains why there is no more room. A new
 * code fails here until it has a row.
 */
class LimitCodesTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int OBJECT_BYTES = 4 << 20; // of the test server

    private static final Map<ErrorCode, List<Provocation>> TABLE = new EnumMap<>(Map.ofEntries(
            Map.entry(ErrorCode.CALL_TOO_LARGE, List.of(LimitCodesTest::callByRest, LimitCodesTest::callByGrpc)),
            Map.entry(
                    ErrorCode.TOO_MANY_JOBS,
                    List.of(LimitCodesTest::jobsByRest, LimitCodesTest::jobsByGrpc, LimitCodesTest::schedulesOfACall)),
            Map.entry(ErrorCode.OBJECT_TOO_LARGE, List.of(LimitCodesTest::announced, LimitCodesTest::unannounced)),
            Map.entry(ErrorCode.PAYLOAD_TOO_LARGE, List.of(LimitCodesTest::payload, LimitCodesTest::callback)),
            Map.entry(ErrorCode.NESTED_TOO_DEEP, List.of(LimitCodesTest::nested)),
            Map.entry(ErrorCode.LANE_LIMIT, List.of(LimitCodesTest::lanes)),
            Map.entry(ErrorCode.TYPE_LIMIT, List.of(LimitCodesTest::types, LimitCodesTest::registered)),
            Map.entry(ErrorCode.SCHEDULE_LIMIT, List.of(LimitCodesTest::schedules)),
            Map.entry(ErrorCode.WORKER_KINDS, List.of(LimitCodesTest::kinds)),
            Map.entry(ErrorCode.RATE_LIMIT, List.of(LimitCodesTest::rate)),
            Map.entry(ErrorCode.QUOTA_EXCEEDED, List.of(LimitCodesTest::quota)),
            Map.entry(ErrorCode.DEPTH_LIMIT, List.of(LimitCodesTest::depth)),
            Map.entry(
                    ErrorCode.NODE_FULL,
                    List.of(LimitCodesTest::openJobs, LimitCodesTest::keys, LimitCodesTest::demands)),
            Map.entry(ErrorCode.OVERLOADED, List.of(LimitCodesTest::overloaded)),
            // not always about a number, but this one is; members of a group and tenants are too many to be made here
            Map.entry(ErrorCode.INVALID_ARGUMENT, List.of(LimitCodesTest::usageRows))));

    private static TestServer server;

    @BeforeAll
    static void start(@TempDir Path home) {
        server = TestServer.start(home);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** A way into a limit. */
    private interface Provocation {
        Told go(Path home) throws Exception;
    }

    /**
     * What somebody was told.
     *
     * @param asked how much at once
     */
    private record Told(
            String code, @Nullable Long limit, @Nullable Long present, long retryAfterMs, String detail, int asked) {
        Told asking(int atOnce) {
            return new Told(code, limit, present, retryAfterMs, detail, atOnce);
        }
    }

    static Stream<ErrorCode> counted() {
        return Arrays.stream(ErrorCode.values()).filter(code -> code.counted() || TABLE.containsKey(code));
    }

    @ParameterizedTest
    @MethodSource("counted")
    void everyLimitIsNamedWithWhatThereIsAndWhenToComeBack(ErrorCode code, @TempDir Path home) throws Exception {
        List<Provocation> ways = TABLE.get(code);
        assertThat(ways).as("ways into %s: add a row", code).isNotNull();
        for (Provocation way : ways) {
            Told told = way.go(home);
            assertThat(told.code()).as(told.toString()).isEqualTo(code.name());
            assertThat(told.limit()).as("limit of %s", told).isNotNull().isPositive();
            assertThat(told.present())
                    .as("present value of %s", told)
                    .isNotNull()
                    .isPositive();
            assertThat(told.present())
                    .as("no room for what was asked: %s", told)
                    .isGreaterThan(code.httpStatus() == 413 ? told.limit() : told.limit() - told.asked());
            assertThat(told.retryAfterMs() > 0)
                    .as("when to come back from %s", told)
                    .isEqualTo(code.retry() == ErrorCode.Retry.LATER);
        }
    }

    // ---- sizes

    private static Told callByRest(Path home) {
        return told(server.send("POST", "/v1/jobs", " ".repeat(Limits.CALL_BYTES + 10)));
    }

    private static Told callByGrpc(Path home) {
        return refused(() -> jobs(server, server.adminKey())
                .submitBatch(SubmitBatchRequest.newBuilder()
                        .addJobs(NewJob.newBuilder().setType("t").putTags("k", "x".repeat(Limits.CALL_BYTES)))
                        .build()));
    }

    private static Told jobsByRest(Path home) {
        String many = String.join(",", Collections.nCopies(Limits.JOBS_PER_CALL + 1, "{\"type\":\"t\"}"));
        return told(server.send("POST", "/v1/jobs:batch", "{\"jobs\":[" + many + "]}"));
    }

    private static Told jobsByGrpc(Path home) {
        return refused(() -> jobs(server, server.adminKey())
                .submitBatch(
                        batch(Limits.JOBS_PER_CALL + 1, i -> NewJob.newBuilder().setType("t"))));
    }

    private static Told schedulesOfACall(Path home) {
        PutSchedulesRequest.Builder many = PutSchedulesRequest.newBuilder();
        for (int i = 0; i <= Limits.SCHEDULES_PER_CALL; i++) {
            many.addSchedules(NamedSchedule.newBuilder().setName("s-" + i));
        }
        return refused(
                () -> server.stub(SchedulesGrpc.SchedulesBlockingStub.class).putSchedules(many.build()));
    }

    private static Told announced(Path home) {
        return told(TestServer.send(server.request("/v1/objects")
                .POST(BodyPublishers.ofByteArray(new byte[OBJECT_BYTES + 1]))
                .build()));
    }

    private static Told unannounced(Path home) {
        return told(TestServer.send(server.request("/v1/objects")
                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[OBJECT_BYTES + 1])))
                .build()));
    }

    private static Told payload(Path home) {
        String large = "\"" + "x".repeat(Limits.PAYLOAD_BYTES) + "\"";
        return told(server.send("POST", "/v1/jobs", "{\"type\":\"t\",\"payload\":" + large + "}"));
    }

    private static Told callback(Path home) {
        String large = "\"" + "x".repeat(Limits.PAYLOAD_BYTES) + "\"";
        return told(server.send("POST", "/v1/groups", "{\"callback\":{\"type\":\"t\",\"payload\":" + large + "}}"));
    }

    private static Told nested(Path home) {
        int depth = Limits.JSON_DEPTH + 1;
        return told(server.send(
                "POST", "/v1/jobs", "{\"type\":\"t\",\"payload\":" + "[".repeat(depth) + "]".repeat(depth) + "}"));
    }

    // ---- names

    private static Told lanes(Path home) {
        return firstRefused(
                server,
                server.newKey("lanes", "submitter"),
                200,
                i -> NewJob.newBuilder().setType("t").setLane("lane-" + i));
    }

    private static Told types(Path home) {
        String key = server.newKey("types", "submitter");
        jobs(server, key).submitBatch(batch(1_000, i -> NewJob.newBuilder().setType("type-" + i)));
        return firstRefused(server, key, 2, i -> NewJob.newBuilder().setType("more-" + i));
    }

    private static Told registered(Path home) {
        String key = server.newKey("registered", "submitter");
        jobs(server, key).submitBatch(batch(1_000, i -> NewJob.newBuilder().setType("type-" + i)));
        return told(server.send("PUT", "/v1/types/one-more", "{\"pool\":\"short\",\"tenant\":\"registered\"}"));
    }

    /** By their payloads; by number it would take 100,000 of them. */
    private static Told schedules(Path home) {
        String payload = "x".repeat((64 << 10) - 100);
        String body = "{\"every_ms\":3600000,\"job\":{\"type\":\"report\",\"payload\":\"" + payload + "\"}}";
        long fit = Schedule.MAX_BYTES_PER_TENANT / payload.length();
        try (TestServer own = TestServer.start(home.resolve("schedules"))) {
            for (int i = 0; i < fit - 1; i++) {
                HttpResponse<String> put = own.send("PUT", "/v1/schedules/s-" + i, body);
                assertThat(put.statusCode()).as(put.body()).isEqualTo(200);
            }
            own.send("PUT", "/v1/schedules/last", body);
            return told(own.send("PUT", "/v1/schedules/one-more", body));
        }
    }

    private static Told kinds(Path home) throws Exception {
        try (TestServer own = TestServer.start(home.resolve("kinds"))) {
            for (int i = 0; i < Engine.MAX_WIDE_KINDS; i++) {
                new RecordingStream()
                        .connect(own.node(), new WorkerOffer("w" + i, null, List.of("type-" + i), Map.of("short", 1)));
            }
            CompletableFuture<Throwable> end = new CompletableFuture<>();
            StreamObserver<WorkerMessage> in = own.stub(WorkersGrpc.WorkersStub.class)
                    .connect(new StreamObserver<ServerMessage>() {
                        @Override
                        public void onNext(ServerMessage message) {}

                        @Override
                        public void onError(Throwable failure) {
                            end.complete(failure);
                        }

                        @Override
                        public void onCompleted() {
                            end.cancel(false);
                        }
                    });
            in.onNext(WorkerMessage.newBuilder()
                    .setHello(Hello.newBuilder()
                            .setWorker("late")
                            .addTypes("one-more")
                            .addOffers(PoolSlots.newBuilder().setPool("short").setSlots(1)))
                    .build());
            return told(ProblemStatus.problemOf(end.get(20, TimeUnit.SECONDS)).orElseThrow());
        }
    }

    // ---- tenants

    private static Told rate(Path home) {
        String key = server.newKey("rate", "submitter");
        put("rate", "{\"submit_rate\":1}");
        return firstRefused(server, key, 100, i -> NewJob.newBuilder().setType("t"));
    }

    private static Told quota(Path home) {
        String key = server.newKey("quota", "submitter");
        put("quota", "{\"quotas\":[{\"kind\":\"jobs\",\"hard\":1}]}");
        return firstRefused(server, key, 2, i -> NewJob.newBuilder().setType("t"));
    }

    private static Told depth(Path home) {
        String key = server.newKey("depth", "submitter");
        put("depth", "{\"max_open_jobs\":1}");
        post(server, key, "{\"type\":\"t\"}");
        return told(post(server, key, "{\"type\":\"t\"}"));
    }

    // ---- the node

    private static Told openJobs(Path home) {
        try (TestServer own =
                TestServer.start(home.resolve("jobs"), NodeConfig.named("n").withEngine(holding(10, 100)))) {
            return firstRefused(
                    own, own.adminKey(), 10, i -> NewJob.newBuilder().setType("t"));
        }
    }

    private static Told keys(Path home) {
        try (TestServer own =
                TestServer.start(home.resolve("keys"), NodeConfig.named("n").withEngine(holding(100, 1)))) {
            return firstRefused(
                    own,
                    own.adminKey(),
                    2,
                    i -> NewJob.newBuilder().setType("t").setIdempotencyKey("k" + i));
        }
    }

    private static Told demands(Path home) {
        String key = server.newKey("demands", "submitter");
        IntFunction<NewJob.Builder> one = i -> NewJob.newBuilder()
                .setType("t")
                .setDemand(Resources.newBuilder().setCpuMillis(i));
        jobs(server, key).submitBatch(batch(1_000, i -> one.apply(1 + i)));
        return firstRefused(server, key, 2, i -> one.apply(2_000 + i));
    }

    private static Told overloaded(Path home) {
        CompletableFuture<Void> opened = new CompletableFuture<>();
        AtomicBoolean held = new AtomicBoolean();
        PacedStore store = new PacedStore(() -> held.get() ? opened : CompletableFuture.completedFuture(null));
        try (TestServer own = TestServer.start(home.resolve("busy"), PacedStore.config(100, 1, 10), store::behind);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            held.set(true);
            String ten = "{\"jobs\":[" + String.join(",", Collections.nCopies(10, "{\"type\":\"t\"}")) + "]}";
            List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                calls.add(CompletableFuture.supplyAsync(() -> own.send("POST", "/v1/jobs:batch", ten), threads));
            }
            HttpResponse<?> refused =
                    (HttpResponse<?>) CompletableFuture.anyOf(calls.toArray(new CompletableFuture<?>[0]))
                            .join();
            opened.complete(null);
            calls.forEach(CompletableFuture::join);
            return told(refused).asking(10);
        }
    }

    // ---- reports

    /** A store that always finds one row more than it is asked for at most. */
    private static Told usageRows(Path home) {
        UsageRow row = new UsageRow(0, new UsageAccount(new TenantId(1), "short", "default", "t"), Usage.NONE);
        UnaryOperator<Journal> store = journal -> (Journal) Proxy.newProxyInstance(
                Journal.class.getClassLoader(), new Class<?>[] {Journal.class}, (_, method, arguments) -> {
                    if (method.getName().equals("usage")) {
                        int many = ((UsageQuery) arguments[0]).limit() + 1;
                        return CompletableFuture.completedFuture(Collections.nCopies(many, row));
                    }
                    return method.invoke(journal, arguments);
                });
        try (TestServer own = TestServer.start(home.resolve("usage"), NodeConfig.named("n"), store)) {
            return told(own.get("/v1/usage?group_by=tenant,hour"));
        }
    }

    // ---- what was told

    private static Told told(HttpResponse<?> response) {
        JsonNode problem = JSON.readTree(String.valueOf(response.body()));
        assertThat(response.statusCode()).as("%s", problem).isGreaterThanOrEqualTo(400);
        long seconds = problem.has("retry_after") ? problem.get("retry_after").asLong() : 0;
        assertThat(response.headers().firstValue("Retry-After").orElse("0")).isEqualTo(Long.toString(seconds));
        return new Told(
                problem.get("code").asString(),
                number(problem, "limit"),
                number(problem, "present"),
                seconds * 1_000,
                problem.get("detail").asString(),
                1);
    }

    private static @Nullable Long number(JsonNode problem, String name) {
        return problem.has(name) ? problem.get(name).asLong() : null;
    }

    private static Told told(Problem problem) {
        return new Told(
                problem.getCode(),
                problem.hasLimit() ? problem.getLimit() : null,
                problem.hasPresent() ? problem.getPresent() : null,
                problem.getRetryAfterMs(),
                problem.getDetail(),
                1);
    }

    private static Told refused(Runnable call) {
        StatusRuntimeException failure = catchThrowableOfType(StatusRuntimeException.class, call::run);
        return told(ProblemStatus.problemOf(failure).orElseThrow());
    }

    private static Told firstRefused(TestServer at, String key, int count, IntFunction<NewJob.Builder> job) {
        List<SubmitItem> items = jobs(at, key).submitBatch(batch(count, job)).getItemsList();
        return told(items.stream()
                .filter(SubmitItem::hasProblem)
                .findFirst()
                .orElseThrow()
                .getProblem());
    }

    private static SubmitBatchRequest batch(int count, IntFunction<NewJob.Builder> job) {
        return SubmitBatchRequest.newBuilder()
                .addAllJobs(IntStream.range(0, count)
                        .mapToObj(i -> job.apply(i).build())
                        .collect(Collectors.toList()))
                .build();
    }

    private static JobsGrpc.JobsBlockingStub jobs(TestServer at, String key) {
        return at.stub(JobsGrpc.JobsBlockingStub.class, key);
    }

    private static HttpResponse<String> post(TestServer at, String key, String json) {
        return TestServer.send(HttpRequest.newBuilder(at.uri("/v1/jobs"))
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json))
                .build());
    }

    private static void put(String tenant, String rules) {
        assertThat(server.send("PUT", "/v1/tenants/" + tenant, rules).statusCode())
                .isEqualTo(200);
    }

    private static EngineConfig holding(int jobs, int keys) {
        EngineConfig.Keys usual = EngineConfig.DEFAULT.keys();
        return EngineConfig.DEFAULT
                .withMaxOpenJobs(jobs)
                .withKeys(new EngineConfig.Keys(usual.retentionMicros(), usual.spanMicros(), keys));
    }
}
