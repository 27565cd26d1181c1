package dev.fairlane.sdk;

import java.util.Locale;

/**
 * Where jobs run. A job's pool is what its type declares, short unless told otherwise; a worker offers slots in one or several
 * pools.
 */
public enum Pool {
    /** Typically under a second. Lease 10 s, time limit 30 s unless declared. */
    SHORT(50),
    /** A second to a minute. Lease 60 s, time limit 10 min unless declared. */
    MEDIUM(8),
    /** Over a minute. Lease 90 s, time limit 24 h unless declared. */
    LONG(2);

    private final int defaultSlots;

    Pool(int defaultSlots) {
        this.defaultSlots = defaultSlots;
    }

    /** Slots a worker offers in this pool unless it says a number. */
    public int defaultSlots() {
        return defaultSlots;
    }

    /** The name on the wire: lower case. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The pool of that name, in any case.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Pool named(String name) {
        for (Pool pool : values()) {
            if (pool.name().equalsIgnoreCase(name)) {
                return pool;
            }
        }
        throw new IllegalArgumentException("expected pool short, medium or long, but got '" + name + "'");
    }
}
