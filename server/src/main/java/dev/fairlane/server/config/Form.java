package dev.fairlane.server.config;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a value is written.
 *
 * @param expected completes "expected …"
 * @param read throws {@link IllegalArgumentException} for anything else
 */
public record Form<T extends Object>(String expected, Function<String, T> read) {
    private static final Pattern AMOUNT = Pattern.compile("(\\d{1,15})\\s*([a-zA-Z]*)");
    private static final Map<String, Long> MICROS = Map.of(
            "us", 1L, "ms", 1_000L, "s", 1_000_000L, "m", 60_000_000L, "h", 3_600_000_000L, "d", 86_400_000_000L);
    private static final Map<String, Long> BYTES =
            Map.of("", 1L, "b", 1L, "kib", 1L << 10, "mib", 1L << 20, "gib", 1L << 30, "tib", 1L << 40);

    static final Form<String> TEXT = new Form<>("text", text -> text);

    static final Form<Boolean> YES_OR_NO = new Form<>("true or false", text -> switch (text) {
        case "true" -> true;
        case "false" -> false;
        default -> throw new IllegalArgumentException("neither");
    });

    /** Microseconds, written with a unit. */
    static final Form<Long> DURATION =
            new Form<>("a duration like 250ms, 10s, 5m, 24h or 7d", text -> amount(text, MICROS));

    /** Not longer than so many minutes. */
    static Form<Long> minutesAtMost(int minutes) {
        return new Form<>("a duration like 250ms or 10s, up to " + minutes + "m", text -> {
            long micros = amount(text, MICROS);
            if (micros > amount(minutes + "m", MICROS)) {
                throw new IllegalArgumentException("too long");
            }
            return micros;
        });
    }

    static final Form<Long> SIZE = new Form<>("a size like 64MiB or 2GiB", text -> amount(text, BYTES));

    static final Form<List<Long>> DURATIONS = new Form<>(
            "durations like [1s, 5s, 30s]",
            text -> Arrays.stream(text.strip().replaceAll("^\\[|]$", "").split(","))
                    .map(String::strip)
                    .map(part -> amount(part, MICROS))
                    .toList());

    /** Names that may stand in names of keys. */
    static final Form<List<String>> POOL_NAMES = new Form<>(
            "up to 16 names of pools like [gpu, batch], each a lower-case letter and at most 31 of letters, digits and -",
            text -> {
                List<String> names = Arrays.stream(
                                text.strip().replaceAll("^\\[|]$", "").split(","))
                        .map(String::strip)
                        .filter(name -> !name.isEmpty())
                        .toList();
                boolean good = names.size() <= 16
                        && names.stream().distinct().count() == names.size()
                        && names.stream().allMatch(name -> name.matches("[a-z][a-z0-9-]{0,31}"))
                        && names.stream().noneMatch(List.of("short", "medium", "long", "more")::contains);
                if (!good) {
                    throw new IllegalArgumentException("not such names");
                }
                return names;
            });

    static Form<Integer> number(int least, int most) {
        return new Form<>("a whole number from " + least + " to " + most, text -> {
            int value = Integer.parseInt(text.replace("_", ""));
            if (value < least || value > most) {
                throw new IllegalArgumentException("out of range");
            }
            return value;
        });
    }

    static Form<Double> fraction() {
        return new Form<>("a number from 0 to 1", text -> {
            double value = Double.parseDouble(text);
            if (!(value >= 0 && value <= 1)) {
                throw new IllegalArgumentException("out of range");
            }
            return value;
        });
    }

    /** Money: 0 or more, with up to 12 places behind the point. */
    static final Form<BigDecimal> PRICE = new Form<>("a price like 0.00002", text -> {
        BigDecimal price = new BigDecimal(text.strip());
        if (price.signum() < 0 || price.scale() > 12 || price.precision() - price.scale() > 12) {
            throw new IllegalArgumentException("out of range");
        }
        return price;
    });

    static Form<String> oneOf(String... words) {
        return new Form<>("one of " + String.join(", ", words), text -> {
            String word = text.toLowerCase(Locale.ROOT);
            if (!List.of(words).contains(word)) {
                throw new IllegalArgumentException("not one of them");
            }
            return word;
        });
    }

    private static long amount(String text, Map<String, Long> units) {
        Matcher matcher = AMOUNT.matcher(text.strip());
        Long unit = matcher.matches() ? units.get(matcher.group(2).toLowerCase(Locale.ROOT)) : null;
        if (unit == null) {
            throw new IllegalArgumentException("no amount with a unit");
        }
        return Math.multiplyExact(Long.parseLong(matcher.group(1)), unit);
    }
}
