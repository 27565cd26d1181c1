package dev.fairlane.server.admit;

import dev.fairlane.core.model.PayloadRef;
import dev.fairlane.server.fault.Refused;

/** What names and texts may consist of; loops over characters, because they run for every job. */
public final class Text {
    private Text() {}

    /** A job type: 1 to 128 of letters, digits and {@code ._-:/}. */
    public static String typeName(String field, String name) {
        if (name.isEmpty() || name.length() > Limits.NAME_LENGTH) {
            throw Refused.invalid(
                    field, "expected 1 to " + Limits.NAME_LENGTH + " characters, but got " + name.length());
        }
        for (int i = 0; i < name.length(); i++) {
            if (!inName(name.charAt(i))) {
                throw Refused.invalid(field, "expected letters, digits and ._-:/ only");
            }
        }
        return name;
    }

    /** A tenant: 1 to 64 of lower-case letters, digits and {@code -}. */
    public static String tenantName(String field, String name) {
        boolean good = !name.isEmpty() && name.length() <= 64;
        for (int i = 0; good && i < name.length(); i++) {
            char c = name.charAt(i);
            good = c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-';
        }
        if (!good) {
            throw Refused.invalid(field, "expected 1 to 64 of lower-case letters, digits and -");
        }
        return name;
    }

    /** Anything people write in one line: no control characters, bounded. */
    public static String line(String field, String text, int lengthMax) {
        if (text.length() > lengthMax) {
            throw Refused.invalid(field, "expected at most " + lengthMax + " characters, but got " + text.length());
        }
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                throw Refused.invalid(field, "expected no control characters, but there is one at " + i);
            }
        }
        return text;
    }

    /** Printable ASCII without spaces at its ends, and a slash: enough to be a content type. */
    public static String contentType(String field, String text) {
        boolean good = text.length() <= Limits.CONTENT_TYPE_LENGTH
                && text.indexOf('/') > 0
                && !text.equals(PayloadRef.CONTENT_TYPE);
        for (int i = 0; good && i < text.length(); i++) {
            good = text.charAt(i) >= ' ' && text.charAt(i) < 0x7f;
        }
        if (!good) {
            throw Refused.invalid(
                    field,
                    "expected a content type like text/plain of at most " + Limits.CONTENT_TYPE_LENGTH + " characters");
        }
        return text;
    }

    /** Free text of a handler: cut to its bound rather than refused, and without NUL, which PostgreSQL cannot keep. */
    public static String trimmed(String text, int lengthMax) {
        String kept = text;
        if (kept.length() > lengthMax) {
            int end = Character.isHighSurrogate(kept.charAt(lengthMax - 1)) ? lengthMax - 1 : lengthMax;
            kept = kept.substring(0, end);
        }
        return kept.indexOf('\0') < 0 ? kept : kept.replace('\0', '\uFFFD');
    }

    private static boolean inName(char c) {
        return c >= 'a' && c <= 'z'
                || c >= 'A' && c <= 'Z'
                || c >= '0' && c <= '9'
                || c == '.'
                || c == '_'
                || c == '-'
                || c == ':'
                || c == '/';
    }
}
