package dev.fairlane.server.admit;

import static org.assertj.core.api.Assertions.assertThat;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import dev.fairlane.core.model.Cron;
import dev.fairlane.core.model.CronTicks;
import dev.fairlane.server.fault.Refused;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.StringJoiner;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Random expressions, and random text that is none. */
class CronTextProperty {
    private static final int CASES = 10_000;
    private static final String LETTERS = "0123456789*/-,#?LWMONSUAJEF @\t|$\u00e9";
    private static final int WARM_UP = 3_000;
    private static final int TRIES = 5;
    private static final long MOMENT_NANOS = 1_000_000;
    private static final Pattern POSITION = Pattern.compile("at position (\\d+)");
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final List<String> DAYS = NaiveCron.DAYS;
    private static final List<String> MONTHS = NaiveCron.MONTHS;

    /** The grammar is cron-utils', so what expressions mean is compared with a reader that has nothing of it. */
    @Test
    void anExpressionNamesTheTimesThatAPlainReaderSaysItDoes() {
        Random random = new Random(11);
        int named = 0;
        for (int i = 0; i < CASES; i++) {
            String expression = richExpression(random);
            Cron cron = CronText.parse("cron", random.nextBoolean() ? expression : expression.toLowerCase(Locale.ROOT));
            LocalDateTime begin = LocalDateTime.of(2020 + random.nextInt(20), 1 + random.nextInt(12), 1, 0, 0);
            for (int day = 0; day < 31; day++) {
                LocalDateTime time = begin.plusDays(day)
                        .withHour(random.nextInt(24))
                        .withMinute(random.nextInt(60))
                        .withSecond(random.nextBoolean() ? 0 : random.nextInt(60));
                boolean expected = NaiveCron.names(expression, time);
                assertThat(cron.names(time))
                        .as("case %d: %s at %s", i, expression, time)
                        .isEqualTo(expected);
                named += expected ? 1 : 0;
            }
        }
        assertThat(named).isGreaterThan(CASES / 2);
    }

    /** Six fields or five, names in lists and ranges, and days that are no numbers; often free where it says nothing about days. */
    private static String richExpression(Random random) {
        boolean seconds = random.nextBoolean();
        String time = often("*", random, () -> list(random, 0, 59, List.of())) + " "
                + often("*", random, () -> list(random, 0, 23, List.of()));
        String month = often("*", random, () -> list(random, 1, 12, MONTHS));
        String day = often(random.nextBoolean() ? "*" : "?", random, () -> dayOfMonth(random));
        String weekday = often(random.nextBoolean() || day.equals("?") ? "*" : "?", random, () -> dayOfWeek(random));
        String rest = time + " " + day + " " + month + " " + weekday;
        return seconds ? often("*", random, () -> list(random, 0, 59, List.of())) + " " + rest : rest;
    }

    private static String often(String usual, Random random, Supplier<String> other) {
        return random.nextInt(5) < 2 ? usual : other.get();
    }

    private static String dayOfMonth(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> "L";
            case 1 -> "LW";
            case 2 -> "L-" + (1 + random.nextInt(27));
            case 3 -> (1 + random.nextInt(28)) + "W";
            default -> list(random, 1, 28, List.of());
        };
    }

    private static String dayOfWeek(Random random) {
        String day = random.nextBoolean() ? DAYS.get(random.nextInt(7)) : String.valueOf(random.nextInt(8));
        return switch (random.nextInt(5)) {
            case 0 -> day + "#" + (1 + random.nextInt(4));
            case 1 -> random.nextInt(7) + "L";
            default -> list(random, 0, 6, DAYS);
        };
    }

    private static String list(Random random, int least, int most, List<String> names) {
        StringJoiner list = new StringJoiner(",");
        for (int i = random.nextInt(3); i >= 0; i--) {
            int from = least + random.nextInt(most - least + 1);
            int to = from + random.nextInt(most - from + 1);
            int step = 1 + random.nextInt(Math.max(1, (most - least) / 2));
            list.add(
                    switch (random.nextInt(5)) {
                        case 0 ->
                            from == to
                                    ? number(random, from, least, names)
                                    : number(random, from, least, names) + "-" + number(random, to, least, names);
                        case 1 -> from == to ? "*/" + step : from + "-" + to + "/" + step;
                        case 2 -> from + "/" + step;
                        default -> number(random, from, least, names);
                    });
        }
        return list.toString();
    }

    private static String number(Random random, int value, int least, List<String> names) {
        return names.isEmpty() || random.nextBoolean() ? String.valueOf(value) : names.get(value - least);
    }

    @Test
    void ticksAreThoseOfCronUtilsInUtc() {
        CronParser theirs = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));
        Random random = new Random(5);
        for (int i = 0; i < CASES; i++) {
            String expression = expression(random);
            CronTicks ours = new CronTicks(
                    CronText.parse("cron", expression),
                    ZoneOffset.UTC.getRules(),
                    CronTicks.Gap.SKIP,
                    CronTicks.Overlap.FIRST);
            ExecutionTime other = ExecutionTime.forCron(theirs.parse(expression));
            ZonedDateTime at = Instant.ofEpochSecond(1_600_000_000L + random.nextInt(800_000_000))
                    .atZone(ZoneOffset.UTC);
            for (int step = 0; step < 3; step++) {
                ZonedDateTime expected = other.nextExecution(at).orElse(null);
                long found = ours.next(at.toEpochSecond() * 1_000_000);
                if (expected == null) {
                    break; // it looks four years ahead
                }
                assertThat(Instant.ofEpochSecond(found / 1_000_000))
                        .as("case %d: %s after %s", i, expression, at)
                        .isEqualTo(expected.toInstant());
                at = expected;
            }
        }
    }

    private static String expression(Random random) {
        String months = random.nextInt(3) > 0
                ? "*"
                : random.nextBoolean() ? MONTHS.get(random.nextInt(12)) : field(random, 1, 12);
        String day = random.nextInt(3) > 0 ? "*" : field(random, 1, 28);
        String weekday =
                random.nextInt(3) > 0 ? "*" : random.nextBoolean() ? DAYS.get(random.nextInt(7)) : field(random, 0, 6);
        return field(random, 0, 59) + " " + field(random, 0, 23) + " " + day + " " + months + " " + weekday;
    }

    private static String field(Random random, int least, int most) {
        int from = least + random.nextInt(most - least + 1);
        int to = from + random.nextInt(most - from + 1);
        return switch (random.nextInt(5)) {
            case 0 -> "*";
            case 1 -> String.valueOf(from);
            case 2 -> from == to ? String.valueOf(from) : from + "-" + to;
            case 3 -> "*/" + (1 + random.nextInt(Math.max(1, (most - least) / 2)));
            default -> from + "," + to;
        };
    }

    /** Once what is slow the first time is warm, no text takes a millisecond, and a refusal says where or what is wrong. */
    @Test
    void anyTextIsReadOrRefusedInAMoment() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            String text = text(random);
            long took = Long.MAX_VALUE;
            for (int tries = 0; tries < TRIES && took > MOMENT_NANOS; tries++) {
                took = Math.min(took, parse(text));
            }
            assertThat(i < WARM_UP || took <= MOMENT_NANOS)
                    .as("\"%s\" takes %d ns", text, took)
                    .isTrue();
        }
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        if (random.nextBoolean()) {
            text.append(expression(random));
            for (int j = random.nextInt(4); j > 0; j--) {
                text.setCharAt(random.nextInt(text.length()), LETTERS.charAt(random.nextInt(LETTERS.length())));
            }
        } else {
            for (int j = random.nextInt(CronText.LENGTH_MAX + 10); j > 0; j--) {
                text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
            }
        }
        return text.toString();
    }

    /** @return nanoseconds of the processor */
    private static long parse(String text) {
        long begun = THREADS.getCurrentThreadCpuTime();
        Refused refused = null;
        try {
            CronText.parse("cron", text);
        } catch (Refused expected) {
            refused = expected;
        }
        long took = THREADS.getCurrentThreadCpuTime() - begun;
        if (refused != null) {
            Matcher position = POSITION.matcher(refused.detail());
            if (position.find()) {
                assertThat(Integer.parseInt(position.group(1))).as(text).isBetween(1, text.length());
            } else {
                assertThat(refused.detail())
                        .as(text)
                        .containsAnyOf("expected 5 fields", "expected at most", "expected an expression that names");
            }
        }
        return took;
    }
}
