package dev.fairlane.core.model;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.YearMonth;
import org.jspecify.annotations.Nullable;

/**
 * Which local times a cron expression names: sets as bits, and nothing of how the expression was written. Reading expressions is the
 * edge's business; daylight saving is that of {@link CronTicks}.
 *
 * <p>A day is named when any of the five sets of days names it. An expression that restricts the day of the month and the day of the
 * week means either, as in every cron; one that restricts only one of them leaves the other set empty.
 *
 * @param seconds bits 0 to 59
 * @param minutes bits 0 to 59
 * @param hours bits 0 to 23
 * @param days of the month, bits 1 to 31
 * @param months bits 1 to 12
 * @param weekdays bits 0 (Sunday) to 6
 * @param fromEnd days counted from the last of the month, bit 0, to 30 before it
 * @param nearest the weekday, Monday to Friday, nearest to a day of the month, bits 1 to 31; bit 0: the last weekday of the month
 * @param nth bit 7 (n − 1) + weekday for the n-th such weekday of the month, n from 1 to 5; n = 6 is the last one
 */
public record Cron(
        long seconds, long minutes, int hours, int days, int months, int weekdays, int fromEnd, int nearest, long nth) {
    /** How far ahead a named day is looked for. The fifth Monday of a February may be forty years away. */
    public static final int HORIZON_YEARS = 50;

    public static final long ALL_60 = (1L << 60) - 1;
    public static final int ALL_HOURS = (1 << 24) - 1;
    public static final int ALL_DAYS = (int) 0xFFFF_FFFEL;
    public static final int ALL_MONTHS = 0x1FFE;
    public static final int ALL_WEEKDAYS = 0x7F;

    /** Place of "the last one" among the n-th weekdays. */
    public static final int LAST = 6;

    private static final int WEEK = 7;
    private static final int EVERY_SEVENTH = 1 | 1 << 7 | 1 << 14 | 1 << 21 | 1 << 28;

    public Cron {
        boolean whole = seconds != 0 && minutes != 0 && hours != 0 && months != 0;
        boolean inside = (seconds & ~ALL_60) == 0
                && (minutes & ~ALL_60) == 0
                && (hours & ~ALL_HOURS) == 0
                && (days & ~ALL_DAYS) == 0
                && (months & ~ALL_MONTHS) == 0
                && (weekdays & ~ALL_WEEKDAYS) == 0
                && (fromEnd & 1 << 31) == 0
                && nth >>> LAST * WEEK == 0;
        boolean someDay = days != 0 || weekdays != 0 || fromEnd != 0 || nearest != 0 || nth != 0;
        if (!whole || !inside || !someDay) {
            throw new IllegalArgumentException(
                    "expected every field of a cron expression to name something it may name");
        }
    }

    /** Whether the expression names this local time. */
    public boolean names(LocalDateTime time) {
        return time.getNano() == 0
                && (seconds >>> time.getSecond() & 1) != 0
                && (minutes >>> time.getMinute() & 1) != 0
                && (hours >>> time.getHour() & 1) != 0
                && (months >>> time.getMonthValue() & 1) != 0
                && (days(time.getYear(), time.getMonthValue()) >>> time.getDayOfMonth() & 1) != 0;
    }

    /** The first local time it names that is not before {@code from} and before {@code until}, or null. */
    @Nullable LocalDateTime first(LocalDateTime from, LocalDateTime until) {
        LocalDateTime start = from.getNano() == 0 ? from : from.withNano(0).plusSeconds(1);
        int hour = start.getHour();
        int minute = start.getMinute();
        int second = start.getSecond();
        LocalDate day = firstDay(start.toLocalDate(), until.toLocalDate());
        if (day == null) {
            return null;
        }
        if (day.equals(start.toLocalDate())) {
            int time = firstTime(hour, minute, second);
            if (time >= 0) {
                return before(day.atStartOfDay().plusSeconds(time), until);
            }
            day = firstDay(day.plusDays(1), until.toLocalDate());
            if (day == null) {
                return null;
            }
        }
        return before(day.atStartOfDay().plusSeconds(firstTime(0, 0, 0)), until);
    }

    private static @Nullable LocalDateTime before(LocalDateTime time, LocalDateTime until) {
        return time.isBefore(until) ? time : null;
    }

    /** Second of the day of the first time at or after this one, or −1. */
    private int firstTime(int hour, int minute, int second) {
        int s = lowest(seconds, second);
        int m = minute;
        int h = hour;
        if ((hours >>> h & 1) == 0) {
            return timeFrom(lowest(hours, h));
        }
        if ((minutes >>> m & 1) == 0 || s < 0) {
            boolean named = (minutes >>> m & 1) != 0;
            m = lowest(minutes, named ? m + 1 : m);
            if (m < 0) {
                return timeFrom(lowest(hours, h + 1));
            }
            s = Long.numberOfTrailingZeros(seconds);
        }
        return (h * 60 + m) * 60 + s;
    }

    private int timeFrom(int hour) {
        return hour < 0
                ? -1
                : (hour * 60 + Long.numberOfTrailingZeros(minutes)) * 60 + Long.numberOfTrailingZeros(seconds);
    }

    /** Lowest bit at or above {@code from}, or −1. */
    private static int lowest(long bits, int from) {
        long above = from > 63 ? 0 : bits & -1L << from;
        return above == 0 ? -1 : Long.numberOfTrailingZeros(above);
    }

    /** The first day it names from {@code from} on and not after the month of {@code last}, or null. */
    @Nullable LocalDate firstDay(LocalDate from, LocalDate last) {
        int year = from.getYear();
        int month = from.getMonthValue();
        int least = from.getDayOfMonth();
        while (year < last.getYear() || year == last.getYear() && month <= last.getMonthValue()) {
            if ((months >>> month & 1) != 0) {
                int day = lowest(days(year, month) & 0xFFFF_FFFFL, least);
                if (day > 0) {
                    return LocalDate.of(year, month, day);
                }
            }
            least = 1;
            month = lowest(months, month + 1);
            if (month < 0) {
                month = lowest(months, 1);
                year++;
            }
        }
        return null;
    }

    /** Days of this month that it names, as bits. */
    private int days(int year, int month) {
        YearMonth of = YearMonth.of(year, month);
        int length = of.lengthOfMonth();
        int named = days;
        if (weekdays == 0 && fromEnd == 0 && nearest == 0 && nth == 0) {
            return named & upTo(length);
        }
        int first = weekday(of.atDay(1));
        for (int set = weekdays; set != 0; set &= set - 1) {
            named |= EVERY_SEVENTH << firstOn(Integer.numberOfTrailingZeros(set), first);
        }
        for (long set = nth; set != 0; set &= set - 1) {
            int place = Long.numberOfTrailingZeros(set);
            int day = firstOn(place % WEEK, first);
            int weeks = place / WEEK;
            day += WEEK * (weeks < LAST - 1 ? weeks : (length - day) / WEEK);
            named |= day <= length ? 1 << day : 0;
        }
        for (int set = fromEnd; set != 0; set &= set - 1) {
            int day = length - Integer.numberOfTrailingZeros(set);
            named |= day > 0 ? 1 << day : 0;
        }
        for (int day = 1; day <= length; day++) {
            if ((nearest >>> day & 1) != 0) {
                named |= 1 << nearestWeekday(day, (first + day - 1) % WEEK, length);
            }
        }
        if ((nearest & 1) != 0) {
            int weekday = (first + length - 1) % WEEK;
            named |= 1 << length - (weekday == 6 ? 1 : weekday == 0 ? 2 : 0);
        }
        return named & upTo(length);
    }

    /** The first day of the month that is this weekday. @param first weekday of the 1st */
    private static int firstOn(int weekday, int first) {
        return 1 + (weekday - first + WEEK) % WEEK;
    }

    /** Never leaves the month: a Saturday the 1st moves to Monday the 3rd, a Sunday at its end back to Friday. */
    private static int nearestWeekday(int day, int weekday, int length) {
        if (weekday == 6) {
            return day == 1 ? 3 : day - 1;
        }
        if (weekday == 0) {
            return day == length ? day - 2 : day + 1;
        }
        return day;
    }

    private static int upTo(int length) {
        return (int) ((1L << length + 1) - 2);
    }

    private static int weekday(LocalDate date) {
        return date.getDayOfWeek() == DayOfWeek.SUNDAY ? 0 : date.getDayOfWeek().getValue();
    }
}
