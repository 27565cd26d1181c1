package dev.fairlane.runtime;

import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.ScheduleProgress;
import dev.fairlane.journal.Flush;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Schedules that are new, moved or gone since the last flush: of many images the newest. */
final class MovedSchedules {
    private final Map<ScheduleName, Schedule> set = new LinkedHashMap<>();
    private final Map<ScheduleName, ScheduleProgress> moved = new LinkedHashMap<>();
    private final Set<ScheduleName> gone = new LinkedHashSet<>();

    void set(Schedule schedule) {
        gone.remove(schedule.id());
        moved.remove(schedule.id());
        set.put(schedule.id(), schedule);
    }

    void moved(ScheduleName id, ScheduleProgress progress) {
        if (set.computeIfPresent(id, (_, schedule) -> schedule.with(progress)) == null) {
            moved.put(id, progress);
        }
    }

    void gone(ScheduleName id) {
        set.remove(id);
        moved.remove(id);
        gone.add(id);
    }

    Flush.Schedules rows() {
        if (set.isEmpty() && moved.isEmpty() && gone.isEmpty()) {
            return Flush.Schedules.NONE;
        }
        return new Flush.Schedules(
                List.copyOf(set.values()),
                moved.entrySet().stream()
                        .map(one -> new Flush.ScheduleMove(one.getKey(), one.getValue()))
                        .toList(),
                List.copyOf(gone));
    }
}
