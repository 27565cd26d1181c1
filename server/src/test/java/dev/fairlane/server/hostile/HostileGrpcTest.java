package dev.fairlane.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.rpc.ErrorInfo;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.server.TestServer;
import dev.fairlane.server.admit.Limits;
import dev.fairlane.server.auth.Role;
import dev.fairlane.server.routes.RouteTable;
import dev.fairlane.server.routes.Rpc;
import io.grpc.Status;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every RPC of the table × every bad way to call it, byte by byte: a status with a stable code, and nothing stored. */
class HostileGrpcTest {
    private static TestServer server;
    private static Hostile hostile;
    private static String before;
    private static WebClient client;

    @BeforeAll
    static void start(@TempDir Path home) {
        server = TestServer.start(home);
        hostile = new Hostile(server);
        before = hostile.storedByNow();
        client = WebClient.builder("h2c://127.0.0.1:" + server.port())
                .responseTimeoutMillis(20_000)
                .build();
    }

    @AfterAll
    static void stop() {
        String after = hostile.storedByNow();
        server.close();
        assertThat(after).isEqualTo(before);
    }

    @TestFactory
    Stream<DynamicTest> everyRpcRefusesBadInput() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Rpc rpc : RouteTable.build().rpcs()) {
            if (rpc.raw()) {
                continue; // REST only
            }
            tests.add(dynamicTest(rpc.name() + ": keys", () -> untouched(() -> keys(rpc))));
            tests.add(dynamicTest(rpc.name() + ": roles", () -> untouched(() -> roles(rpc))));
            tests.add(dynamicTest(rpc.name() + ": bytes", () -> untouched(() -> bytes(rpc))));
            tests.add(dynamicTest(rpc.name() + ": values", () -> untouched(() -> values(rpc))));
        }
        tests.add(dynamicTest("unknown RPC", () -> {
            Told told = call("fairlane.v1.Jobs/Nothing", "Bearer " + server.adminKey(), frame(new byte[0]));
            assertThat(told.code).isEqualTo(ErrorCode.ROUTE_NOT_FOUND);
        }));
        return tests.stream();
    }

    private static void untouched(Runnable attack) {
        attack.run();
        assertThat(hostile.stored()).isEqualTo(before);
    }

    private static void keys(Rpc rpc) {
        assertThat(call(rpc.name(), null, frame(new byte[0])).code).isEqualTo(ErrorCode.UNAUTHENTICATED);
        for (String authorization : hostile.badAuthorizations()) {
            assertThat(call(rpc.name(), authorization, frame(new byte[0])).code)
                    .as(authorization)
                    .isEqualTo(ErrorCode.UNAUTHENTICATED);
        }
    }

    private static void roles(Rpc rpc) {
        for (Role role : Role.values()) {
            if (!rpc.roles().contains(role)) {
                assertThat(call(rpc.name(), "Bearer " + hostile.key(role), frame(new byte[0])).code)
                        .isEqualTo(ErrorCode.PERMISSION_DENIED);
            }
        }
        RequestHeadersBuilder naming = headers(
                        rpc.name(),
                        "Bearer " + hostile.keyOfAnother(rpc.roles().iterator().next()))
                .add("fairlane-tenant", "default");
        assertThat(call(naming, frame(new byte[0])).code).isEqualTo(ErrorCode.PERMISSION_DENIED);
    }

    private static void bytes(Rpc rpc) {
        String key = "Bearer " + server.adminKey();
        Set<ErrorCode> caller = Set.of(
                ErrorCode.MALFORMED_REQUEST,
                ErrorCode.CALL_TOO_LARGE,
                ErrorCode.INVALID_ARGUMENT,
                ErrorCode.PROTOCOL_VIOLATION);
        for (byte[] garbage : List.of(
                new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff},
                new byte[] {0x0a, 0x7f, 0x01},
                "not protobuf at all".getBytes(),
                new byte[] {0x0a, 0x02, (byte) 0xc3, 0x28},
                new byte[] {0x07})) {
            Told told = call(rpc.name(), key, frame(garbage));
            // An unknown field is a newer client's, and a batch that is bad on a stream is answered on the stream.
            if (told.status != Status.Code.OK) {
                assertThat(caller).as(rpc.name() + " " + told).contains(told.code);
            }
        }
        byte[] large = ByteBuffer.allocate(5 + 100)
                .put((byte) 0)
                .putInt(Integer.MAX_VALUE)
                .array();
        assertThat(call(rpc.name(), key, large).code).as(rpc.name()).isIn(caller);
        byte[] really = frame(new byte[Limits.CALL_BYTES + 1]);
        assertThat(call(rpc.name(), key, really).code).as(rpc.name()).isIn(caller);
    }

    /** Each field in turn with each bad value, everything else empty. */
    private static void values(Rpc rpc) {
        Descriptor input = rpc.method().getInputType();
        for (DynamicMessage message : badMessages(input, 3)) {
            Told told = call(rpc.name(), "Bearer " + server.adminKey(), frame(message.toByteArray()));
            String about =
                    rpc.name() + " " + told + " for " + message.getAllFields().keySet();
            if (told.status != Status.Code.OK) {
                assertThat(told.code).as(about).isNotNull();
                assertThat(told.code.fault()).as(about).isEqualTo(ErrorCode.Fault.CALLER);
            }
        }
    }

    private static List<DynamicMessage> badMessages(Descriptor type, int depth) {
        List<DynamicMessage> messages = new ArrayList<>();
        for (FieldDescriptor field : type.getFields()) {
            for (Object value : badValues(field, depth)) {
                DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
                if (field.isRepeated()) {
                    message.addRepeatedField(field, value);
                } else {
                    message.setField(field, value);
                }
                messages.add(message.build());
            }
        }
        return messages;
    }

    private static List<?> badValues(FieldDescriptor field, int depth) {
        return switch (field.getJavaType()) {
            case STRING -> Hostile.TEXTS;
            case INT -> List.of(-1, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case LONG -> List.of(-1L, Long.MIN_VALUE, Long.MAX_VALUE);
            case BOOLEAN -> List.of(true);
            case FLOAT, DOUBLE -> List.of();
            case BYTE_STRING ->
                List.of(ByteString.copyFromUtf8("{"), ByteString.copyFrom(new byte[Limits.PAYLOAD_BYTES + 1]));
            case ENUM ->
                List.of(
                        field.getEnumType().findValueByNumberCreatingIfUnknown(999),
                        field.getEnumType().findValueByNumber(0));
            case MESSAGE -> depth == 0 ? List.of() : badMessages(field.getMessageType(), depth - 1);
        };
    }

    private record Told(Status.Code status, ErrorCode code, String message) {}

    private static Told call(String rpc, String authorization, byte[] body) {
        return call(headers(rpc, authorization), body);
    }

    private static RequestHeadersBuilder headers(String rpc, String authorization) {
        RequestHeadersBuilder headers = RequestHeaders.builder(HttpMethod.POST, "/" + rpc)
                .add("content-type", "application/grpc")
                .add("te", "trailers");
        return authorization == null ? headers : headers.add("authorization", authorization);
    }

    private static Told call(RequestHeadersBuilder headers, byte[] body) {
        AggregatedHttpResponse response = client.execute(HttpRequest.of(headers.build(), HttpData.wrap(body)))
                .aggregate()
                .join();
        assertThat(response.status().code()).isEqualTo(200);
        boolean statusOnly = response.headers().contains("grpc-status");
        String status = statusOnly
                ? response.headers().get("grpc-status")
                : response.trailers().get("grpc-status");
        String details = statusOnly
                ? response.headers().get("grpc-status-details-bin")
                : response.trailers().get("grpc-status-details-bin");
        assertThat(status).as(response.toString()).isNotNull();
        String message = statusOnly
                ? response.headers().get("grpc-message")
                : response.trailers().get("grpc-message");
        Status.Code code = Status.fromCodeValue(Integer.parseInt(status)).getCode();
        if (code == Status.Code.OK) {
            return new Told(code, null, "");
        }
        assertThat(message).doesNotContain("Exception", "dev.fairlane", "java.");
        return new Told(code, details == null ? null : codeOf(details), message);
    }

    private static ErrorCode codeOf(String details) {
        try {
            var status = com.google.rpc.Status.parseFrom(Base64.getDecoder().decode(details));
            return ErrorCode.find(status.getDetails(0).unpack(ErrorInfo.class).getReason())
                    .orElseThrow();
        } catch (com.google.protobuf.InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] frame(byte[] message) {
        return ByteBuffer.allocate(5 + message.length)
                .put((byte) 0)
                .putInt(message.length)
                .put(message)
                .array();
    }
}
