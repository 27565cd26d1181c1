package dev.fairlane.server.admit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first look against the parser, over random JSON, JSON with mistakes, and noise. */
class JsonGlanceProperty {
    private static final int CASES = 100_000;
    private static final List<String> SPACES = List.of("", "", "", " ", "\n", "\t\r\n ");
    private static final List<String> NUMBERS = List.of(
            "0", "-0", "7", "-12", "1e5", "1E+5", "0.5", "-0.25e-3", "123456789012345678901234567890", "1.0e400");
    private static final List<String> CHARACTERS = List.of(
            "a",
            "Z",
            " ",
            "/",
            "{",
            "]",
            ",",
            "\\\"",
            "\\\\",
            "\\/",
            "\\n",
            "\\u00e9",
            "\\uD83D",
            "\u007f",
            "é",
            "\u07ff",
            "\u0800",
            "€",
            "\ud7ff",
            "\ue000",
            "\uffff",
            "😀",
            "\udbff\udfff");
    private static final String MISTAKES = "{}[]:,\"\\ \n\t\u0001\u000b0123456789.-+eEtrufalsn'/*#NI\u00a0é";

    @Test
    void textThatIsJsonOrAlmostPassesIfAndOnlyIfTheParserTakesIt() {
        Random random = new Random(11);
        int taken = 0;
        for (int i = 0; i < CASES; i++) {
            StringBuilder text = new StringBuilder();
            value(random, text, 0);
            for (int mistakes = random.nextInt(3); mistakes > 0; mistakes--) {
                mistake(random, text);
            }
            byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            boolean well = Json.closeLook("payload", bytes) == null;
            assertThat(JsonGlance.passes(bytes)).as("case %d: %s", i, text).isEqualTo(well);
            taken += well ? 1 : 0;
        }
        assertThat(taken).isBetween(CASES / 4, CASES * 3 / 4);
    }

    @Test
    void bytesThatWereChangedPassOnlyIfTheParserTakesThem() {
        Random random = new Random(12);
        int passed = 0;
        for (int i = 0; i < CASES; i++) {
            StringBuilder text = new StringBuilder();
            value(random, text, 0);
            byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            for (int changes = random.nextInt(3); changes >= 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            if (JsonGlance.passes(bytes)) {
                passed++;
                assertThat(Json.closeLook("payload", bytes))
                        .as("case %d: %s", i, Arrays.toString(bytes))
                        .isNull();
            }
        }
        assertThat(passed).isPositive();
    }

    @Test
    void everyCharacterOfUtf8PassesAsTheParserTakesIt() {
        for (int code = 0; code <= Character.MAX_CODE_POINT; code += code < 0x1000 ? 1 : 37) {
            if (code < Character.MIN_SURROGATE || code > Character.MAX_SURROGATE) {
                byte[] bytes = ('"' + Character.toString(code) + '"').getBytes(StandardCharsets.UTF_8);
                boolean well = Json.closeLook("payload", bytes) == null;
                assertThat(JsonGlance.passes(bytes)).as("character %x", code).isEqualTo(well);
            }
        }
    }

    @Test
    void nothingCutOffPasses() {
        byte[] whole = "{\"a\":[1.5e-3,true,false,null,\"\\u00e9é€😀\"],\"b\":{}}".getBytes(StandardCharsets.UTF_8);
        assertThat(JsonGlance.passes(whole)).isTrue();
        for (int length = 0; length < whole.length; length++) {
            assertThat(JsonGlance.passes(Arrays.copyOf(whole, length)))
                    .as("first %d bytes", length)
                    .isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":", " [ "})
    void levelsAreCountedAsByTheParser(String open) {
        String close = open.contains("[") ? "]" : "}";
        for (int depth : new int[] {1, 63, 64, 65, 66, 200}) {
            byte[] bytes = (open.repeat(depth) + "1" + close.repeat(depth)).getBytes(StandardCharsets.UTF_8);
            assertThat(JsonGlance.passes(bytes))
                    .as("%d levels", depth)
                    .isEqualTo(depth <= Limits.JSON_DEPTH)
                    .isEqualTo(Json.closeLook("payload", bytes) == null);
        }
        byte[] empty =
                ("[".repeat(Limits.JSON_DEPTH) + "{}" + "]".repeat(Limits.JSON_DEPTH)).getBytes(StandardCharsets.UTF_8);
        assertThat(JsonGlance.passes(empty)).isFalse();
    }

    @Test
    void whatIsRareIsLeftToTheParser() {
        String name = "n".repeat(2_000);
        String number = "1".repeat(500);
        for (String text : List.of("{\"" + name + "\":1}", number, "[0." + number + "]", "\uFEFF{}")) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            assertThat(JsonGlance.passes(bytes)).isFalse();
            assertThat(Json.wellFormed(bytes)).as(text).isTrue();
        }
        assertThat(JsonGlance.passes("{\"\\ud83d\\ude00\":1}".getBytes(StandardCharsets.UTF_8)))
                .isFalse();
        assertThat(JsonGlance.passes(("\"" + name.repeat(100) + "\"").getBytes(StandardCharsets.UTF_8)))
                .isTrue();
    }

    private static void value(Random random, StringBuilder into, int depth) {
        space(random, into);
        switch (random.nextInt(depth > 4 ? 5 : 7)) {
            case 0 -> into.append(one(random, NUMBERS));
            case 1 -> into.append(random.nextInt(-1_000, 1_000));
            case 2 -> into.append(one(random, List.of("true", "false", "null")));
            case 3, 4 -> text(random, into);
            case 5 -> members(random, into, depth, '[', ']');
            default -> members(random, into, depth, '{', '}');
        }
        space(random, into);
    }

    private static void members(Random random, StringBuilder into, int depth, char open, char close) {
        into.append(open);
        space(random, into);
        for (int i = random.nextInt(4); i > 0; i--) {
            if (open == '{') {
                space(random, into);
                text(random, into);
                space(random, into);
                into.append(':');
            }
            value(random, into, depth + 1);
            if (i > 1) {
                into.append(',');
            }
        }
        into.append(close);
    }

    private static void text(Random random, StringBuilder into) {
        into.append('"');
        for (int i = random.nextInt(6); i > 0; i--) {
            into.append(one(random, CHARACTERS));
        }
        into.append('"');
    }

    private static void mistake(Random random, StringBuilder text) {
        int at = random.nextInt(text.length() + 1);
        String letter = String.valueOf(MISTAKES.charAt(random.nextInt(MISTAKES.length())));
        if (at == text.length() || random.nextInt(3) == 0) {
            text.insert(at, letter);
        } else if (random.nextBoolean()) {
            text.deleteCharAt(at);
        } else {
            text.replace(at, at + 1, letter);
        }
    }

    private static void space(Random random, StringBuilder into) {
        into.append(one(random, SPACES));
    }

    private static String one(Random random, List<String> of) {
        return of.get(random.nextInt(of.size()));
    }
}
