package dev.fairlane.core.model;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import org.jspecify.annotations.Nullable;

/**
 * When the local times of a cron expression come to pass in a zone, by the JDK's own rules of the zone.
 *
 * <p>Between two changes of its offset a zone is a plain shift of UTC. So time is taken in stretches from change to change, and what is
 * special happens at their ends:
 *
 * <pre>
 *   clocks go forward   |  no local time  |     skip: those ticks do not happen;
 *                                               shift: they happen as much later as the clocks went forward
 *   clocks go back      |  first  | second |    a local time happens twice: the first, the second or both count
 * </pre>
 *
 * <p>A tick is an instant: ticks that fall together are one. Pure; the same zone data gives the same ticks.
 *
 * @param zone rules of the zone
 */
public record CronTicks(Cron cron, ZoneRules zone, Gap gap, Overlap overlap) {
    public static final long NEVER = Long.MAX_VALUE;

    private static final long SECOND = 1_000_000;

    /** More than a local date and a named one that ticks on it may differ, by offsets and by what clocks jump over. */
    private static final int DAYS_APART = 3;

    /** What becomes of a local time that the clocks jump over. The order is part of the stored format: append only. */
    public enum Gap {
        SKIP,
        SHIFT;

        private static final Gap[] ALL = values();

        public static Gap of(int ordinal) {
            return ALL[ordinal];
        }
    }

    /** Which of two equal local times counts. The order is part of the stored format: append only. */
    public enum Overlap {
        FIRST,
        SECOND,
        BOTH;

        private static final Overlap[] ALL = values();

        public static Overlap of(int ordinal) {
            return ALL[ordinal];
        }
    }

    /**
     * The first tick after this time, in microseconds since the epoch; {@link #NEVER} when there is none within
     * {@link Cron#HORIZON_YEARS}.
     */
    public long next(long afterMicros) {
        return new Search(afterMicros, Long.MAX_VALUE).next();
    }

    /** The same, or {@link #NEVER} when there is none by {@code untilMicros}: it is not looked for any further. */
    public long next(long afterMicros, long untilMicros) {
        return new Search(afterMicros, untilMicros).next();
    }

    /** One look into the future. It goes from named day to named day, so it costs little however rare they are. */
    final class Search {
        private final Instant horizon;
        private final LocalDate lastDay;
        private Instant at;
        private @Nullable ZoneOffsetTransition begun;

        /** Stretches that were looked through. */
        int stretches;

        Search(long afterMicros, long untilMicros) {
            at = Instant.ofEpochSecond(Math.floorDiv(afterMicros, SECOND) + 1);
            Instant farthest =
                    at.atOffset(ZoneOffset.UTC).plusYears(Cron.HORIZON_YEARS).toInstant();
            Instant until = Instant.ofEpochSecond(Math.floorDiv(untilMicros, SECOND) + 1);
            horizon = until.isBefore(farthest) ? until : farthest;
            lastDay = horizon.atOffset(ZoneOffset.UTC).toLocalDate().plusDays(DAYS_APART);
            begun = began(at);
        }

        long next() {
            while (at.isBefore(horizon) && skipToNamedDay()) {
                stretches++;
                ZoneOffsetTransition ends = zone.nextTransition(at);
                Instant until = ends == null || ends.getInstant().isAfter(horizon) ? horizon : ends.getInstant();
                Instant tick = within(begun, at, until, ends);
                if (tick != null) {
                    return tick.getEpochSecond() * SECOND;
                }
                begun = ends;
                at = until;
            }
            return NEVER;
        }

        /** Goes to a little before the next day that is named; false when none is before the horizon. */
        private boolean skipToNamedDay() {
            LocalDate today = LocalDate.ofInstant(at, zone.getOffset(at));
            LocalDate named = cron.firstDay(today.minusDays(DAYS_APART), lastDay);
            if (named == null) {
                return false;
            }
            Instant before = named.minusDays(DAYS_APART).atStartOfDay().toInstant(ZoneOffset.UTC);
            if (before.isAfter(at)) {
                at = before;
                begun = began(at);
            }
            return at.isBefore(horizon);
        }

        /** The change of offset in force at this instant, or null. */
        private @Nullable ZoneOffsetTransition began(Instant instant) {
            return zone.previousTransition(instant.plusNanos(1));
        }
    }

    /** The first tick of a stretch of constant offset, from {@code at} on and before {@code until}. */
    private @Nullable Instant within(
            @Nullable ZoneOffsetTransition begun, Instant at, Instant until, @Nullable ZoneOffsetTransition ends) {
        ZoneOffset offset = zone.getOffset(at);
        LocalDateTime from = LocalDateTime.ofEpochSecond(at.getEpochSecond(), 0, offset);
        LocalDateTime to = LocalDateTime.ofEpochSecond(until.getEpochSecond(), 0, offset);
        LocalDateTime first = from;
        if (begun != null && begun.isOverlap() && overlap == Overlap.FIRST) {
            first = later(from, begun.getDateTimeBefore());
        }
        LocalDateTime end = to;
        if (ends != null
                && ends.isOverlap()
                && overlap == Overlap.SECOND
                && ends.getInstant().equals(until)) {
            end = earlier(to, ends.getDateTimeAfter());
        }
        LocalDateTime named = first.isBefore(end) ? cron.first(first, end) : null;
        if (begun != null && begun.isGap() && gap == Gap.SHIFT) {
            long length = begun.getDuration().getSeconds();
            LocalDateTime missed = from.minusSeconds(length);
            LocalDateTime jumped = begun.getDateTimeAfter();
            LocalDateTime shifted = missed.isBefore(jumped) ? cron.first(missed, jumped) : null;
            if (shifted != null && shifted.plusSeconds(length).isBefore(to)) {
                named = named == null ? shifted.plusSeconds(length) : earlier(named, shifted.plusSeconds(length));
            }
        }
        return named == null ? null : named.toInstant(offset);
    }

    private static LocalDateTime later(LocalDateTime one, LocalDateTime other) {
        return one.isAfter(other) ? one : other;
    }

    private static LocalDateTime earlier(LocalDateTime one, LocalDateTime other) {
        return one.isBefore(other) ? one : other;
    }
}
