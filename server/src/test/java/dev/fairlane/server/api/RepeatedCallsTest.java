package dev.fairlane.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.protocol.v1.AdminGrpc;
import dev.fairlane.protocol.v1.CreateKeyRequest;
import dev.fairlane.protocol.v1.CreateKeyResponse;
import dev.fairlane.protocol.v1.GetJobRequest;
import dev.fairlane.protocol.v1.JobsGrpc;
import dev.fairlane.protocol.v1.NewJob;
import dev.fairlane.protocol.v1.SubmitBatchRequest;
import dev.fairlane.protocol.v1.SubmitItem;
import dev.fairlane.protocol.v1.SubmitRequest;
import dev.fairlane.protocol.v1.SubmitResponse;
import dev.fairlane.server.TestServer;
import dev.fairlane.server.routes.Repeating;
import dev.fairlane.server.routes.RouteTable;
import dev.fairlane.server.routes.Rpc;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.AbstractStub;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls that come twice, over gRPC and REST. */
class RepeatedCallsTest {
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

    private static NewJob.Builder job(String type) {
        return NewJob.newBuilder().setType(type);
    }

    private static <T extends AbstractStub<T>> T keyed(T stub, String key) {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("idempotency-key", Metadata.ASCII_STRING_MARSHALLER), key);
        return stub.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    private static HttpResponse<String> post(String path, String body, String key) {
        return TestServer.send(server.request(path)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(body))
                .build());
    }

    @Test
    void aSubmitWithARequestIdIsOneJobHoweverOftenItComes() {
        var jobs = server.stub(JobsGrpc.JobsBlockingStub.class);
        SubmitRequest request = SubmitRequest.newBuilder()
                .setJob(job("once"))
                .setRequestId("call-1")
                .build();
        SubmitResponse first = jobs.submit(request);
        SubmitResponse second = jobs.submit(request);
        assertThat(second.getId()).isEqualTo(first.getId());
        assertThat(second.getExisting()).as("it is this call's own job").isFalse();
        assertThat(jobs.get(GetJobRequest.newBuilder().setId(first.getId()).build())
                        .getIdempotencyKey())
                .as("a request id is not the job's key")
                .isEmpty();
    }

    @Test
    void aBatchWithARequestIdIsTakenOnce() {
        var jobs = server.stub(JobsGrpc.JobsBlockingStub.class);
        SubmitBatchRequest.Builder batch = SubmitBatchRequest.newBuilder().setRequestId("batch-1");
        for (int i = 0; i < 100; i++) {
            batch.addJobs(job(i % 10 == 3 ? "not a name!" : "bulk"));
        }
        var first = jobs.submitBatch(batch.build());
        var second = jobs.submitBatch(batch.build());
        assertThat(second.getItemsList().stream().map(SubmitItem::getId))
                .isEqualTo(first.getItemsList().stream().map(SubmitItem::getId).toList());
        assertThat(second.getItems(3).getProblem().getCode()).isEqualTo("INVALID_ARGUMENT");
    }

    @Test
    void theKeyOfABatchIsAKeyForEachOfItsJobs() {
        String body = "{\"jobs\":[{\"type\":\"a\"},{\"type\":\"b\"},{\"type\":\"c\",\"idempotency_key\":\"own\"}]}";
        JsonNode first = JSON.readTree(post("/v1/jobs:batch", body, "batch-key").body());
        JsonNode second =
                JSON.readTree(post("/v1/jobs:batch", body, "batch-key").body());
        for (int i = 0; i < 3; i++) {
            assertThat(second.at("/items/" + i + "/id").asString())
                    .isNotEmpty()
                    .isEqualTo(first.at("/items/" + i + "/id").asString());
            assertThat(second.at("/items/" + i + "/existing").asBoolean()).isTrue();
        }
        JsonNode other = JSON.readTree(post("/v1/jobs:batch", body.replace("\"b\"", "\"x\""), "batch-key")
                .body());
        assertThat(other.at("/items/1/problem/code").asString()).isEqualTo("IDEMPOTENCY_KEY_REUSED");
    }

    @Test
    void aKeyOnAStreamIsRefused() {
        assertThat(post("/v1/jobs:stream", "{\"type\":\"a\"}\n", "k").body()).contains("INVALID_ARGUMENT");
    }

    @Test
    void anApiKeyIsMadeOnceAndItsSecretToldAgain() {
        var admin = keyed(server.stub(AdminGrpc.AdminBlockingStub.class), "make-key");
        CreateKeyRequest request = CreateKeyRequest.newBuilder()
                .setName("robot")
                .setRole("viewer")
                .setTenant("default")
                .build();
        CreateKeyResponse first = admin.createKey(request);
        assertThat(admin.createKey(request)).isEqualTo(first);
        assertThatThrownBy(() ->
                        admin.createKey(request.toBuilder().setName("other").build()))
                .isInstanceOf(StatusRuntimeException.class)
                .hasMessageContaining("Idempotency-Key");
    }

    @Test
    void anOperationBeginsOnceAndOverRestToo() {
        String body = "{\"filter\":{\"type\":\"nothing\"},\"why\":\"test\"}";
        JsonNode first =
                JSON.readTree(post("/v1/dead-letters:replay", body, "replay-1").body());
        JsonNode second =
                JSON.readTree(post("/v1/dead-letters:replay", body, "replay-1").body());
        assertThat(first.get("id").asString())
                .isNotEmpty()
                .isEqualTo(second.get("id").asString());
        HttpResponse<String> other = post("/v1/dead-letters:replay", body.replace("nothing", "else"), "replay-1");
        assertThat(other.statusCode()).isEqualTo(409);
        assertThat(JSON.readTree(other.body()).get("code").asString()).isEqualTo("IDEMPOTENCY_KEY_REUSED");
        assertThat(post("/v1/dead-letters:replay", body, "replay-2").body())
                .doesNotContain(first.get("id").asString());
    }

    @Test
    void whatWasRefusedIsNotRemembered() {
        String body = "{\"name\":\"late\",\"tenant\":\"late-tenant\",\"role\":\"viewer\"}";
        assertThat(post("/v1/keys", body, "k-late").statusCode()).isEqualTo(404);
        server.send("PUT", "/v1/tenants/late-tenant", "{\"weight\":10}");
        assertThat(post("/v1/keys", body, "k-late").statusCode()).isEqualTo(201);
    }

    @Test
    void everyCallThatChangesSomethingSaysWhatHappensTheSecondTimeAndThePageNamesIt() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "reference", "idempotency.md"));
        Set<String> streams = Set.of("fairlane.v1.Workers/Connect");
        for (Rpc rpc : RouteTable.build().rpcs()) {
            long said = Stream.of(
                            Repeating.KEPT_WITH_JOBS, Repeating.KEY_PER_JOB, Repeating.REMEMBERED, Repeating.BY_NATURE)
                    .filter(kind -> kind.contains(rpc.name()))
                    .count();
            boolean reads =
                    rpc.bindings().stream().allMatch(binding -> binding.method().equals("GET"));
            assertThat(said).as(rpc.name()).isEqualTo(reads || streams.contains(rpc.name()) ? 0 : 1);
            if (!reads) {
                rpc.bindings().forEach(binding -> assertThat(page).contains("`" + binding.method() + " "));
                assertThat(page).contains(rpc.method().getName());
            }
        }
    }
}
