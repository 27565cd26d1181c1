package dev.fairlane.sdk;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where jobs run. A job's pool is what its type declares, short unless told otherwise; a worker offers slots in one or several
 * pools. A server has these three, and those its settings add.
 */
public final class Pool {
    /** Typically under a second. Lease 10 s, time limit 30 s unless declared. */
    public static final Pool SHORT = new Pool("short", 50);
    /** A second to a minute. Lease 60 s, time limit 10 min unless declared. */
    public static final Pool MEDIUM = new Pool("medium", 8);
    /** Over a minute. Lease 90 s, time limit 24 h unless declared. */
    public static final Pool LONG = new Pool("long", 2);

    private static final List<Pool> STANDARD = List.of(SHORT, MEDIUM, LONG);

    private final String name;
    private final int defaultSlots;

    private Pool(String name, int defaultSlots) {
        this.name = name;
        this.defaultSlots = defaultSlots;
    }

    /** The pools every server has. */
    public static List<Pool> standard() {
        return STANDARD;
    }

    /** Slots a worker offers in this pool unless it says a number; one in a pool that only some servers have. */
    public int defaultSlots() {
        return defaultSlots;
    }

    /** The name on the wire: lower case. */
    public String wireName() {
        return name;
    }

    /**
     * The pool of that name, in any case; the server says whether it has it.
     *
     * @throws IllegalArgumentException if no pool can have such a name: a letter, then at most 31 of letters, digits and {@code -}
     */
    public static Pool named(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        for (Pool pool : STANDARD) {
            if (pool.name.equals(lower)) {
                return pool;
            }
        }
        if (!lower.matches("[a-z][a-z0-9-]{0,31}")) {
            throw new IllegalArgumentException(
                    "expected a pool like short, medium or long: a letter, then at most 31 of letters, digits and -; but got '"
                            + name + "'");
        }
        return new Pool(lower, 1);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Pool that && name.equals(that.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
