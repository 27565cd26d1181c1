package dev.fairlane.core.model;

/**
 * When a type that breaks the bound of its pool is moved to a larger one (semantics §4).
 *
 * @param violations so many within the window move it
 * @param runs with at least so many runs within the window, {@code violatingPercent} of them do, too
 * @param violatingPercent more than this
 * @param stickyMicros how long it stays there at least
 */
public record MoveRules(int violations, int runs, int violatingPercent, long windowMicros, long stickyMicros) {
    private static final long HOUR = 3_600_000_000L;

    public static final MoveRules DEFAULT = new MoveRules(100, 1_000, 1, HOUR, HOUR);
}
