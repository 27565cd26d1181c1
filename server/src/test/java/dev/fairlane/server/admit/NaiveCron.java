package dev.fairlane.server.admit;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.TemporalAdjusters;
import java.util.List;

/** What a cron expression means, read once more and as plainly as can be: does it name this local time? Only for expressions that are right. */
final class NaiveCron {
    static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");
    static final List<String> MONTHS =
            List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");

    private NaiveCron() {}

    static boolean names(String expression, LocalDateTime time) {
        String[] given = expression.strip().split("[ \t]+");
        String[] f = given.length == 6 ? given : ("0 " + expression.strip()).split("[ \t]+");
        return has(f[0], time.getSecond(), 59, List.of(), 0)
                && has(f[1], time.getMinute(), 59, List.of(), 0)
                && has(f[2], time.getHour(), 23, List.of(), 0)
                && has(f[4], time.getMonthValue(), 12, MONTHS, 1)
                && day(f[3], f[5], time.toLocalDate());
    }

    private static boolean day(String ofMonth, String ofWeek, LocalDate date) {
        boolean anyDay = any(ofMonth);
        boolean anyWeekday = any(ofWeek);
        boolean day = anyDay || List.of(ofMonth.split(",")).stream().anyMatch(one -> dayOfMonth(one, date));
        boolean weekday = anyWeekday || List.of(ofWeek.split(",")).stream().anyMatch(one -> dayOfWeek(one, date));
        return anyDay || anyWeekday ? day && weekday : day || weekday;
    }

    private static boolean any(String field) {
        return List.of("*", "*/1", "?").contains(field);
    }

    private static boolean dayOfMonth(String one, LocalDate date) {
        LocalDate last = date.with(TemporalAdjusters.lastDayOfMonth());
        if (one.equals("L")) {
            return date.equals(last);
        } else if (one.equals("LW")) {
            return date.equals(weekdayNear(last));
        } else if (one.startsWith("L-")) {
            return date.equals(last.minusDays(Integer.parseInt(one.substring(2))));
        } else if (one.endsWith("W")) {
            int day = Integer.parseInt(one.substring(0, one.length() - 1));
            return day <= last.getDayOfMonth() && date.equals(weekdayNear(date.withDayOfMonth(day)));
        }
        return has(one, date.getDayOfMonth(), 31, List.of(), 1);
    }

    /** In the same month. */
    private static LocalDate weekdayNear(LocalDate day) {
        int before = day.getDayOfWeek() == DayOfWeek.SATURDAY ? -1 : 1;
        return List.of(0, before, -2 * before).stream()
                .map(day::plusDays)
                .filter(near -> near.getMonth() == day.getMonth())
                .filter(near -> near.getDayOfWeek().getValue() <= 5)
                .findFirst()
                .orElseThrow();
    }

    private static boolean dayOfWeek(String one, LocalDate date) {
        int weekday = date.getDayOfWeek().getValue() % 7;
        if (one.contains("#")) {
            String[] parts = one.split("#");
            return number(parts[0], DAYS, 0) % 7 == weekday
                    && (date.getDayOfMonth() - 1) / 7 + 1 == Integer.parseInt(parts[1]);
        } else if (one.endsWith("L")) {
            return number(one.substring(0, one.length() - 1), DAYS, 0) % 7 == weekday
                    && date.plusDays(7).getMonth() != date.getMonth();
        }
        return has(one, weekday, 6, DAYS, 0) || weekday == 0 && has(one, 7, 6, DAYS, 0);
    }

    private static boolean has(String field, int value, int most, List<String> names, int least) {
        for (String one : field.split(",")) {
            String[] parts = one.split("/");
            int step = parts.length == 2 ? Integer.parseInt(parts[1]) : 1;
            String[] ends = parts[0].split("-");
            boolean all = ends[0].equals("*");
            int from = all ? least : number(ends[0], names, least);
            int to = ends.length == 2 ? number(ends[1], names, least) : all || parts.length == 2 ? most : from;
            if (value >= from && value <= to && (value - from) % step == 0) {
                return true;
            }
        }
        return false;
    }

    /** @param first the number of the first name */
    private static int number(String text, List<String> names, int first) {
        int named = names.indexOf(text);
        return named < 0 ? Integer.parseInt(text) : named + first;
    }
}
