package dev.fairlane.core.share;

import java.util.List;

/**
 * The tier a waiting job counts as: its own at first, one less at even steps, 0 when its whole aging time has passed.
 * Computed when picking; nothing is rewritten.
 */
public final class Aging {
    public static final int TIERS = 10;

    private final long[] toTopMicros = new long[TIERS];

    public Aging(List<Long> toTopMicros) {
        if (toTopMicros.size() != TIERS) {
            throw new IllegalArgumentException(
                    "expected an aging time for each of the " + TIERS + " priorities, but got " + toTopMicros.size());
        }
        for (int tier = 0; tier < TIERS; tier++) {
            this.toTopMicros[tier] = toTopMicros.get(tier);
        }
    }

    public int tier(int priority, long waitedMicros) {
        if (waitedMicros <= 0) {
            return priority;
        }
        long toTop = toTopMicros[priority];
        return waitedMicros >= toTop ? 0 : priority - (int) (waitedMicros * priority / toTop);
    }
}
