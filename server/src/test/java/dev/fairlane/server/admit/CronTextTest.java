package dev.fairlane.server.admit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.core.model.Cron;
import dev.fairlane.core.model.CronTicks;
import dev.fairlane.server.fault.Refused;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What people write as cron expressions means what they expect, or is refused with the place of the mistake. */
class CronTextTest {

    private static List<String> ticks(String expression, String from, int count) {
        Cron cron = CronText.parse("cron", expression);
        CronTicks ticks = new CronTicks(cron, ZoneOffset.UTC.getRules(), CronTicks.Gap.SKIP, CronTicks.Overlap.FIRST);
        List<String> found = new ArrayList<>();
        long at = Instant.parse(from).getEpochSecond() * 1_000_000 - 1;
        for (int i = 0; i < count; i++) {
            at = ticks.next(at);
            found.add(Instant.ofEpochSecond(at / 1_000_000).toString());
        }
        return found;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0 2 * * *        | 2026-11-15T00:00:00Z | 2026-11-15T02:00:00Z
            */15 * * * *     | 2026-11-15T00:01:00Z | 2026-11-15T00:15:00Z
            */10 * * * * *   | 2026-11-15T00:00:01Z | 2026-11-15T00:00:10Z
            0 9-17/4 * * *   | 2026-11-15T10:00:00Z | 2026-11-15T13:00:00Z
            5/20 * * * *     | 2026-11-15T00:26:00Z | 2026-11-15T00:45:00Z
            0 0 * * MON      | 2026-11-15T00:00:00Z | 2026-11-16T00:00:00Z
            0 0 * * mon-fri  | 2026-11-14T00:00:00Z | 2026-11-16T00:00:00Z
            0 0 * * SUN-TUE  | 2026-11-11T00:00:00Z | 2026-11-15T00:00:00Z
            0 0 * * 5-7      | 2026-11-15T00:00:00Z | 2026-11-15T00:00:00Z
            0 0 * * 7        | 2026-11-11T00:00:00Z | 2026-11-15T00:00:00Z
            0 0 * JAN,JUL ?  | 2026-11-11T00:00:00Z | 2027-01-01T00:00:00Z
            0 0 13 * FRI     | 2026-11-08T00:00:00Z | 2026-11-13T00:00:00Z
            0 0 20 * FRI     | 2026-11-14T00:00:00Z | 2026-11-20T00:00:00Z
            0 0 1-31 * MON   | 2026-11-14T00:00:00Z | 2026-11-14T00:00:00Z
            0 0 L * *        | 2026-11-14T00:00:00Z | 2026-11-30T00:00:00Z
            0 0 L-3 * *      | 2026-11-14T00:00:00Z | 2026-11-27T00:00:00Z
            0 0 15W * *      | 2026-11-14T00:00:00Z | 2026-11-16T00:00:00Z
            0 0 LW * *       | 2026-05-14T00:00:00Z | 2026-05-29T00:00:00Z
            0 0 * * 5L       | 2026-11-14T00:00:00Z | 2026-11-27T00:00:00Z
            0 0 * * MON#1    | 2026-11-14T00:00:00Z | 2026-12-07T00:00:00Z
            @hourly          | 2026-11-14T00:00:01Z | 2026-11-14T01:00:00Z
            @daily           | 2026-11-14T00:00:01Z | 2026-11-15T00:00:00Z
            @weekly          | 2026-11-14T00:00:01Z | 2026-11-15T00:00:00Z
            @monthly         | 2026-11-14T00:00:01Z | 2026-12-01T00:00:00Z
            @yearly          | 2026-11-14T00:00:01Z | 2027-01-01T00:00:00Z
            0 0 29 2 *       | 2026-11-14T00:00:01Z | 2028-02-29T00:00:00Z
            """)
    void expressionsMeanWhatTheySay(String expression, String from, String first) {
        assertThat(ticks(expression, from, 1)).containsExactly(first);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0 61 * * *        | at position 3
            0 0 * * MON,FOO   | at position 9
            0 0 32 * *        | at position 5
            0 0 * 13 *        | at position 7
            0 0 * * 8         | at position 9
            60 * * * *        | at position 1
            */0 * * * *       | at position 1
            0 22-2 * * *      | at position 3
            0 0 * * MON#6     | at position 9
            0 0 L-40 * *      | at position 5
            0 0 * * L         | at position 9
            L * * * *         | at position 1
            0 0 * * $         | at position 9
            1- * * * *        | at position 1
            1# * * * *        | at position 1
            @never            | at position 1
            * * * *           | expected 5 fields
            * * * * * * *     | expected 5 fields
            """)
    void mistakesAreToldWithTheirPlace(String expression, String told) {
        assertThatThrownBy(() -> CronText.parse("cron", expression))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.detail()).contains(told));
    }

    @Test
    void anExpressionIsBounded() {
        assertThatThrownBy(() -> CronText.parse("cron", "0 0|30 * * *")).hasMessageContaining("at position 4");
        assertThatThrownBy(() -> CronText.parse("cron", "1,".repeat(200) + "1 * * * *"))
                .isInstanceOf(Refused.class);
        assertThatThrownBy(() -> CronText.parse("cron", "")).isInstanceOf(Refused.class);
    }
}
