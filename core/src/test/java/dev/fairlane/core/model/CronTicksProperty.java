package dev.fairlane.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.CronTicks.Gap;
import dev.fairlane.core.model.CronTicks.Overlap;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The same ticks as somebody who writes down every minute of the local calendar, asks the JDK at which instants each happens, and sorts
 * them.
 */
class CronTicksProperty {
    private static final List<String> ZONES = List.of(
            "UTC",
            "Europe/Berlin",
            "America/New_York",
            "Australia/Lord_Howe",
            "Asia/Kathmandu",
            "Africa/Casablanca",
            "Pacific/Apia",
            "America/Sao_Paulo",
            "Asia/Tehran",
            "Antarctica/Troll");
    private static final int CASES = 10_000;
    private static final int DAYS = 3;

    @Test
    void tenThousandRandomExpressionsTickAsTheCalendarSays() {
        Random random = new Random(20_261_115);
        for (int i = 0; i < CASES; i++) {
            ZoneRules zone = ZoneId.of(ZONES.get(random.nextInt(ZONES.size()))).getRules();
            Cron cron = cron(random);
            Gap gap = Gap.of(random.nextInt(2));
            Overlap overlap = Overlap.of(random.nextInt(3));
            Instant from = from(random, zone);
            Instant until = from.plusSeconds(DAYS * 86_400L);
            TreeSet<Long> expected = walk(cron, zone, gap, overlap, from, until);
            CronTicks ticks = new CronTicks(cron, zone, gap, overlap);
            TreeSet<Long> found = new TreeSet<>();
            for (long at = ticks.next(from.getEpochSecond() * 1_000_000 - 1);
                    at / 1_000_000 < until.getEpochSecond();
                    at = ticks.next(at)) {
                assertThat(found.add(at / 1_000_000)).isTrue();
            }
            assertThat(found)
                    .as("case %d: %s, %s %s %s from %s", i, cron, zone, gap, overlap, from)
                    .isEqualTo(expected);
        }
    }

    /** Mostly around a change of the clocks. */
    private static Instant from(Random random, ZoneRules zone) {
        Instant any = Instant.ofEpochSecond(1_262_304_000L + random.nextInt(1_000_000_000));
        ZoneOffsetTransition next = zone.nextTransition(any);
        boolean near = next != null && random.nextInt(4) > 0;
        return near ? next.getInstant().minusSeconds(random.nextInt(2 * 86_400)) : any;
    }

    private static Cron cron(Random random) {
        long minutes = bits(random, 60, 0);
        int hours = (int) bits(random, 24, 0);
        boolean special = random.nextInt(4) == 0;
        int days = random.nextBoolean() ? Cron.ALL_DAYS : (int) bits(random, 31, 1);
        return new Cron(
                1,
                minutes,
                hours,
                special ? 0 : days,
                random.nextInt(3) == 0 ? (int) bits(random, 12, 1) | 0x1554 : Cron.ALL_MONTHS,
                random.nextInt(3) == 0 ? (int) bits(random, 7, 0) : 0,
                special ? (int) bits(random, 5, 0) : 0,
                special ? (int) bits(random, 31, 0) : 0,
                special ? bits(random, 42, 0) : 0);
    }

    /** One bit, a few, or nearly all. */
    private static long bits(Random random, int count, int from) {
        long all = (1L << count) - 1;
        long set = switch (random.nextInt(3)) {
            case 0 -> 0;
            case 1 -> random.nextLong() & random.nextLong() & all;
            default -> all & ~(1L << random.nextInt(count));
        };
        return (set | 1L << random.nextInt(count)) << from;
    }

    private static TreeSet<Long> walk(
            Cron cron, ZoneRules zone, Gap gap, Overlap overlap, Instant from, Instant until) {
        TreeSet<Long> ticks = new TreeSet<>();
        LocalDate last =
                LocalDateTime.ofInstant(until, ZoneOffset.UTC).toLocalDate().plusDays(2);
        for (LocalDate day = LocalDateTime.ofInstant(from, ZoneOffset.UTC)
                        .toLocalDate()
                        .minusDays(2);
                !day.isAfter(last);
                day = day.plusDays(1)) {
            if (!names(cron, day)) {
                continue;
            }
            for (int minute = 0; minute < 1_440; minute++) {
                if ((cron.hours() >>> minute / 60 & 1) != 0 && (cron.minutes() >>> minute % 60 & 1) != 0) {
                    happens(day.atTime(minute / 60, minute % 60), zone, gap, overlap, ticks);
                }
            }
        }
        ticks.removeIf(at -> at < from.getEpochSecond() || at >= until.getEpochSecond());
        return ticks;
    }

    private static void happens(LocalDateTime local, ZoneRules zone, Gap gap, Overlap overlap, TreeSet<Long> ticks) {
        List<ZoneOffset> offsets = zone.getValidOffsets(local);
        if (offsets.isEmpty()) {
            if (gap == Gap.SHIFT) {
                ticks.add(local.toEpochSecond(zone.getTransition(local).getOffsetBefore()));
            }
            return;
        }
        if (overlap != Overlap.SECOND || offsets.size() == 1) {
            ticks.add(local.toEpochSecond(offsets.getFirst()));
        }
        if (overlap != Overlap.FIRST) {
            ticks.add(local.toEpochSecond(offsets.getLast()));
        }
    }

    private static boolean names(Cron cron, LocalDate day) {
        int weekday = day.getDayOfWeek().getValue() % 7;
        LocalDate end = day.with(TemporalAdjusters.lastDayOfMonth());
        boolean is = (cron.days() >>> day.getDayOfMonth() & 1) != 0
                || (cron.weekdays() >>> weekday & 1) != 0
                || (cron.fromEnd() >>> end.getDayOfMonth() - day.getDayOfMonth() & 1) != 0;
        for (int nth = 1; nth <= 5; nth++) {
            LocalDate one = day.with(TemporalAdjusters.dayOfWeekInMonth(nth, day.getDayOfWeek()));
            is |= one.equals(day) && (cron.nth() >>> (nth - 1) * 7 + weekday & 1) != 0;
        }
        LocalDate lastOne = day.with(TemporalAdjusters.lastInMonth(day.getDayOfWeek()));
        is |= lastOne.equals(day) && (cron.nth() >>> 35 + weekday & 1) != 0;
        for (int wished = 1; wished <= end.getDayOfMonth(); wished++) {
            is |= (cron.nearest() >>> wished & 1) != 0
                    && nearest(day.withDayOfMonth(wished)).equals(day);
        }
        is |= (cron.nearest() & 1) != 0 && nearest(end).equals(day);
        return is && (cron.months() >>> day.getMonthValue() & 1) != 0;
    }

    private static LocalDate nearest(LocalDate day) {
        List<LocalDate> near = List.of(day, day.minusDays(1), day.plusDays(1), day.minusDays(2), day.plusDays(2));
        for (LocalDate one : near) {
            boolean weekend = one.getDayOfWeek() == DayOfWeek.SATURDAY || one.getDayOfWeek() == DayOfWeek.SUNDAY;
            if (!weekend && one.getMonthValue() == day.getMonthValue()) {
                return one;
            }
        }
        throw new IllegalStateException("no weekday near " + day);
    }
}
