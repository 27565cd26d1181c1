package dev.fairlane.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SpansTest {
    @Test
    void spansAreReadAsTheyAreTyped() {
        assertThat(Spans.span("-x", "500ms")).isEqualTo(Duration.ofMillis(500));
        assertThat(Spans.span("-x", "10s")).isEqualTo(Duration.ofSeconds(10));
        assertThat(Spans.span("-x", "5m")).isEqualTo(Duration.ofMinutes(5));
        assertThat(Spans.span("-x", "2h")).isEqualTo(Duration.ofHours(2));
        assertThat(Spans.span("-x", "1d")).isEqualTo(Duration.ofDays(1));
        assertThat(Spans.span("-x", "PT1M30S")).isEqualTo(Duration.ofSeconds(90));
        assertThatThrownBy(() -> Spans.span("-x", "-PT1S")).isInstanceOf(Failed.class);
        assertThatThrownBy(() -> Spans.span("-x", "10")).hasMessageContaining("-x: expected a time span");
    }

    @Test
    void agesAreOneFigure() {
        Instant now = Instant.parse("2026-01-03T00:00:00Z");
        assertThat(Spans.ago("2026-01-02T23:59:59.500Z", now)).isEqualTo("500ms");
        assertThat(Spans.ago("2026-01-02T23:58:30Z", now)).isEqualTo("90s");
        assertThat(Spans.ago("2026-01-02T23:00:00Z", now)).isEqualTo("60m");
        assertThat(Spans.ago("2026-01-02T12:00:00Z", now)).isEqualTo("12h");
        assertThat(Spans.ago("2026-01-01T00:00:00Z", now)).isEqualTo("2d");
        assertThat(Spans.ago("", now)).isEmpty();
    }
}
