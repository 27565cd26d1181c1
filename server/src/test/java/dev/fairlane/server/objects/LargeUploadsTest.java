package dev.fairlane.server.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.linecorp.armeria.client.BlockingWebClient;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.runtime.LeaseRef;
import dev.fairlane.server.RecordingStream;
import dev.fairlane.server.TestServer;
import dev.fairlane.server.admit.Limits;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Bodies that say how long they are and are longer than a call may be: what is stored apart and streams of jobs take them. */
class LargeUploadsTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int MAX = 16 << 20;
    private static final byte[] LARGE = bytes(9 << 20);

    private static TestServer server;

    @BeforeAll
    static void start(@TempDir Path home) {
        server = TestServer.start(home, new ObjectRules(MAX, MAX, MAX, Duration.ofHours(24), 64, Duration.ofHours(1)));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"h1c", "h2c"})
    void aPayloadMayBeLargerThanACall(String protocol) throws Exception {
        AggregatedHttpResponse answer = send(protocol, HttpMethod.POST, "/v1/objects", MediaType.OCTET_STREAM, LARGE);

        assertThat(answer.status().code()).as(answer.contentUtf8()).isEqualTo(200);
        JsonNode stored = JSON.readTree(answer.contentUtf8());
        assertThat(stored.get("bytes").asLong()).isEqualTo(LARGE.length);
        assertThat(stored.get("sha256").asString())
                .isEqualTo(HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(LARGE)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"h1c", "h2c"})
    void aCheckpointAndAResultMayBeLargerThanACall(String protocol) {
        RecordingStream stream = new RecordingStream();
        server.node()
                .connect(
                        new WorkerOffer("w-" + protocol, null, List.of(protocol), Map.of("short", 1)),
                        List.of(),
                        stream);
        server.send("POST", "/v1/jobs", "{\"type\":\"" + protocol + "\",\"time_limit_ms\":600000}");
        await().until(() -> !stream.leases.isEmpty());
        LeaseRef lease = new LeaseRef(
                stream.leases.getFirst().spec().id(),
                stream.leases.getFirst().status().token());

        for (String what : List.of("checkpoint", "result")) {
            String path = "/v1/jobs/" + lease.id() + "/" + what;
            AggregatedHttpResponse saved =
                    send(protocol, HttpMethod.PUT, path + "?token=" + lease.token(), MediaType.OCTET_STREAM, LARGE);
            assertThat(saved.status().code()).as(saved.contentUtf8()).isEqualTo(200);
            assertThat(JSON.readTree(saved.contentUtf8()).get("bytes").asLong()).isEqualTo(LARGE.length);
        }
        AggregatedHttpResponse loaded = send(
                protocol,
                HttpMethod.GET,
                "/v1/jobs/" + lease.id() + "/checkpoint",
                MediaType.OCTET_STREAM,
                new byte[0]);
        assertThat(loaded.content().array()).isEqualTo(LARGE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"h1c", "h2c"})
    void aStreamOfJobsMayBeLargerThanACall(String protocol) {
        String line = "{\"type\":\"t\",\"payload\":\"" + "x".repeat(200_000) + "\"}\n";
        byte[] lines = String.join("", Collections.nCopies(46, line)).getBytes(StandardCharsets.UTF_8);
        assertThat(lines.length).isGreaterThan(Limits.CALL_BYTES);

        AggregatedHttpResponse answer =
                send(protocol, HttpMethod.POST, "/v1/jobs:stream", MediaType.parse("application/x-ndjson"), lines);

        assertThat(answer.status().code()).as(answer.contentUtf8()).isEqualTo(200);
        assertThat(answer.contentUtf8().lines())
                .hasSize(46)
                .allSatisfy(each ->
                        assertThat(JSON.readTree(each).has("id")).as(each).isTrue());
    }

    @ParameterizedTest
    @ValueSource(strings = {"h1c", "h2c"})
    void whatIsAnnouncedAsTooLargeIsStillRefused(String protocol) {
        AggregatedHttpResponse object =
                send(protocol, HttpMethod.POST, "/v1/objects", MediaType.OCTET_STREAM, bytes(MAX + 1));
        assertThat(code(object)).isEqualTo("OBJECT_TOO_LARGE");
        AggregatedHttpResponse call = send(protocol, HttpMethod.POST, "/v1/jobs:batch", MediaType.JSON, LARGE);
        assertThat(code(call)).isEqualTo("CALL_TOO_LARGE");
    }

    private static AggregatedHttpResponse send(
            String protocol, HttpMethod method, String path, MediaType type, byte[] body) {
        BlockingWebClient client = WebClient.builder(protocol + "://127.0.0.1:" + server.port())
                .responseTimeout(Duration.ofMinutes(1))
                .writeTimeout(Duration.ofMinutes(1))
                .build()
                .blocking();
        return client.execute(
                RequestHeaders.builder(method, path)
                        .contentType(type)
                        .set(HttpHeaderNames.AUTHORIZATION, "Bearer " + server.adminKey())
                        .build(),
                body);
    }

    private static String code(AggregatedHttpResponse answer) {
        return JSON.readTree(answer.contentUtf8()).path("code").asString("");
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(7).nextBytes(bytes);
        return bytes;
    }
}
