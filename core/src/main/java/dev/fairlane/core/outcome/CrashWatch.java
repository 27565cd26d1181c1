package dev.fairlane.core.outcome;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The workers that a tenant's jobs crashed in a pool within the last minute, by name. Throttled from more than the limit on,
 * until a whole minute goes by without a crash. Soft: a failover forgets, and a tenant that goes on crashing is throttled again.
 */
public final class CrashWatch {
    private static final long MINUTE = 60_000_000;

    private final int limit;
    /** When each crashed last, oldest first; never more than one above the limit. */
    private final Map<String, Long> crashed = new LinkedHashMap<>();

    private boolean throttled;
    private long lastAt;

    public CrashWatch(int limit) {
        this.limit = limit;
    }

    /** Returns true if the throttle begins. */
    public boolean crashed(String worker, long now) {
        lastAt = Math.max(lastAt, now);
        crashed.remove(worker);
        crashed.put(worker, now);
        Iterator<Long> oldest = crashed.values().iterator();
        while (oldest.hasNext() && (oldest.next() <= now - MINUTE || crashed.size() > limit + 1)) {
            oldest.remove();
        }
        boolean begins = !throttled && crashed.size() > limit;
        throttled |= begins;
        return begins;
    }

    public boolean throttled() {
        return throttled;
    }

    /** When it is calm if nothing more happens. */
    public long calmAt() {
        return lastAt + MINUTE;
    }

    public void calm() {
        throttled = false;
        crashed.clear();
    }
}
