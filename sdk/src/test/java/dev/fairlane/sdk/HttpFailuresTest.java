package dev.fairlane.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpFailuresTest {
    private static final Instant NOW = Instant.parse("2026-11-15T08:00:00Z");

    private static RuntimeException of(int status, @Nullable String retryAfter) {
        return HttpFailures.of("stripe", status, retryAfter, NOW).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 200, 204, 301, 304})
    void belowFourHundredNothingFailed(int status) {
        assertThat(HttpFailures.of("stripe", status, null, NOW)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "30, 30",
                "'Sun, 15 Nov 2026 08:02:00 GMT', 120",
                "'Sun, 15 Nov 2026 07:00:00 GMT', 1",
                "soon, 10",
                "-5, 10",
                "99999999999999999999, 10",
                "none, 10"
            })
    void tooManyRequestsComesBackAsTold(@Nullable String retryAfter, long seconds) {
        assertThat(of(429, retryAfter))
                .isInstanceOfSatisfying(
                        RetryAfterException.class,
                        later -> assertThat(later.retryAfter()).isEqualTo(Duration.ofSeconds(seconds)));
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 425, 500, 502, 503, 504, 0})
    void whatIsTheServicesFaultIsADependencyThatFailed(int status) {
        assertThat(of(status, null))
                .isInstanceOfSatisfying(
                        DependencyFailedException.class,
                        failed -> assertThat(failed.dependency()).isEqualTo("stripe"));
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 404, 409, 422})
    void whatIsOurFaultIsPermanent(int status) {
        assertThat(of(status, null)).isInstanceOf(NonRetryableException.class).hasMessage("stripe answered " + status);
    }

    @Test
    void rulesKeepWhatTheyWereTold() {
        TypeRules rules = TypeRules.builder()
                .retryDelays(Duration.ofSeconds(1), Duration.ofSeconds(2))
                .retryOn("IOException")
                .dependencies("stripe")
                .dependencyCap("stripe", 3)
                .dependencyCap("stripe", 5)
                .maxAge(Duration.ofHours(1))
                .build();
        assertThat(rules.retryDelays()).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2));
        assertThat(rules.dependencyCaps()).containsExactly(Map.entry("stripe", 5));
        assertThat(rules.maxAge()).contains(Duration.ofHours(1));
        assertThat(rules.toBuilder().build()).isEqualTo(rules);
        assertThat(TypeRules.none().progressWindow()).isEmpty();
    }
}
