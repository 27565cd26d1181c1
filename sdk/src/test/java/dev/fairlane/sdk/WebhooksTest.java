package dev.fairlane.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WebhooksTest {
    private static final byte[] BODY = "{\"id\":\"1\"}".getBytes(StandardCharsets.UTF_8);
    private static final String SECRET = "flwh_secret";
    private static final long AT = 1_700_000_000;

    /** HMAC-SHA-256 of {@code 1700000000.{"id":"1"}} with the secret, by openssl. */
    private static final String GOOD = "c14add1de55de2952f7415bb377cfaa3df159dc4b339f6df2720c8fe3ea2c2ae";

    private static Map<String, List<String>> headers(String signature) {
        return Map.of("fairlane-signature", List.of(signature), "FAIRLANE-DELIVERY", List.of("d-1"));
    }

    private static String verify(String signature, long nowSeconds) {
        return Webhooks.verify(
                headers(signature),
                BODY,
                SECRET,
                Duration.ofMinutes(5),
                InstantSource.fixed(Instant.ofEpochSecond(nowSeconds)));
    }

    @Test
    void aSignedCallGivesItsDelivery() {
        assertThat(verify("t=" + AT + ",v1=" + GOOD, AT + 10)).isEqualTo("d-1");
    }

    @Test
    void oneGoodSignatureOfTwoIsEnough() {
        assertThat(verify("t=" + AT + ", v1=" + "00".repeat(32) + ", v1=" + GOOD, AT))
                .isEqualTo("d-1");
    }

    @Test
    void otherSecretsBodiesAndTimesAreRefused() {
        assertThatThrownBy(() -> verify("t=" + (AT + 1) + ",v1=" + GOOD, AT)).isInstanceOf(SecurityException.class);
        assertThatThrownBy(() -> Webhooks.verify(headers("t=" + AT + ",v1=" + GOOD), new byte[] {1}, SECRET))
                .isInstanceOf(SecurityException.class);
        assertThatThrownBy(() -> Webhooks.verify(headers("t=" + AT + ",v1=" + GOOD), BODY, "other"))
                .isInstanceOf(SecurityException.class);
        assertThatThrownBy(() -> Webhooks.verify(Map.of(), BODY, SECRET)).isInstanceOf(SecurityException.class);
        assertThatThrownBy(() -> Webhooks.verify(Map.of(), BODY, "")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anOldCallSentAgainIsRefused() {
        assertThatThrownBy(() -> verify("t=" + AT + ",v1=" + GOOD, AT + 301)).hasMessageContaining("another time");
        assertThatThrownBy(() -> verify("t=" + AT + ",v1=" + GOOD, AT - 301)).hasMessageContaining("another time");
    }

    @Test
    void nonsenseIsRefused() {
        for (String odd : List.of(
                "",
                "t=",
                "t=x,v1=" + GOOD,
                "v1=" + GOOD,
                "t=" + AT,
                "t=" + AT + ",v1=zz",
                "t=" + AT + ",v2=" + GOOD,
                "t=99999999999999999999,v1=" + GOOD,
                "t=" + AT + ",v1=".repeat(40))) {
            assertThatThrownBy(() -> verify(odd, AT)).as(odd).isInstanceOf(SecurityException.class);
        }
    }
}
