package dev.fairlane.e2e.chaos;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * How a run goes: until there were that many kills, and that much time has passed.
 *
 * @param jobsPerSecond about how much all callers together submit
 * @param faults what may be done; the last act, one more kill of the server, is always done
 */
public record ChaosPlan(long seed, int kills, Duration time, int jobsPerSecond, Set<FaultKind> faults) {
    public ChaosPlan {
        if (kills < 1 || jobsPerSecond < 1 || time.isNegative()) {
            throw new IllegalArgumentException(
                    "expected kills and jobs a second of at least 1, but got " + kills + " and " + jobsPerSecond);
        }
        if (faults.stream().noneMatch(FaultKind::kills)) {
            throw new IllegalArgumentException("expected a fault that kills, but got " + faults);
        }
        faults = Set.copyOf(faults);
    }

    /** With all faults there are. */
    public static ChaosPlan of(long seed, int kills, Duration time, int jobsPerSecond) {
        return new ChaosPlan(seed, kills, time, jobsPerSecond, EnumSet.allOf(FaultKind.class));
    }
}
