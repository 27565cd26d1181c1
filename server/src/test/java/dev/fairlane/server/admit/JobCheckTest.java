package dev.fairlane.server.admit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.Payload;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.v1.NewJob;
import dev.fairlane.protocol.v1.Resources;
import dev.fairlane.server.fault.Refused;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobCheckTest {
    @Test
    void aPlainJobPassesWithItsDefaultsUntouched() {
        dev.fairlane.core.model.NewJob job = JobCheck.check(job().build());
        assertThat(job.type()).isEqualTo("send_email");
        assertThat(job.payload()).isEqualTo(new Payload("{\"a\":1}".getBytes(), "application/json"));
        assertThat(job.priority()).isEqualTo(-1);
        assertThat(job.tags()).isSameAs(Map.of());
        assertThat(job.bodyHash()).isZero();
    }

    @Test
    void zeroIsAPriorityOfItsOwn() {
        assertThat(JobCheck.check(job().setPriority(0).build()).priority()).isZero();
    }

    @Test
    void durationsAreMicrosecondsInside() {
        dev.fairlane.core.model.NewJob job =
                JobCheck.check(job().setDelayMs(5).setTimeLimitMs(7).build());
        assertThat(job.delayMicros()).isEqualTo(5_000);
        assertThat(job.timeLimitMicros()).isEqualTo(7_000);
    }

    @Test
    void whatFewJobsSayIsSharedByThoseThatDoNot() {
        assertThat(JobCheck.check(job().build()).terms()).isSameAs(JobTerms.NONE);
        assertThat(JobCheck.check(job().setLane("default").build()).terms()).isSameAs(JobTerms.NONE);
        dev.fairlane.core.model.NewJob job = JobCheck.check(job().setLane("training")
                .setMaxAgeMs(9)
                .setUniqueKey("u")
                .setExact(true)
                .build());
        assertThat(job.terms()).isEqualTo(new JobTerms("training", 9_000, "u", "", "", true, 0));
    }

    @Test
    void theBodyOfAKeyIncludesWhatFewJobsSay() {
        long plain = JobCheck.check(job().setIdempotencyKey("k").build()).bodyHash();
        assertThat(List.<UnaryOperator<NewJob.Builder>>of(
                        job -> job.setLane("x"),
                        job -> job.setMaxAgeMs(1),
                        job -> job.setUniqueKey("u"),
                        job -> job.setExact(true),
                        job -> job.setFairKey("f"),
                        job -> job.setConcurrencyKey("c"),
                        job -> job.setRateKey("r"),
                        job -> job.setRateCost(2),
                        job -> job.setDemand(Resources.newBuilder().setGpus(1)),
                        job -> job.addRequires("t")))
                .allSatisfy(change -> assertThat(JobCheck.check(change.apply(job().setIdempotencyKey("k"))
                                        .build())
                                .bodyHash())
                        .isNotEqualTo(plain));
    }

    @Test
    void whatIsOutOfShapeIsRefusedByName() {
        refused("type", ErrorCode.INVALID_ARGUMENT, job -> job.setType(""));
        refused("type", ErrorCode.INVALID_ARGUMENT, job -> job.setType("a b"));
        refused("type", ErrorCode.INVALID_ARGUMENT, job -> job.setType("ä"));
        refused("type", ErrorCode.INVALID_ARGUMENT, job -> job.setType("a\0"));
        refused("type", ErrorCode.INVALID_ARGUMENT, job -> job.setType("a".repeat(129)));
        refused("priority", ErrorCode.INVALID_ARGUMENT, job -> job.setPriority(10));
        refused("priority", ErrorCode.INVALID_ARGUMENT, job -> job.setPriority(-1));
        refused("payload_version", ErrorCode.INVALID_ARGUMENT, job -> job.setPayloadVersion(-1));
        refused("max_attempts", ErrorCode.INVALID_ARGUMENT, job -> job.setMaxAttempts(101));
        refused("time_limit_ms", ErrorCode.INVALID_ARGUMENT, job -> job.setTimeLimitMs(Long.MAX_VALUE));
        refused("run_at", ErrorCode.INVALID_ARGUMENT, job -> job.setRunAtMicros(-1));
        refused("run_at", ErrorCode.INVALID_ARGUMENT, job -> job.setRunAtMicros(Long.MAX_VALUE));
        refused("delay_ms", ErrorCode.INVALID_ARGUMENT, job -> job.setDelayMs(Long.MAX_VALUE));
        refused("delay_ms", ErrorCode.INVALID_ARGUMENT, job -> job.setDelayMs(1).setRunAtMicros(1));
        refused(
                "not_after",
                ErrorCode.INVALID_ARGUMENT,
                job -> job.setRunAtMicros(2).setNotAfterMicros(1));
        refused("idempotency_key", ErrorCode.INVALID_ARGUMENT, job -> job.setIdempotencyKey("a\nb"));
        refused("idempotency_key", ErrorCode.INVALID_ARGUMENT, job -> job.setIdempotencyKey("k".repeat(257)));
        refused("lane", ErrorCode.INVALID_ARGUMENT, job -> job.setLane("a b"));
        refused("max_age_ms", ErrorCode.INVALID_ARGUMENT, job -> job.setMaxAgeMs(-1));
        refused("unique_key", ErrorCode.INVALID_ARGUMENT, job -> job.setUniqueKey("a\nb"));
        refused("content_type", ErrorCode.INVALID_ARGUMENT, job -> job.setContentType("plain"));
        refused("content_type", ErrorCode.INVALID_ARGUMENT, job -> job.setContentType("text/\u0000"));
        refused("tags", ErrorCode.INVALID_ARGUMENT, job -> job.putAllTags(many(17)));
        refused("tags", ErrorCode.INVALID_ARGUMENT, job -> job.putTags("", "x"));
        refused("tags.a", ErrorCode.INVALID_ARGUMENT, job -> job.putTags("a", "x".repeat(257)));
        refused("headers.a", ErrorCode.INVALID_ARGUMENT, job -> job.putHeaders("a", "\0"));
        refused(
                "payload",
                ErrorCode.PAYLOAD_TOO_LARGE,
                job -> job.setPayload(ByteString.copyFrom(new byte[Limits.PAYLOAD_BYTES + 1])));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{\"a\":}",
                "[1,]",
                "nul",
                "{} {}",
                "01",
                "\"\u0001\"",
                "NaN",
                "'a'",
                "{a:1}",
                "\"open",
                "1 2",
                " ",
                "[1 2]",
                "\"\\x\""
            })
    void aJsonPayloadIsWellFormed(String payload) {
        refused("payload", ErrorCode.INVALID_PAYLOAD, job -> job.setPayload(ByteString.copyFromUtf8(payload)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "\"text ü\\u0000\"",
                "-1.5e300",
                " {\"a\": [1, {\"b\": true}]} ",
                "123456789012345678901234567890"
            })
    void anyJsonValueIsAPayload(String payload) {
        assertThat(JobCheck.check(job().setPayload(ByteString.copyFromUtf8(payload))
                                .build())
                        .payload()
                        .bytes())
                .isEqualTo(ByteString.copyFromUtf8(payload).toByteArray());
    }

    @Test
    void brokenUtf8IsNoJson() {
        refused(
                "payload",
                ErrorCode.INVALID_PAYLOAD,
                job -> job.setPayload(ByteString.copyFrom(new byte[] {'"', (byte) 0xc3, '"'})));
        refused(
                "payload",
                ErrorCode.INVALID_PAYLOAD,
                job -> job.setPayload(ByteString.copyFrom(new byte[] {'"', (byte) 0xff, '"'})));
    }

    @Test
    void jsonIsAtMost64LevelsDeep() {
        assertThat(Json.wellFormed(nested(64))).isTrue();
        refused("payload", ErrorCode.NESTED_TOO_DEEP, job -> job.setPayload(ByteString.copyFrom(nested(65))));
        refused("payload", ErrorCode.NESTED_TOO_DEEP, job -> job.setPayload(ByteString.copyFrom(nested(100_000))));
    }

    @Test
    void otherContentTypesMayBeAnything() {
        assertThat(JobCheck.check(job().setContentType("image/png")
                                .setPayload(ByteString.copyFrom(new byte[] {0, -1}))
                                .build())
                        .payload()
                        .contentType())
                .isEqualTo("image/png");
        refused(
                "payload",
                ErrorCode.INVALID_PAYLOAD,
                job -> job.setContentType("application/geo+json; a=b").setPayload(ByteString.copyFromUtf8("{")));
    }

    @Test
    void theDigestTellsBodiesApartButNotTraces() {
        long hash = hash(UnaryOperator.identity());
        assertThat(hash).isNotZero();
        assertThat(hash(job -> job.putHeaders("traceparent", "00-1").putHeaders("tracestate", "a=b")))
                .isEqualTo(hash);
        assertThat(hash(job -> job.putHeaders("other", "00-1"))).isNotEqualTo(hash);
        assertThat(hash(job -> job.setPriority(5))).isNotEqualTo(hash);
        assertThat(hash(job -> job.setPayload(ByteString.copyFromUtf8("{\"a\":2}"))))
                .isNotEqualTo(hash);
        assertThat(hash(job -> job.putTags("a", "b"))).isNotEqualTo(hash(job -> job.putHeaders("a", "b")));
        assertThat(hash(job -> job.putTags("a", "b").putTags("c", "d")))
                .isEqualTo(hash(job -> job.putTags("c", "d").putTags("a", "b")));
    }

    /** It is stored beside keys for a day: an upgrade must not make repeated calls look like reused keys. */
    @Test
    void theDigestIsTheSameInEveryVersion() {
        assertThat(hash(job -> job.setPriority(3).putTags("a", "b"))).isEqualTo(FIXED);
    }

    private static final long FIXED = -1_643_147_649_332_488_296L;

    private static long hash(UnaryOperator<NewJob.Builder> change) {
        return JobCheck.check(change.apply(job().setIdempotencyKey("k")).build())
                .bodyHash();
    }

    private static void refused(String field, ErrorCode code, UnaryOperator<NewJob.Builder> change) {
        NewJob job = change.apply(job()).build();
        Refused refused = catchThrowableOfType(Refused.class, () -> JobCheck.check(job));
        assertThat(refused).as(field).isNotNull();
        assertThat(refused.code()).isEqualTo(code);
        assertThat(refused.field()).isEqualTo(field);
    }

    private static Map<String, String> many(int count) {
        return IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> "k" + i, i -> "v"));
    }

    private static byte[] nested(int depth) {
        return ("[".repeat(depth) + "]".repeat(depth)).getBytes();
    }

    private static NewJob.Builder job() {
        return NewJob.newBuilder().setType("send_email").setPayload(ByteString.copyFromUtf8("{\"a\":1}"));
    }
}
