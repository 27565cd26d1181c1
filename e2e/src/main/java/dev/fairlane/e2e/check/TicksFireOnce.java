package dev.fairlane.e2e.check;

import dev.fairlane.e2e.history.Event;
import dev.fairlane.e2e.history.History;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** I5: every tick of a schedule that makes up for missed ones runs as one job, and not before its time. What ran is the workers' word. */
final class TicksFireOnce implements Invariant {
    /** The node's clock is the database's, compared now and then; the worker's may differ by this. */
    static final long CLOCKS_APART_MICROS = 10_000;

    @Override
    public void check(History history, Consumer<Violation> found) {
        Map<String, NavigableMap<Long, Set<String>>> ran = new TreeMap<>();
        history.events(Event.Ticked.class).forEach(run -> {
            ran.computeIfAbsent(run.schedule(), name -> new TreeMap<>())
                    .computeIfAbsent(run.tick(), tick -> new TreeSet<>())
                    .add(run.job());
            if (run.wallMicros() + CLOCKS_APART_MICROS < run.tick()) {
                found.accept(new Violation(
                        Rule.TICK_EARLY,
                        run.job(),
                        "tick " + run.tick() + " of " + run.schedule() + " ran at " + run.wallMicros()));
            }
        });
        Map<String, Event.Unscheduled> over = new TreeMap<>();
        history.events(Event.Unscheduled.class).forEach(end -> over.put(end.schedule(), end));
        history.events(Event.Scheduled.class).forEach(schedule -> {
            Event.Unscheduled end = over.get(schedule.schedule());
            if (end == null) {
                found.accept(new Violation(Rule.NOT_READ, schedule.schedule(), "nobody says when it ended"));
            } else {
                check(schedule, end.lastTick(), ran.getOrDefault(schedule.schedule(), new TreeMap<>()), found);
            }
        });
    }

    private static void check(
            Event.Scheduled schedule, long last, NavigableMap<Long, Set<String>> ran, Consumer<Violation> found) {
        ran.forEach((tick, jobs) -> {
            boolean none = (tick - schedule.firstTick()) % schedule.everyMicros() != 0;
            if (none || jobs.size() > 1) {
                found.accept(new Violation(
                        Rule.TICK_DOUBLED,
                        schedule.schedule(),
                        (none ? "no tick of it: " : "two jobs for tick ") + tick + ": " + jobs));
            }
        });
        for (long tick = schedule.firstTick(); tick <= last; tick += schedule.everyMicros()) {
            if (!ran.containsKey(tick)) {
                found.accept(new Violation(Rule.TICK_MISSED, schedule.schedule(), "no job ran for tick " + tick));
            }
        }
    }
}
