package dev.fairlane.core.admission;

import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.TypeRules.Conflict;
import dev.fairlane.core.model.TypeRules.UniqueRule;
import org.jspecify.annotations.Nullable;

/** When a submitted job is due: when it asks to be, later where its type waits for another, a little later when that is far off. */
final class DueTime {
    private static final long FAR_MICROS = 3_600_000_000L;
    private static final long JITTER_MICROS = 60_000_000L;

    private DueTime() {}

    /** @param random any 64 bits */
    static long of(NewJob job, @Nullable UniqueRule rule, long random, long now) {
        long asked = Math.max(now, job.runAt() > 0 ? job.runAt() : now + job.delayMicros());
        if (rule != null && rule.conflict() == Conflict.DEBOUNCE) {
            asked = Math.max(asked, now + rule.periodMicros());
        }
        if (asked <= now + FAR_MICROS || job.terms().exact()) {
            return asked;
        }
        long later = asked + Long.remainderUnsigned(random, JITTER_MICROS + 1);
        return job.notAfter() > 0 ? Math.max(asked, Math.min(later, job.notAfter())) : later;
    }
}
