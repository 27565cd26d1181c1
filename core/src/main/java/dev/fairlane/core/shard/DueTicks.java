package dev.fairlane.core.shard;

import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleRules;

/** Which of a schedule's ticks are due, and which of them the newest is, in bounded time however long nobody looked. */
final class DueTicks {
    /** Missed ticks are counted up to this at a time. */
    static final int MAX_COUNTED = 100;

    private DueTicks() {}

    /**
     * @param newest due tick
     * @param count of due ticks, {@link #MAX_COUNTED} for that many or more
     */
    record Due(long newest, int count) {}

    /** @param first a tick that is due */
    static Due of(Schedule schedule, long first, long now) {
        long newest = first;
        int count = 1;
        while (count < MAX_COUNTED) {
            long next = schedule.tickAfter(newest);
            if (next == Schedule.NEVER || schedule.fireAt(next) > now) {
                return new Due(newest, count);
            }
            newest = next;
            count++;
        }
        newest = newestBefore(schedule, newest, now - ScheduleRules.MAX_JITTER);
        for (long next = schedule.tickAfter(newest);
                next != Schedule.NEVER && schedule.fireAt(next) <= now;
                next = schedule.tickAfter(newest)) {
            newest = next;
        }
        return new Due(newest, count);
    }

    /** The newest tick that is not after {@code until}, at least {@code known}; by halving, since ticks may be many. */
    private static long newestBefore(Schedule schedule, long known, long until) {
        long low = known;
        long high = until;
        while (low < high) {
            long middle = low + (high - low) / 2;
            long tick = schedule.tickAfter(middle);
            if (tick <= until) {
                low = tick;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
