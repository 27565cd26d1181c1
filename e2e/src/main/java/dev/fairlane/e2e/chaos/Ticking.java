package dev.fairlane.e2e.chaos;

import dev.fairlane.e2e.history.Event;
import dev.fairlane.e2e.history.EventLog;
import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.FairlaneException;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.Schedule;
import dev.fairlane.sdk.Schedules;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Schedules of one tenant that tick every second through whatever happens, and make up for every tick. */
final class Ticking {
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration FROM_NOW = Duration.ofSeconds(2);
    private static final Duration BEHIND_AT_MOST = Duration.ofSeconds(3);
    private static final List<String> NAMES = List.of("second-1", "second-2");

    private final String tenant;
    private final Fairlane fairlane;
    private final EventLog log;
    private final Instant first;

    private Ticking(String tenant, Fairlane fairlane, EventLog log, Instant first) {
        this.tenant = tenant;
        this.fairlane = fairlane;
        this.log = log;
        this.first = first;
    }

    /** @param fairlane with a key of the tenant */
    static Ticking begin(String tenant, Fairlane fairlane, EventLog log) {
        Ticking ticking =
                new Ticking(tenant, fairlane, log, Instant.now().plus(FROM_NOW).truncatedTo(ChronoUnit.SECONDS));
        NAMES.forEach(ticking::put);
        return ticking;
    }

    private void put(String name) {
        fairlane.schedules()
                .put(Schedule.every(name, EVERY)
                        .start(first)
                        .job(Job.of(Work.TICK, new Work.Order(Event.BY_CLOCK)))
                        .catchup(Schedule.Catchup.ALL)
                        .catchupPerMinute(6_000)
                        .overlap(Schedule.Overlap.ALLOW)
                        .jitter(Duration.ZERO)
                        .build());
        // Ticks before it was made do not count; on a slow machine its start may have passed by now.
        long every = EVERY.toNanos() / 1_000;
        long late = Math.max(0, micros(Instant.now()) - micros(first));
        long counted = micros(first) + Math.ceilDiv(late, every) * every;
        log.record(new Event.Scheduled(EventLog.now(), tenant + "/" + name, counted, every));
    }

    /** Whether every tick that is due was dealt with. */
    boolean caughtUp() {
        try {
            Instant due = Instant.now().minus(BEHIND_AT_MOST);
            return NAMES.stream()
                    .map(fairlane.schedules()::get)
                    .map(Schedules.Info::lastTick)
                    .allMatch(last -> last.isPresent() && last.get().isAfter(due));
        } catch (FairlaneException notNow) {
            return false;
        }
    }

    /** What was due before the pause counts, whether or not it was dealt with. */
    void end() {
        for (String name : NAMES) {
            long due = micros(Instant.now().minus(BEHIND_AT_MOST));
            long every = EVERY.toNanos() / 1_000;
            long last = micros(first) + Math.floorDiv(due - micros(first), every) * every;
            Schedules.Info info = fairlane.schedules().pause(name, "the run is over");
            long fired = info.lastTick().map(Ticking::micros).orElse(0L);
            log.record(new Event.Unscheduled(EventLog.now(), tenant + "/" + name, Math.max(last, fired)));
        }
    }

    private static long micros(Instant at) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, at);
    }
}
