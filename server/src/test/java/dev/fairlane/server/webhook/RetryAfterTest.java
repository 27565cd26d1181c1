package dev.fairlane.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryAfterTest {
    /** The first second of 2026. */
    private static final long NOW_MILLIS = 1_767_225_600_000L;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "'' | 0",
                "120 | 120000000",
                "-5 | 0",
                "soon | 0",
                "999999999 | 604800000000",
                "99999999999999999999 | 0",
                "Thu, 01 Jan 2026 00:00:30 GMT | 30000000",
                "Wed, 31 Dec 2025 00:00:30 GMT | 0",
            })
    void secondsAndDatesAreRead(String header, long micros) {
        assertThat(RetryAfter.micros(header, NOW_MILLIS)).isEqualTo(micros);
    }
}
