package dev.fairlane.server.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.v1.Job;
import dev.fairlane.protocol.v1.JobState;
import dev.fairlane.protocol.v1.NewJob;
import dev.fairlane.protocol.v1.SubmitBatchRequest;
import dev.fairlane.protocol.v1.SubmitItem;
import dev.fairlane.server.fault.Refused;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonMappingTest {
    @Test
    void aJobIsReadFieldByField() {
        NewJob job = read("""
                {"type": "t", "payload": {"a": [1, 2.50, "x"]}, "priority": 0, "run_at": "2026-11-15T08:30:00.123456+01:00",
                 "delay_ms": 5, "idempotency_key": "k", "tags": {"a": "b"}, "headers": {}}""");
        assertThat(job.getType()).isEqualTo("t");
        assertThat(job.getPayload().toStringUtf8()).isEqualTo("{\"a\": [1, 2.50, \"x\"]}");
        assertThat(job.hasPriority()).isTrue();
        assertThat(job.getPriority()).isZero();
        assertThat(job.getRunAtMicros()).isEqualTo(1_794_727_800_123_456L);
        assertThat(job.getDelayMs()).isEqualTo(5);
        assertThat(job.getTagsMap()).containsExactly(java.util.Map.entry("a", "b"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "-1.5e10",
                "\"a\\\"b\"",
                "\"\"",
                "true",
                "false",
                "null",
                "{}",
                "[]",
                "[[1], {\"a\": {}}]",
                "\"ü€😀\"",
                "12345678901234567890123"
            })
    void theBytesOfAnInlinePayloadAreKeptAsTheyAre(String payload) {
        assertThat(read("{\"type\":\"t\",\"payload\":" + payload + "}")
                        .getPayload()
                        .toStringUtf8())
                .isEqualTo(payload);
        assertThat(read("{ \"payload\" :  " + payload + "  , \"type\":\"t\"}")
                        .getPayload()
                        .toStringUtf8())
                .isEqualTo(payload);
    }

    @Test
    void otherBytesComeAsBase64() {
        NewJob job = read("{\"type\":\"t\",\"payload_base64\":\"AAH/\",\"content_type\":\"image/png\"}");
        assertThat(job.getPayload().toByteArray()).containsExactly(0, 1, -1);
        refused("{\"payload\":1,\"content_type\":\"image/png\"}", ErrorCode.INVALID_ARGUMENT, "payload");
        refused("{\"payload\":1,\"payload_base64\":\"AAH/\"}", ErrorCode.DUPLICATE_FIELD, "payload_base64");
        refused("{\"payload_base64\":\"?\"}", ErrorCode.INVALID_ARGUMENT, "payload_base64");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"tipe\": 1} | UNKNOWN_FIELD | tipe",
                "{\"run_at_micros\": 1} | UNKNOWN_FIELD | run_at_micros",
                "{\"type\": 1} | WRONG_TYPE | type",
                "{\"type\": null} | WRONG_TYPE | type",
                "{\"priority\": \"1\"} | WRONG_TYPE | priority",
                "{\"priority\": 1.0} | WRONG_TYPE | priority",
                "{\"priority\": 99999999999} | INVALID_ARGUMENT | priority",
                "{\"delay_ms\": 99999999999999999999999999999999} | WRONG_TYPE | delay_ms",
                "{\"delay_ms\": 9223372036854775808} | INVALID_ARGUMENT | delay_ms",
                "{\"run_at\": \"tomorrow\"} | INVALID_ARGUMENT | run_at",
                "{\"run_at\": 5} | WRONG_TYPE | run_at",
                "{\"run_at\": \"+999999999-01-01T00:00:00Z\"} | INVALID_ARGUMENT | run_at",
                "{\"type\": \"a\", \"type\": \"b\"} | DUPLICATE_FIELD | type",
                "{\"tags\": [\"a\"]} | WRONG_TYPE | tags",
                "{\"tags\": {\"a\": 1}} | WRONG_TYPE | tags",
                "{\"tags\": {\"a\": \"1\", \"a\": \"2\"}} | DUPLICATE_FIELD | tags",
                "[] | WRONG_TYPE | ``",
                "\"a\" | WRONG_TYPE | ``",
                "{\"type\": \"a\"} {} | MALFORMED_REQUEST | ``",
                "{\"type\": | MALFORMED_REQUEST | ``",
                "nonsense | MALFORMED_REQUEST | ``",
            })
    void whatIsNotUnderstoodIsRefusedWithItsPath(String json, ErrorCode code, String field) {
        refused(json, code, field);
    }

    @Test
    void pathsLeadIntoLists() {
        Refused refused = catchThrowableOfType(
                Refused.class,
                () -> JsonReader.read(
                        "{\"jobs\":[{\"type\":\"a\"},{\"type\":\"a\",\"tags\":3}]}".getBytes(UTF_8),
                        SubmitBatchRequest.newBuilder(),
                        Set.of()));
        assertThat(refused.field()).isEqualTo("jobs[1].tags");
    }

    @Test
    void whatIsInThePathIsNotInTheBody() {
        Refused refused = catchThrowableOfType(
                Refused.class,
                () -> JsonReader.read("{\"type\":\"a\"}".getBytes(UTF_8), NewJob.newBuilder(), Set.of("type")));
        assertThat(refused.code()).isEqualTo(ErrorCode.UNKNOWN_FIELD);
    }

    @Test
    void deepNestingIsRefusedWithoutFollowingIt() {
        String deep = "[".repeat(65) + "]".repeat(65);
        refused("{\"payload\":" + deep + "}", ErrorCode.NESTED_TOO_DEEP, "payload");
        refused("{\"payload\":" + "[".repeat(100_000), ErrorCode.NESTED_TOO_DEEP, "payload");
        refused("[".repeat(100_000), ErrorCode.WRONG_TYPE, "");
    }

    @Test
    void aJobIsWrittenWithItsPayloadAsJson() {
        Job job = Job.newBuilder()
                .setId("i")
                .setState(JobState.SUCCEEDED)
                .setPayload(ByteString.copyFromUtf8("{ \"a\" :\n 1, \"b\": \"x  \\\" y\" }"))
                .setContentType("application/json")
                .setResult(ByteString.copyFrom(new byte[] {0, 1}))
                .setResultContentType("image/png")
                .setSubmittedAtMicros(1_794_727_800_123_456L)
                .putTags("k", "v")
                .build();
        assertThat(write(job))
                .contains("\"payload\":{\"a\":1,\"b\":\"x  \\\" y\"}")
                .contains("\"result_base64\":\"AAE=\"")
                .contains("\"submitted_at\":\"2026-11-15T07:30:00.123456Z\"")
                .contains("\"state\":\"SUCCEEDED\"")
                .contains("\"tags\":{\"k\":\"v\"}")
                .contains("\"attempts\":[]")
                .contains("\"cancel_requested\":false")
                .doesNotContain("run_at", "headers", "payload_base64", "\n");
    }

    @Test
    void aResultThatOnlyClaimsToBeJsonIsShownAsBytes() {
        Job job = Job.newBuilder()
                .setResult(ByteString.copyFromUtf8("{"))
                .setResultContentType("application/json")
                .build();
        assertThat(write(job)).contains("\"result_base64\":\"ew==\"").doesNotContain("\"result\":");
    }

    @Test
    void aRefusedItemHasNoId() {
        assertThat(write(SubmitItem.getDefaultInstance())).isEqualTo("{\"existing\":false,\"degraded\":false}");
    }

    @Test
    void whatIsWrittenCanBeReadAgain() {
        NewJob job = NewJob.newBuilder()
                .setType("t")
                .setPayload(ByteString.copyFromUtf8("[1]"))
                .setPriority(3)
                .setNotAfterMicros(1_794_727_800_000_000L)
                .putHeaders("h", "v")
                .build();
        assertThat(read(write(job))).isEqualTo(job);
    }

    private static void refused(String json, ErrorCode code, String field) {
        Refused refused = catchThrowableOfType(Refused.class, () -> read(json));
        assertThat(refused).as(json.length() > 100 ? "a long one" : json).isNotNull();
        assertThat(refused.code()).isEqualTo(code);
        assertThat(refused.field()).isEqualTo(field);
    }

    private static NewJob read(String json) {
        NewJob.Builder job = NewJob.newBuilder();
        JsonReader.read(json.getBytes(UTF_8), job, Set.of());
        return job.build();
    }

    private static String write(Message message) {
        return new String(JsonWriter.write(message), UTF_8);
    }
}
