package dev.fairlane.e2e.chaos;

import java.time.Duration;

/**
 * How long a run goes on: until there were that many kills, and that much time has passed.
 *
 * @param jobsPerSecond about how much all callers together submit
 */
public record ChaosPlan(long seed, int kills, Duration time, int jobsPerSecond) {
    public ChaosPlan {
        if (kills < 1 || jobsPerSecond < 1 || time.isNegative()) {
            throw new IllegalArgumentException(
                    "expected kills and jobs a second of at least 1, but got " + kills + " and " + jobsPerSecond);
        }
    }
}
