package dev.fairlane.server.admit;

/**
 * A first look at JSON that makes no object: nearly every payload passes it. It says yes only to what the parser takes as well. What it is
 * not certain about (mistakes, foreign encodings, very long names and numbers, halves of characters in names) it leaves to the parser, which has the last word.
 */
final class JsonGlance {
    /** The parser's own bounds are far above. */
    private static final int NAME_BYTES = 1_000;

    private static final int NUMBER_BYTES = 100;
    private static final int NO = -1;

    private JsonGlance() {}

    /** Whether this is certainly one well-formed value, not nested deeper than {@link Limits#JSON_DEPTH}. */
    static boolean passes(byte[] bytes) {
        if (bytes.length > Limits.CALL_BYTES) {
            return false;
        }
        // A bit for each level that is open, the innermost lowest: set for an object.
        long objects = 0;
        int depth = 0;
        int at = behindSpace(bytes, 0);
        while (at >= 0 && at < bytes.length) {
            boolean object = bytes[at] == '{';
            if (object || bytes[at] == '[') {
                if (depth == Limits.JSON_DEPTH) {
                    return false;
                }
                at = behindSpace(bytes, at + 1);
                if (!has(bytes, at, object ? '}' : ']')) {
                    depth++;
                    objects = objects << 1 | (object ? 1 : 0);
                    at = object ? behindName(bytes, at) : at;
                    continue;
                }
                at++;
            } else {
                at = behindScalar(bytes, at);
            }
            while (true) {
                if (at < 0) {
                    return false;
                }
                at = behindSpace(bytes, at);
                if (depth == 0) {
                    return at == bytes.length;
                }
                boolean inObject = (objects & 1) != 0;
                if (has(bytes, at, ',')) {
                    at = behindSpace(bytes, at + 1);
                    at = inObject ? behindName(bytes, at) : at;
                    break;
                }
                if (!has(bytes, at, inObject ? '}' : ']')) {
                    return false;
                }
                at++;
                depth--;
                objects >>>= 1;
            }
        }
        return false;
    }

    private static int behindSpace(byte[] bytes, int from) {
        int at = from;
        while (at < bytes.length && (bytes[at] == ' ' || bytes[at] == '\n' || bytes[at] == '\r' || bytes[at] == '\t')) {
            at++;
        }
        return at;
    }

    /** Where the value of the member begins whose name begins here. */
    private static int behindName(byte[] bytes, int from) {
        int end = has(bytes, from, '"') ? behindString(bytes, from + 1) : NO;
        if (end < 0 || end - from > NAME_BYTES || hasEscapedHalf(bytes, from, end)) {
            return NO;
        }
        int colon = behindSpace(bytes, end);
        return has(bytes, colon, ':') ? behindSpace(bytes, colon + 1) : NO;
    }

    /** Whether a half of a pair of characters is escaped here: the parser takes it in values, but not in all names. */
    private static boolean hasEscapedHalf(byte[] bytes, int from, int end) {
        for (int at = from; at < end; at++) {
            if (bytes[at] == '\\') {
                at++;
                if (bytes[at] == 'u'
                        && Character.digit(bytes[at + 1], 16) == 0xD
                        && Character.digit(bytes[at + 2], 16) >= 8) {
                    return true;
                }
            }
        }
        return false;
    }

    private static int behindScalar(byte[] bytes, int from) {
        return switch (bytes[from]) {
            case '"' -> behindString(bytes, from + 1);
            case 't' -> follows(bytes, from + 1, 'r', 'u', 'e') ? from + 4 : NO;
            case 'n' -> follows(bytes, from + 1, 'u', 'l', 'l') ? from + 4 : NO;
            case 'f' -> follows(bytes, from + 1, 'a', 'l', 's') && has(bytes, from + 4, 'e') ? from + 5 : NO;
            default -> behindNumber(bytes, from);
        };
    }

    private static boolean follows(byte[] bytes, int at, char first, char second, char third) {
        return has(bytes, at, first) && has(bytes, at + 1, second) && has(bytes, at + 2, third);
    }

    private static boolean has(byte[] bytes, int at, char expected) {
        return at < bytes.length && bytes[at] == expected;
    }

    /** @param from behind the opening quote */
    private static int behindString(byte[] bytes, int from) {
        int at = from;
        while (at >= 0 && at < bytes.length) {
            byte b = bytes[at];
            if (b == '"') {
                return at + 1;
            }
            if (b == '\\') {
                at = behindEscape(bytes, at + 1);
            } else if (b >= ' ') {
                at++;
            } else {
                at = b < 0 ? behindLongCharacter(bytes, at) : NO;
            }
        }
        return NO;
    }

    private static int behindEscape(byte[] bytes, int at) {
        if (at == bytes.length) {
            return NO;
        }
        return switch (bytes[at]) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> at + 1;
            case 'u' -> {
                for (int i = at + 1; i <= at + 4; i++) {
                    if (i >= bytes.length || Character.digit(bytes[i], 16) < 0) {
                        yield NO;
                    }
                }
                yield at + 5;
            }
            default -> NO;
        };
    }

    /** A character of two to four bytes in the shortest form of UTF-8, and no half of a pair. */
    private static int behindLongCharacter(byte[] bytes, int at) {
        int lead = bytes[at] & 0xFF;
        if (lead < 0xC2 || lead > 0xF4 || !continues(bytes, at + 1)) {
            return NO;
        }
        int second = bytes[at + 1] & 0xFF;
        if (lead < 0xE0) {
            return at + 2;
        }
        if (lead < 0xF0) {
            boolean odd = lead == 0xE0 && second < 0xA0 || lead == 0xED && second >= 0xA0;
            return odd || !continues(bytes, at + 2) ? NO : at + 3;
        }
        boolean odd = lead == 0xF0 && second < 0x90 || lead == 0xF4 && second >= 0x90;
        return odd || !continues(bytes, at + 2) || !continues(bytes, at + 3) ? NO : at + 4;
    }

    private static boolean continues(byte[] bytes, int at) {
        return at < bytes.length && (bytes[at] & 0xC0) == 0x80;
    }

    private static int behindNumber(byte[] bytes, int from) {
        int at = bytes[from] == '-' ? from + 1 : from;
        at = has(bytes, at, '0') ? at + 1 : behindDigits(bytes, at);
        if (at >= 0 && has(bytes, at, '.')) {
            at = behindDigits(bytes, at + 1);
        }
        if (at >= 0 && (has(bytes, at, 'e') || has(bytes, at, 'E'))) {
            at++;
            at = behindDigits(bytes, has(bytes, at, '-') || has(bytes, at, '+') ? at + 1 : at);
        }
        return at - from > NUMBER_BYTES ? NO : at;
    }

    private static int behindDigits(byte[] bytes, int from) {
        int at = from;
        while (at < bytes.length && bytes[at] >= '0' && bytes[at] <= '9') {
            at++;
        }
        return at == from ? NO : at;
    }
}
