package dev.fairlane.server.admit;

import static org.assertj.core.api.Assertions.assertThat;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import dev.fairlane.core.model.CronTicks;
import dev.fairlane.server.fault.Refused;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random expressions, and random text that is none. */
class CronTextProperty {
    private static final int CASES = 10_000;
    private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");
    private static final List<String> MONTHS =
            List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");

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

    @Test
    void anyTextIsReadOrRefusedInAMoment() {
        Random random = new Random(7);
        String letters = "0123456789*/-,#?LWMONSUAJEF @\t|$\u00e9";
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long[] took = new long[20_000];
        for (int i = 0; i < took.length; i++) {
            StringBuilder text = new StringBuilder();
            if (random.nextBoolean()) {
                text.append(expression(random));
                for (int j = random.nextInt(4); j > 0; j--) {
                    text.setCharAt(random.nextInt(text.length()), letters.charAt(random.nextInt(letters.length())));
                }
            } else {
                for (int j = random.nextInt(CronText.LENGTH_MAX + 10); j > 0; j--) {
                    text.append(letters.charAt(random.nextInt(letters.length())));
                }
            }
            long begun = threads.getCurrentThreadCpuTime();
            try {
                CronText.parse("cron", text.toString());
            } catch (Refused expected) {
                assertThat(expected.detail()).isNotEmpty();
            }
            took[i] = threads.getCurrentThreadCpuTime() - begun;
        }
        Arrays.sort(took);
        // the first ones pay for the loading of classes
        assertThat(took[took.length * 99 / 100]).as("p99 in ns").isLessThan(1_000_000);
    }
}
