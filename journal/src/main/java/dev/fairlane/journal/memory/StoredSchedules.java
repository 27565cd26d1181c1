package dev.fairlane.journal.memory;

import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.journal.Flush;
import dev.fairlane.journal.RecoverySink;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The rows of schedules. */
final class StoredSchedules {
    private final NavigableMap<ScheduleName, Schedule> schedules = new TreeMap<>();

    void apply(Flush.Schedules flush) {
        flush.gone().forEach(schedules::remove);
        flush.set().forEach(schedule -> schedules.put(schedule.id(), schedule));
        flush.moved().forEach(move -> schedules.computeIfPresent(move.id(), (_, known) -> known.with(move.progress())));
    }

    void tell(RecoverySink sink) {
        schedules.values().forEach(sink::schedule);
    }
}
