package dev.fairlane.objects;

import java.util.regex.Pattern;

/** What a name may be: safe as a path, as a key and in a URL, everywhere the same. */
public final class ObjectName {
    public static final int LENGTH_MAX = 512;

    private static final String SEGMENT = "[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}";
    private static final Pattern NAME = Pattern.compile(SEGMENT + "(/" + SEGMENT + ")*");
    private static final Pattern PREFIX = Pattern.compile("|" + SEGMENT + "(/" + SEGMENT + ")*/?");

    private ObjectName() {}

    public static boolean valid(String name) {
        return name.length() <= LENGTH_MAX && NAME.matcher(name).matches();
    }

    /** @throws ObjectFault INVALID_NAME */
    static String check(String name) {
        if (!valid(name)) {
            throw new ObjectFault(
                    ObjectFault.Kind.INVALID_NAME,
                    "expected segments of letters, digits, '.', '_' and '-' joined by '/', but got \""
                            + name.substring(0, Math.min(80, name.length())) + "\"",
                    null);
        }
        return name;
    }

    static String checkPrefix(String prefix) {
        if (prefix.length() > LENGTH_MAX || !PREFIX.matcher(prefix).matches()) {
            throw new ObjectFault(
                    ObjectFault.Kind.INVALID_NAME,
                    "expected the beginning of a name, but got \"" + prefix.substring(0, Math.min(80, prefix.length()))
                            + "\"",
                    null);
        }
        return prefix;
    }

    static int checkMax(int max) {
        if (max < 1 || max > ObjectStore.PAGE_MAX) {
            throw new IllegalArgumentException("expected 1 to " + ObjectStore.PAGE_MAX + " names, but got " + max);
        }
        return max;
    }
}
