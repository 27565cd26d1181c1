package dev.fairlane.core.model;

/**
 * The names under which keys of different kinds are kept together. What callers write has no control characters, so one at the
 * front tells the kind: an idempotency key is its own name.
 */
public final class KeyName {
    private static final char UNIQUE = '\u0001';
    private static final char REQUEST = '\u0002';

    private KeyName() {}

    /** Of the job that is one of a kind among those of its type. */
    public static String unique(String type, String uniqueKey) {
        return UNIQUE + type + UNIQUE + uniqueKey;
    }

    public static boolean isUnique(String name) {
        return !name.isEmpty() && name.charAt(0) == UNIQUE;
    }

    /** Of a call that may be sent again: the first job it was taken with carries the name in place of a key. */
    public static String request(String id) {
        return REQUEST + id;
    }

    public static boolean isRequest(String name) {
        return !name.isEmpty() && name.charAt(0) == REQUEST;
    }

    /** Whether it is a key that a caller gave. */
    public static boolean isGiven(String name) {
        return !name.isEmpty() && name.charAt(0) != REQUEST;
    }
}
