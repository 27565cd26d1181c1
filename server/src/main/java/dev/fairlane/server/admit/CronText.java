package dev.fairlane.server.admit;

import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.field.CronFieldName;
import com.cronutils.model.field.expression.Always;
import com.cronutils.model.field.expression.And;
import com.cronutils.model.field.expression.Between;
import com.cronutils.model.field.expression.Every;
import com.cronutils.model.field.expression.FieldExpression;
import com.cronutils.model.field.expression.On;
import com.cronutils.model.field.expression.QuestionMark;
import com.cronutils.model.field.value.FieldValue;
import com.cronutils.model.field.value.SpecialChar;
import com.cronutils.parser.CronParser;
import dev.fairlane.core.model.Cron;
import dev.fairlane.server.fault.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Reads cron expressions: the grammar is cron-utils', what an expression means is {@link Cron}'s. Names like {@code @daily}, and where in
 * the text something is wrong, are ours: an expression that cannot be read is read again field by field, to find the one to blame.
 */
public final class CronText {
    public static final int LENGTH_MAX = 200;

    private static final Map<String, String> NAMES = Map.of(
            "@yearly", "0 0 1 1 *",
            "@annually", "0 0 1 1 *",
            "@monthly", "0 0 1 * *",
            "@weekly", "0 0 * * 0",
            "@daily", "0 0 * * *",
            "@midnight", "0 0 * * *",
            "@hourly", "0 * * * *");

    private static final List<CronFieldName> FIELDS = List.of(
            CronFieldName.SECOND,
            CronFieldName.MINUTE,
            CronFieldName.HOUR,
            CronFieldName.DAY_OF_MONTH,
            CronFieldName.MONTH,
            CronFieldName.DAY_OF_WEEK);
    private static final List<String> WORDS =
            List.of("second", "minute", "hour", "day of the month", "month", "day of the week");

    private static final CronParser PARSER = new CronParser(definition());

    private CronText() {}

    private static CronDefinition definition() {
        return CronDefinitionBuilder.defineCron()
                .withSeconds()
                .and()
                .withMinutes()
                .and()
                .withHours()
                .and()
                .withDayOfMonth()
                .withValidRange(1, 31)
                .supportsL()
                .supportsW()
                .supportsLW()
                .supportsQuestionMark()
                .and()
                .withMonth()
                .withValidRange(1, 12)
                .and()
                .withDayOfWeek()
                .withValidRange(0, 7)
                .withMondayDoWValue(1)
                .withIntMapping(7, 0)
                .supportsHash()
                .supportsL()
                .supportsQuestionMark()
                .and()
                .instance();
    }

    /** One field as it stands in the text. */
    private record Token(int place, String text, int at) {}

    /** @throws Refused with the position of what is wrong */
    public static Cron parse(String field, String text) {
        if (text.length() > LENGTH_MAX) {
            throw Refused.invalid(field, "expected at most " + LENGTH_MAX + " characters, but got " + text.length());
        }
        String expression = text.strip();
        if (expression.startsWith("@")) {
            String meant = NAMES.get(expression.toLowerCase(Locale.ROOT));
            if (meant == null) {
                throw wrong(field, text.indexOf('@'), "expected @yearly, @monthly, @weekly, @daily or @hourly");
            }
            return parse(field, meant);
        }
        List<Token> tokens = tokens(field, text);
        Map<CronFieldName, com.cronutils.model.field.CronField> fields = read(field, tokens);
        Days days = new Days();
        long[] sets = new long[FIELDS.size()];
        sets[0] = tokens.getFirst().place() == 0 ? 0 : 1;
        for (Token token : tokens) {
            FieldExpression read = Objects.requireNonNull(fields.get(FIELDS.get(token.place())))
                    .getExpression();
            sets[token.place()] = new FieldSet(field, token, days).of(read);
        }
        boolean anyDay = any(fields, CronFieldName.DAY_OF_MONTH);
        boolean anyWeekday = any(fields, CronFieldName.DAY_OF_WEEK);
        try {
            return cron(sets, anyDay, anyWeekday, days);
        } catch (IllegalArgumentException e) {
            throw Refused.invalid(
                    field, "expected an expression that names a time, but \"" + expression + "\" names none");
        }
    }

    private static Cron cron(long[] sets, boolean anyDay, boolean anyWeekday, Days days) {
        return new Cron(
                sets[0],
                sets[1],
                (int) sets[2],
                anyDay && !anyWeekday ? 0 : (int) sets[3],
                (int) sets[4],
                anyWeekday ? 0 : (int) sets[5],
                days.fromEnd,
                days.nearest,
                days.nth);
    }

    private static boolean any(Map<CronFieldName, com.cronutils.model.field.CronField> fields, CronFieldName name) {
        FieldExpression expression = Objects.requireNonNull(fields.get(name)).getExpression();
        return expression instanceof Always || expression instanceof QuestionMark;
    }

    private static List<Token> tokens(String field, String text) {
        List<Token> tokens = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == ' ' || c == '\t') {
                at++;
                continue;
            }
            int end = at;
            while (end < text.length() && text.charAt(end) != ' ' && text.charAt(end) != '\t') {
                if (!allowed(text.charAt(end))) {
                    throw wrong(field, end, "expected letters, digits and *,-/?# only");
                }
                end++;
            }
            texts.add(text.substring(at, end));
            places.add(at);
            at = end;
        }
        if (texts.size() != 5 && texts.size() != 6) {
            throw Refused.invalid(
                    field,
                    "expected 5 fields (minute hour day month weekday) or 6 (seconds first), but there are "
                            + texts.size());
        }
        int first = FIELDS.size() - texts.size();
        for (int i = 0; i < texts.size(); i++) {
            tokens.add(new Token(first + i, texts.get(i).toUpperCase(Locale.ROOT), places.get(i)));
        }
        return tokens;
    }

    private static boolean allowed(char c) {
        return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || "*,-/?#".indexOf(c) >= 0;
    }

    private static Map<CronFieldName, com.cronutils.model.field.CronField> read(String field, List<Token> tokens) {
        String[] whole = new String[FIELDS.size()];
        whole[0] = "0";
        tokens.forEach(token -> whole[token.place()] = token.text());
        try {
            return PARSER.parse(String.join(" ", whole)).retrieveFieldsAsMap();
        } catch (RuntimeException e) { // some of its refusals are array indexes
            for (Token token : tokens) {
                if (!readable(token)) {
                    throw wrong(field, token.at(), "\"" + token.text() + "\" is no " + WORDS.get(token.place()));
                }
            }
            throw Refused.invalid(field, "expected a cron expression");
        }
    }

    private static boolean readable(Token token) {
        String[] alone = {"0", "*", "*", "*", "*", "*"};
        alone[token.place()] = token.text();
        try {
            PARSER.parse(String.join(" ", alone));
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    private static Refused wrong(String field, int at, String what) {
        return Refused.invalid(field, "at position " + (at + 1) + ": " + what);
    }

    /** Days that are no plain numbers. */
    private static final class Days {
        int fromEnd;
        int nearest;
        long nth;
    }

    /** The numbers that one field names, as bits; what it says beyond numbers goes to the days. */
    private record FieldSet(String field, Token token, Days days) {
        private static final int[] LEAST = {0, 0, 0, 1, 1, 0};
        private static final int[] MOST = {59, 59, 23, 31, 12, 6};

        long of(FieldExpression expression) {
            return switch (expression) {
                case And and -> {
                    long all = 0;
                    for (FieldExpression one : and.getExpressions()) {
                        all |= of(one);
                    }
                    yield all;
                }
                case Every every -> every(every);
                case Between between -> range(between, 1);
                case On on -> on(on);
                case Always _ -> every(least(), most(), 1);
                case QuestionMark _ when token.place() == 3 || token.place() == 5 -> every(least(), most(), 1);
                default -> throw refusal();
            };
        }

        private long every(Every every) {
            int step = every.getPeriod().getValue();
            if (step < 1) {
                throw wrong(field, token.at(), "expected a step of 1 or more in \"" + token.text() + "\"");
            }
            return switch (every.getExpression()) {
                case Between between -> range(between, step);
                case On on
                when on.getSpecialChar().getValue() == SpecialChar.NONE ->
                    every(inside(on.getTime().getValue()), most(), step);
                case Always _ -> every(least(), most(), step);
                default -> throw refusal();
            };
        }

        private long range(Between between, int step) {
            int from = number(between.getFrom());
            int to = number(between.getTo());
            if (token.place() == 5 && from == 7) {
                from = 0;
            }
            int last = token.place() == 5 && to == 7 ? 7 : inside(to);
            if (inside(from) > last) {
                throw wrong(field, token.at(), "expected a range that goes up, but got \"" + token.text() + "\"");
            }
            long set = every(from, last, step);
            return token.place() == 5 ? set & Cron.ALL_WEEKDAYS | (set >>> 7 & 1) : set;
        }

        private static int number(FieldValue<?> value) {
            return value.getValue() instanceof Integer number ? number : -1;
        }

        private long on(On on) {
            int time = on.getTime().getValue();
            SpecialChar special = on.getSpecialChar().getValue();
            boolean ofMonth = token.place() == 3;
            boolean ofWeek = token.place() == 5;
            if (special == SpecialChar.NONE) {
                return 1L << inside(time);
            }
            if (special == SpecialChar.LW && ofMonth) {
                days.nearest |= 1;
            } else if (special == SpecialChar.W && ofMonth) {
                days.nearest |= 1 << inside(time);
            } else if (special == SpecialChar.L && ofMonth && time == -1) {
                int before = Math.max(0, on.getNth().getValue());
                if (before > 30) {
                    throw wrong(field, token.at(), "expected L-1 to L-30, but got \"" + token.text() + "\"");
                }
                days.fromEnd |= 1 << before;
            } else if (special == SpecialChar.L && ofWeek && time >= 0) {
                days.nth |= 1L << (Cron.LAST - 1) * 7 + inside(time);
            } else if (special == SpecialChar.HASH && ofWeek) {
                int nth = on.getNth().getValue();
                if (nth < 1 || nth > 5) {
                    throw wrong(field, token.at(), "expected #1 to #5, but got \"" + token.text() + "\"");
                }
                days.nth |= 1L << (nth - 1) * 7 + inside(time);
            } else {
                throw refusal();
            }
            return 0;
        }

        private static long every(int from, int to, int step) {
            long set = 0;
            for (int i = from; i <= to; i += step) {
                set |= 1L << i;
            }
            return set;
        }

        private int inside(int value) {
            int meant = token.place() == 5 && value == 7 ? 0 : value;
            if (meant < least() || meant > most()) {
                throw wrong(
                        field,
                        token.at(),
                        "expected " + least() + " to " + most() + " for the " + WORDS.get(token.place())
                                + ", but got \"" + token.text() + "\"");
            }
            return meant;
        }

        private int least() {
            return LEAST[token.place()];
        }

        private int most() {
            return MOST[token.place()];
        }

        private Refused refusal() {
            return wrong(field, token.at(), "\"" + token.text() + "\" is no " + WORDS.get(token.place()));
        }
    }
}
