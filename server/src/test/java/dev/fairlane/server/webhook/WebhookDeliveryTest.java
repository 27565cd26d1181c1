package dev.fairlane.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.protocol.v1.CancelJobRequest;
import dev.fairlane.protocol.v1.GetWebhookSecretRequest;
import dev.fairlane.protocol.v1.Job;
import dev.fairlane.protocol.v1.JobState;
import dev.fairlane.protocol.v1.JobsGrpc;
import dev.fairlane.protocol.v1.ListJobsRequest;
import dev.fairlane.protocol.v1.NewJob;
import dev.fairlane.protocol.v1.RotateWebhookSecretRequest;
import dev.fairlane.protocol.v1.SubmitRequest;
import dev.fairlane.protocol.v1.WebhookSecret;
import dev.fairlane.protocol.v1.WebhooksGrpc;
import dev.fairlane.runtime.NodeConfig;
import dev.fairlane.server.RecordingStream;
import dev.fairlane.server.TestServer;
import dev.fairlane.server.config.ServerConfig;
import dev.fairlane.server.webhook.Receiver.Received;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real server calls a real receiver. */
class WebhookDeliveryTest {
    private static final ServerConfig.Webhooks OPEN =
            new ServerConfig.Webhooks(true, true, true, 4, Duration.ofSeconds(30));

    @TempDir
    private Path home;

    private final Receiver receiver = new Receiver();
    private TestServer server;
    private JobsGrpc.JobsBlockingStub jobs;

    @BeforeEach
    void start() {
        start(OPEN);
    }

    private void start(ServerConfig.Webhooks webhooks) {
        server = TestServer.start(home, NodeConfig.named("test"), webhooks);
        jobs = server.stub(JobsGrpc.JobsBlockingStub.class);
    }

    @AfterEach
    void stop() {
        server.close();
        receiver.close();
    }

    /** A job that ends at once: cancelled while it waits. */
    private String end(String url) {
        String id = jobs.submit(SubmitRequest.newBuilder()
                        .setJob(NewJob.newBuilder()
                                .setType("mail")
                                .setDelayMs(60_000)
                                .setWebhook(url))
                        .build())
                .getId();
        jobs.cancel(CancelJobRequest.newBuilder().setId(id).build());
        return id;
    }

    private Received call(int number) {
        Awaitility.await().until(() -> receiver.received.size() >= number);
        return receiver.received.get(number - 1);
    }

    private Job delivery(JobState state) {
        return Awaitility.await()
                .until(
                        () -> jobs.list(ListJobsRequest.newBuilder()
                                        .setType("fairlane.webhook")
                                        .build())
                                .getJobsList(),
                        found -> !found.isEmpty() && found.getFirst().getState() == state)
                .getFirst();
    }

    private static String hmac(String secret, String time, byte[] body) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        mac.update((time + ".").getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(mac.doFinal(body));
    }

    @Test
    void theEndOfAJobIsToldAndSigned() throws Exception {
        String id = end(receiver.url("/hook?from=fairlane"));
        Received call = call(1);
        assertThat(call.path()).isEqualTo("/hook?from=fairlane");
        assertThat(new String(call.body(), StandardCharsets.UTF_8))
                .contains("\"id\":\"" + id + "\"", "\"state\":\"CANCELLED\"", "\"tenant\":\"default\"");
        assertThat(call.headers()).containsEntry("Content-Type", "application/json");
        assertThat(call.headers().get("Fairlane-Delivery"))
                .isEqualTo(delivery(JobState.SUCCEEDED).getId());

        String secret = server.stub(WebhooksGrpc.WebhooksBlockingStub.class)
                .getSecret(GetWebhookSecretRequest.getDefaultInstance())
                .getSecret();
        String time = call.headers().get("Fairlane-Signature").replaceAll("^t=([0-9]+),.*", "$1");
        assertThat(call.headers().get("Fairlane-Signature"))
                .isEqualTo("t=" + time + ",v1=" + hmac(secret, time, call.body()));
    }

    @Test
    void aSessionThatWasEndedIsOpenedAgain() {
        RecordingStream usurper = new RecordingStream();
        usurper.connect(
                server.node(), new WorkerOffer("fairlane-webhooks", null, List.of("other"), Map.of("short", 1)));
        end(receiver.url("/after"));
        assertThat(call(1).path()).isEqualTo("/after");
        assertThat(server.node().drainWorker(null, "fairlane-webhooks", false).join())
                .as("nor is it sent away")
                .isEmpty();
    }

    @Test
    void afterARotationBothSecretsSign() throws Exception {
        WebhooksGrpc.WebhooksBlockingStub webhooks = server.stub(WebhooksGrpc.WebhooksBlockingStub.class);
        String first =
                webhooks.getSecret(GetWebhookSecretRequest.getDefaultInstance()).getSecret();
        WebhookSecret second = webhooks.rotateSecret(RotateWebhookSecretRequest.getDefaultInstance());
        assertThat(second.getPrevious()).isEqualTo(first).isNotEqualTo(second.getSecret());
        end(receiver.url("/"));
        Received call = call(1);
        String time = call.headers().get("Fairlane-Signature").replaceAll("^t=([0-9]+),.*", "$1");
        assertThat(call.headers().get("Fairlane-Signature"))
                .isEqualTo("t=" + time + ",v1=" + hmac(second.getSecret(), time, call.body()) + ",v1="
                        + hmac(first, time, call.body()));
    }

    @Test
    void aReceiverInTroubleIsCalledAgainWithTheSameDelivery() {
        receiver.answerNext(503, Map.of());
        receiver.answerNext(429, Map.of("Retry-After", "1"));
        end(receiver.url("/"));
        Received last = call(3);
        assertThat(receiver.received)
                .extracting(call -> call.headers().get("Fairlane-Delivery"))
                .containsOnly(last.headers().get("Fairlane-Delivery"));
        assertThat(receiver.received).extracting(Received::body).containsOnly(last.body());
        Job done = delivery(JobState.SUCCEEDED);
        assertThat(done.getAttempt()).as("a 429 costs no attempt").isEqualTo(2);
    }

    @Test
    void aReceiverThatDoesNotWantItIsNotCalledAgain() {
        receiver.answerNext(410, Map.of());
        end(receiver.url("/gone"));
        assertThat(delivery(JobState.DEAD).getFailure().getMessage()).contains("410");
        assertThat(receiver.received).hasSize(1);
    }

    @Test
    void redirectsAreNotFollowed() {
        receiver.answerNext(302, Map.of("Location", receiver.url("/elsewhere")));
        end(receiver.url("/moved"));
        delivery(JobState.DEAD);
        assertThat(receiver.received).extracting(Received::path).containsExactly("/moved");
    }

    @Test
    void whatWaitsIsDeliveredInTheOrderOfItsEnds() {
        server.close();
        start(new ServerConfig.Webhooks(true, true, true, 1, Duration.ofSeconds(30)));
        List<String> ended = List.of(end(receiver.url("/")), end(receiver.url("/")), end(receiver.url("/")));
        call(3);
        assertThat(receiver.received)
                .extracting(call ->
                        new String(call.body(), StandardCharsets.UTF_8).replaceAll(".*\"id\":\"([^\"]+)\".*", "$1"))
                .containsExactlyElementsOf(ended);
    }

    @Test
    void oddAddressesAreRefusedAtSubmit() {
        server.close();
        start(new ServerConfig.Webhooks(true, false, false, 1, Duration.ofSeconds(30)));
        for (String bad : List.of(
                "http://example.com/",
                "https://localhost/",
                "https://127.0.0.1/",
                "https://[::1]/",
                "https://10.0.0.1/",
                "https://169.254.169.254/latest",
                "ftp://example.com/",
                "https://user@example.com/",
                "https://example.com/#here",
                "example.com",
                "https://",
                "https:///path")) {
            var answer = server.send("POST", "/v1/jobs", "{\"type\":\"mail\",\"webhook\":\"" + bad + "\"}");
            assertThat(answer.statusCode()).as(bad).isEqualTo(400);
            assertThat(answer.body()).as(bad).contains("\"webhook\"");
        }
        assertThat(server.send("POST", "/v1/jobs", "{\"type\":\"mail\",\"webhook\":\"https://example.com/x\"}")
                        .statusCode())
                .isEqualTo(201);
    }

    @Test
    void aServerWithoutWebhooksTakesNone() {
        server.close();
        start(new ServerConfig.Webhooks(false, true, true, 1, Duration.ofSeconds(30)));
        var answer = server.send("POST", "/v1/jobs", "{\"type\":\"mail\",\"webhook\":\"https://example.com/\"}");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("webhooks.enabled");
    }

    @Test
    void typesOfTheServerAreReserved() {
        var answer = server.send("POST", "/v1/jobs", "{\"type\":\"fairlane.webhook\"}");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("RESERVED_TYPE");
    }
}
