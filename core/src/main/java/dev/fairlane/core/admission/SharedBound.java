package dev.fairlane.core.admission;

import org.jspecify.annotations.Nullable;

/**
 * The rule by which tenants fill a bound of the node: what they like of it but for the last tenth, where nobody may have more than is still
 * free. So one alone gets nearly all of it, and whoever comes next finds some, however long the others stay. Who has what is counted by
 * those who ask.
 */
public final class SharedBound {
    private static final int KEPT_PART = 10;

    /**
     * Why there is no room.
     *
     * @param limit so much may be there
     * @param present so much is
     * @param own whether that is said of the tenant; otherwise of all together
     */
    public record Full(long limit, long present, boolean own) {}

    private SharedBound() {}

    /**
     * Null if there is room.
     *
     * @param size of all together
     * @param all what everybody has, without what is asked for
     * @param own how much of that is the tenant's; who has nothing gets whatever fits
     */
    public static @Nullable Full full(long size, long all, long own, long asked) {
        if (asked <= 0) {
            return null;
        }
        if (asked > size - all) {
            return new Full(size, all, false);
        }
        long forAnybody = size - size / KEPT_PART;
        if (all + asked > forAnybody && own > 0 && own + asked > size - all) {
            long others = all - own;
            return new Full(Math.max(forAnybody - others, (size - others) / 2), own, true);
        }
        return null;
    }
}
