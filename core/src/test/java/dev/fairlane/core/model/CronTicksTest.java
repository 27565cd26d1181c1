package dev.fairlane.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.core.model.CronTicks.Gap;
import dev.fairlane.core.model.CronTicks.Overlap;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Local times come to pass once, as the rules of their zone and the choices of the schedule say. */
class CronTicksTest {

    private static List<String> ticks(Cron cron, String zone, Gap gap, Overlap overlap, String from, String until) {
        CronTicks ticks = new CronTicks(cron, ZoneId.of(zone).getRules(), gap, overlap);
        long end = micros(until);
        List<String> found = new ArrayList<>();
        for (long at = ticks.next(micros(from)); at <= end; at = ticks.next(at)) {
            found.add(Instant.ofEpochSecond(at / 1_000_000)
                    .atZone(ZoneId.of(zone))
                    .toOffsetDateTime()
                    .toString());
        }
        return found;
    }

    private static long micros(String time) {
        return Instant.parse(time).getEpochSecond() * 1_000_000;
    }

    private static List<String> ticks(Cron cron, String zone, String from, String until) {
        return ticks(cron, zone, Gap.SKIP, Overlap.FIRST, from, until);
    }

    @Test
    void aTimeThatTheClocksJumpOverIsSkippedOrShifted() {
        Cron cron = Crons.daily(2, 30);
        assertThat(ticks(cron, "Europe/Berlin", "2026-03-28T00:00:00Z", "2026-03-30T12:00:00Z"))
                .containsExactly("2026-03-28T02:30+01:00", "2026-03-30T02:30+02:00");
        assertThat(ticks(
                        cron,
                        "Europe/Berlin",
                        Gap.SHIFT,
                        Overlap.FIRST,
                        "2026-03-28T00:00:00Z",
                        "2026-03-30T12:00:00Z"))
                .containsExactly("2026-03-28T02:30+01:00", "2026-03-29T03:30+02:00", "2026-03-30T02:30+02:00");
        assertThat(ticks(
                        cron,
                        "America/New_York",
                        Gap.SHIFT,
                        Overlap.FIRST,
                        "2026-03-08T00:00:00Z",
                        "2026-03-09T12:00:00Z"))
                .containsExactly("2026-03-08T03:30-04:00", "2026-03-09T02:30-04:00");
    }

    @Test
    void aTimeThatHappensTwiceCountsOnceOrTwice() {
        Cron cron = Crons.daily(2, 30);
        String from = "2026-10-24T12:00:00Z";
        String until = "2026-10-26T12:00:00Z";
        assertThat(ticks(cron, "Europe/Berlin", from, until))
                .containsExactly("2026-10-25T02:30+02:00", "2026-10-26T02:30+01:00");
        assertThat(ticks(cron, "Europe/Berlin", Gap.SKIP, Overlap.SECOND, from, until))
                .containsExactly("2026-10-25T02:30+01:00", "2026-10-26T02:30+01:00");
        assertThat(ticks(cron, "Europe/Berlin", Gap.SKIP, Overlap.BOTH, from, until))
                .containsExactly("2026-10-25T02:30+02:00", "2026-10-25T02:30+01:00", "2026-10-26T02:30+01:00");
        assertThat(ticks(
                        Crons.daily(1, 30),
                        "America/New_York",
                        Gap.SKIP,
                        Overlap.BOTH,
                        "2026-11-01T00:00:00Z",
                        "2026-11-02T00:00:00Z"))
                .containsExactly("2026-11-01T01:30-04:00", "2026-11-01T01:30-05:00");
    }

    @Test
    void lordHoweMovesItsClocksByHalfAnHour() {
        Cron quarters = Crons.minutes(0, 15, 30, 45);
        // forward on 4 October 2026 from 2:00 to 2:30
        assertThat(ticks(quarters, "Australia/Lord_Howe", "2026-10-03T15:00:00Z", "2026-10-03T16:00:00Z"))
                .containsExactly(
                        "2026-10-04T01:45+10:30",
                        "2026-10-04T02:30+11:00",
                        "2026-10-04T02:45+11:00",
                        "2026-10-04T03:00+11:00");
        assertThat(ticks(
                        Crons.daily(2, 10),
                        "Australia/Lord_Howe",
                        Gap.SHIFT,
                        Overlap.FIRST,
                        "2026-10-03T12:00:00Z",
                        "2026-10-04T12:00:00Z"))
                .containsExactly("2026-10-04T02:40+11:00");
        // back on 5 April 2026 from 2:00 to 1:30
        assertThat(ticks(quarters, "Australia/Lord_Howe", "2026-04-04T14:15:00Z", "2026-04-04T15:30:00Z"))
                .containsExactly("2026-04-05T01:30+11:00", "2026-04-05T01:45+11:00", "2026-04-05T02:00+10:30");
        assertThat(ticks(
                        quarters,
                        "Australia/Lord_Howe",
                        Gap.SKIP,
                        Overlap.BOTH,
                        "2026-04-04T14:15:00Z",
                        "2026-04-04T15:30:00Z"))
                .containsExactly(
                        "2026-04-05T01:30+11:00",
                        "2026-04-05T01:45+11:00",
                        "2026-04-05T01:30+10:30",
                        "2026-04-05T01:45+10:30",
                        "2026-04-05T02:00+10:30");
    }

    @Test
    void kathmanduIsFiveHoursAndThreeQuartersAhead() {
        assertThat(ticks(Crons.daily(9, 0), "Asia/Kathmandu", "2026-06-01T00:00:00Z", "2026-06-02T12:00:00Z"))
                .containsExactly("2026-06-01T09:00+05:45", "2026-06-02T09:00+05:45");
        assertThat(ticks(Crons.minutes(0), "Asia/Kathmandu", "2026-06-01T00:00:00Z", "2026-06-01T02:00:00Z"))
                .containsExactly("2026-06-01T06:00+05:45", "2026-06-01T07:00+05:45");
    }

    @Test
    void casablancaGoesBackForRamadanAndForwardAfterIt() {
        // back on 15 February 2026 from 3:00 to 2:00, forward on 22 March from 2:00 to 3:00
        assertThat(ticks(Crons.daily(2, 30), "Africa/Casablanca", "2026-02-14T12:00:00Z", "2026-02-16T12:00:00Z"))
                .containsExactly("2026-02-15T02:30+01:00", "2026-02-16T02:30Z");
        assertThat(ticks(Crons.daily(2, 30), "Africa/Casablanca", "2026-03-21T12:00:00Z", "2026-03-23T12:00:00Z"))
                .containsExactly("2026-03-23T02:30+01:00");
    }

    @Test
    void apiaHadNo30thOfDecember2011() {
        Cron cron = Crons.daily(10, 0);
        assertThat(ticks(cron, "Pacific/Apia", "2011-12-29T00:00:00Z", "2012-01-01T00:00:00Z"))
                .containsExactly("2011-12-29T10:00-10:00", "2011-12-31T10:00+14:00", "2012-01-01T10:00+14:00");
        assertThat(ticks(
                        cron, "Pacific/Apia", Gap.SHIFT, Overlap.FIRST, "2011-12-29T00:00:00Z", "2012-01-01T00:00:00Z"))
                .as("the tick of the lost day falls on that of the next: one")
                .containsExactly("2011-12-29T10:00-10:00", "2011-12-31T10:00+14:00", "2012-01-01T10:00+14:00");
        Cron thirtieth = new Cron(1, 1, 1 << 10, 1 << 30, Cron.ALL_MONTHS, 0, 0, 0, 0);
        assertThat(ticks(
                        thirtieth,
                        "Pacific/Apia",
                        Gap.SHIFT,
                        Overlap.FIRST,
                        "2011-12-01T00:00:00Z",
                        "2012-02-01T00:00:00Z"))
                .containsExactly("2011-12-31T10:00+14:00", "2012-01-30T10:00+14:00");
    }

    @Test
    void whatShiftsOntoAnotherTickIsOneWithIt() {
        assertThat(ticks(
                        Crons.minutes(30),
                        "Europe/Berlin",
                        Gap.SHIFT,
                        Overlap.FIRST,
                        "2026-03-29T00:00:00Z",
                        "2026-03-29T02:00:00Z"))
                .containsExactly("2026-03-29T01:30+01:00", "2026-03-29T03:30+02:00");
    }

    @Test
    void daysAreCountedFromTheEndAndByWeekday() {
        int everyMonth = Cron.ALL_MONTHS;
        assertThat(dates(Crons.days(0, everyMonth, 0, 1, 0, 0), "2028-01-30T00:00:00Z", 3))
                .containsExactly("2028-01-31", "2028-02-29", "2028-03-31");
        assertThat(dates(Crons.days(0, everyMonth, 0, 1 << 3, 0, 0), "2026-01-30T00:00:00Z", 2))
                .containsExactly("2026-02-25", "2026-03-28");
        // 15 August 2026 is a Saturday, 15 November a Sunday
        assertThat(dates(Crons.days(0, 1 << 8 | 1 << 11, 0, 0, 1 << 15, 0), "2026-01-01T00:00:00Z", 2))
                .containsExactly("2026-08-14", "2026-11-16");
        // 1 August 2026 is a Saturday: the nearest weekday of that month is Monday
        assertThat(dates(Crons.days(0, 1 << 8, 0, 0, 1 << 1, 0), "2026-01-01T00:00:00Z", 1))
                .containsExactly("2026-08-03");
        // the last weekday; 31 May 2026 is a Sunday
        assertThat(dates(Crons.days(0, 1 << 5, 0, 0, 1, 0), "2026-01-01T00:00:00Z", 1))
                .containsExactly("2026-05-29");
        // first Monday, and last Friday
        assertThat(dates(Crons.days(0, 1 << 6, 0, 0, 0, 1L << 1 | 1L << 35 + 5), "2026-01-01T00:00:00Z", 2))
                .containsExactly("2026-06-01", "2026-06-26");
        // the 13th or a Friday
        assertThat(dates(Crons.days(1 << 13, 1 << 4, 1 << 5, 0, 0, 0), "2026-04-01T00:00:00Z", 4))
                .containsExactly("2026-04-03", "2026-04-10", "2026-04-13", "2026-04-17");
    }

    private static List<String> dates(Cron cron, String from, int count) {
        CronTicks ticks = new CronTicks(cron, ZoneOffset.UTC.getRules(), Gap.SKIP, Overlap.FIRST);
        List<String> dates = new ArrayList<>();
        long at = micros(from) - 1;
        for (int i = 0; i < count; i++) {
            at = ticks.next(at);
            dates.add(LocalDate.ofInstant(Instant.ofEpochSecond(at / 1_000_000), ZoneOffset.UTC)
                    .toString());
        }
        return dates;
    }

    @Test
    void aDateThatNeverComesIsToldInTime() {
        CronTicks never = new CronTicks(
                Crons.days(1 << 30, 1 << 2, 0, 0, 0, 0),
                ZoneId.of("Africa/Casablanca").getRules(),
                Gap.SKIP,
                Overlap.FIRST);
        assertThat(never.next(micros("2026-01-01T00:00:00Z"))).isEqualTo(CronTicks.NEVER);
        assertThat(dates(Crons.days(1 << 29, 1 << 2, 0, 0, 0, 0), "2096-03-01T00:00:00Z", 1))
                .containsExactly("2104-02-29");
        // the fifth Monday of a February
        assertThat(dates(Crons.days(0, 1 << 2, 0, 0, 0, 1L << 28 + 1), "2026-01-01T00:00:00Z", 1))
                .containsExactly("2044-02-29");
    }

    private static CronTicks.Search search(Cron cron, Gap gap) {
        CronTicks ticks = new CronTicks(cron, ZoneId.of("Europe/Berlin").getRules(), gap, Overlap.FIRST);
        return ticks.new Search(micros("2026-01-01T00:00:00Z"), Long.MAX_VALUE);
    }

    @Test
    void howRareItsDaysAreCostsASearchNothing() {
        CronTicks.Search fifthMondayOfFebruary = search(Crons.days(0, 1 << 2, 0, 0, 0, 1L << 28 + 1), Gap.SKIP);
        assertThat(fifthMondayOfFebruary.next()).isLessThan(CronTicks.NEVER);
        assertThat(fifthMondayOfFebruary.stretches)
                .as("of constant offset, of which eighteen years have 36")
                .isEqualTo(1);

        CronTicks.Search thirtiethOfFebruary = search(Crons.days(1 << 30, 1 << 2, 0, 0, 0, 0), Gap.SKIP);
        assertThat(thirtiethOfFebruary.next()).isEqualTo(CronTicks.NEVER);
        assertThat(thirtiethOfFebruary.stretches).isZero();
    }

    @Test
    void aSearchThatGoesFromDayToDayMissesNoShiftedTick() {
        // the last Sunday of March at half past two, which the clocks always jump over
        Cron cron = new Cron(1, 1L << 30, 1 << 2, 0, 1 << 3, 0, 0, 0, 1L << 35);
        assertThat(ticks(
                        cron,
                        "Europe/Berlin",
                        Gap.SHIFT,
                        Overlap.FIRST,
                        "2026-04-01T00:00:00Z",
                        "2029-01-01T00:00:00Z"))
                .containsExactly("2027-03-28T03:30+02:00", "2028-03-26T03:30+02:00");
        assertThat(search(cron, Gap.SKIP).next()).isEqualTo(CronTicks.NEVER);
        // the day that Samoa left out
        Cron day = new Cron(1, 1, 1 << 12, 1 << 30, 1 << 12, 0, 0, 0, 0);
        assertThat(ticks(day, "Pacific/Apia", Gap.SHIFT, Overlap.FIRST, "2011-01-01T00:00:00Z", "2012-06-01T00:00:00Z"))
                .containsExactly("2011-12-31T12:00+14:00");
    }

    @Test
    void aSearchUpToATimeFindsWhatIsThereByThen() {
        CronTicks daily = new CronTicks(Crons.daily(2, 30), ZoneId.of("UTC").getRules(), Gap.SKIP, Overlap.FIRST);
        long from = micros("2026-01-01T00:00:00Z");
        long tick = micros("2026-01-01T02:30:00Z");
        assertThat(daily.next(from, tick)).isEqualTo(tick);
        assertThat(daily.next(from, tick + 1)).isEqualTo(tick);
        assertThat(daily.next(from, tick - 1)).isEqualTo(CronTicks.NEVER);
    }

    @Test
    void anExpressionNamesSomethingInEveryField() {
        assertThatThrownBy(() -> new Cron(1, 0, 1, 2, 2, 0, 0, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Cron(1, 1, 1, 0, 2, 0, 0, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Cron(1, 1L << 60, 1, 2, 2, 0, 0, 0, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
