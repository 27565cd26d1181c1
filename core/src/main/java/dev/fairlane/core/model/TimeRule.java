package dev.fairlane.core.model;

import dev.fairlane.core.model.CronTicks.Gap;
import dev.fairlane.core.model.CronTicks.Overlap;
import java.time.DateTimeException;
import java.time.ZoneId;

/** When a schedule ticks. Times are microseconds since the epoch. */
public sealed interface TimeRule {
    long NEVER = CronTicks.NEVER;

    /**
     * The first tick after a time, or {@link #NEVER}.
     *
     * @param anchor what intervals are counted from
     */
    long next(long after, long anchor);

    /** False for a zone that this JDK's data has no more: there are no ticks while that is so, and that is no end. */
    default boolean known() {
        return true;
    }

    /**
     * A cron expression in a zone.
     *
     * @param text as it was written
     * @param zone IANA name; one that this JDK does not know has no ticks
     */
    record InZone(Cron cron, String text, String zone, Gap gap, Overlap overlap) implements TimeRule {
        @Override
        public long next(long after, long anchor) {
            return nextBy(after, Long.MAX_VALUE);
        }

        /** The first tick after a time, if it is not after {@code until}, or {@link #NEVER}. */
        long nextBy(long after, long until) {
            ZoneId known;
            try {
                known = ZoneId.of(zone);
            } catch (DateTimeException e) {
                return NEVER;
            }
            return new CronTicks(cron, known.getRules(), gap, overlap).next(after, until);
        }

        @Override
        public boolean known() {
            try {
                ZoneId.of(zone);
                return true;
            } catch (DateTimeException e) {
                return false;
            }
        }
    }

    /** @param fromCompletion counted from the end of the run before, which the caller gives as the anchor */
    record Every(long micros, boolean fromCompletion) implements TimeRule {
        @Override
        public long next(long after, long anchor) {
            return after < anchor ? anchor : anchor + (Math.floorDiv(after - anchor, micros) + 1) * micros;
        }
    }

    /** Once. */
    record Once(long at) implements TimeRule {
        @Override
        public long next(long after, long anchor) {
            return at > after ? at : NEVER;
        }
    }
}
