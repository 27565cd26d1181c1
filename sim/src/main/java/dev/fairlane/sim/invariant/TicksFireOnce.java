package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.ScheduleProgress;
import dev.fairlane.core.model.ScheduleRules.Catchup;
import dev.fairlane.core.model.ScheduleRules.Overlap;
import dev.fairlane.sim.seen.Ending;
import dev.fairlane.sim.seen.Sighting;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * I5: one firing for a schedule and a tick, none early, every gap explained by what the schedule says of missed ticks and open runs. Once
 * the world has healed for a while, being late explains nothing any more.
 */
public final class TicksFireOnce implements Invariant {
    private static final long MICROS = 1_000_000;
    /** As many missed ticks are counted at a time. */
    private static final int MISSED_AT_ONCE = 100;

    private final LongSupplier latestClock;
    private final long settlesWithinMicros;
    private final Map<ScheduleName, NavigableMap<Long, JobView>> runs = new LinkedHashMap<>();
    private final Map<ScheduleName, Long> furthest = new HashMap<>();
    private final Set<ScheduleName> acked = new LinkedHashSet<>();
    private final Set<ScheduleName> deleted = new HashSet<>();
    private long strictFrom = Long.MAX_VALUE;

    /**
     * @param latestClock what no node's clock can be ahead of now
     * @param settlesWithinMicros after the world has healed, nodes keep time again within this
     */
    public TicksFireOnce(LongSupplier latestClock, long settlesWithinMicros) {
        this.latestClock = latestClock;
        this.settlesWithinMicros = settlesWithinMicros;
    }

    @Override
    public void saw(Sighting sighting) {
        switch (sighting) {
            case Sighting.ScheduleAnswered answered -> {
                acked.add(answered.schedule().id());
                long cursor = answered.schedule().progress().cursor();
                require(
                        answered.schedule().progress().lastTick() <= cursor,
                        "a tick behind the cursor fired: " + answered.schedule());
                furthest.merge(answered.schedule().id(), cursor, Math::max);
            }
            case Sighting.ScheduleDeleting deleting -> deleted.add(deleting.id());
            case Sighting.Healed _ -> strictFrom = latestClock.getAsLong() + settlesWithinMicros;
            default -> {}
        }
        sighting.shown().forEach(this::shown);
    }

    private void shown(JobView job) {
        String name = job.spec().headers().get(Schedule.NAME_HEADER);
        if (name == null) {
            return;
        }
        ScheduleName id = new ScheduleName(job.spec().tenant(), name);
        long tick = tick(job);
        require(
                tick <= job.spec().submittedAt() && tick <= latestClock.getAsLong(),
                "tick " + tick + " of " + name + " was early: " + job);
        JobView before = runs.computeIfAbsent(id, _ -> new TreeMap<>()).put(tick, job);
        JobId first = before == null ? job.spec().id() : before.spec().id();
        require(
                first.equals(job.spec().id()),
                "tick " + tick + " of " + name + " fired twice: " + first + " and "
                        + job.spec().id());
    }

    private static long tick(JobView job) {
        Instant at = Instant.parse(job.spec().headers().getOrDefault(Schedule.TICK_HEADER, ""));
        return at.getEpochSecond() * MICROS + at.getNano() / 1_000;
    }

    @Override
    public void ended(Ending ending) {
        ending.stored().forEach(this::shown);
        Set<ScheduleName> kept = new HashSet<>();
        for (Schedule schedule : ending.schedules()) {
            kept.add(schedule.id());
            if (!deleted.contains(schedule.id())) {
                judge(schedule, runs.getOrDefault(schedule.id(), new TreeMap<>()));
            }
        }
        for (ScheduleName id : acked) {
            require(
                    kept.contains(id) || deleted.contains(id),
                    "schedule " + id + " was acked and is not in the store at the end");
        }
    }

    private void judge(Schedule schedule, NavigableMap<Long, JobView> fired) {
        ScheduleProgress progress = schedule.progress();
        String said = schedule.id().name() + " " + progress + " of " + schedule.rules();
        require(progress.fired() == fired.size(), said + " made " + fired.size() + " jobs");
        require(progress.lastTick() == (fired.isEmpty() ? 0 : fired.lastKey()), said + " fired last at " + fired);
        require(progress.cursor() >= furthest.getOrDefault(schedule.id(), 0L), said + " went back");
        if (schedule.fromCompletion()) {
            return;
        }
        long left = progress.skipped() + progress.missed() + progress.refused() + (progress.buffered() > 0 ? 1 : 0);
        long found = 0;
        int row = 0;
        int longest = 0;
        long ticks = 0;
        for (long tick = schedule.tickAfter(schedule.createdAt());
                tick <= progress.cursor();
                tick = schedule.tickAfter(tick)) {
            if (fired.containsKey(tick)) {
                ticks++;
                row = 0;
            } else {
                found++;
                longest = Math.max(longest, ++row);
                require(
                        tick == progress.buffered() || explained(schedule, tick, fired),
                        said + " has no run at " + tick + ", and nothing explains it");
            }
        }
        require(ticks == fired.size(), said + " fired at a time that is no tick of it: " + fired.keySet());
        boolean uncounted = schedule.rules().catchup() != Catchup.ALL && longest >= MISSED_AT_ONCE;
        require(found == left || uncounted && found > left, said + " left out " + found + " ticks");
    }

    /** Whether a tick may have made no job. */
    private boolean explained(Schedule schedule, long tick, NavigableMap<Long, JobView> fired) {
        boolean missed = schedule.rules().catchup() != Catchup.ALL && tick < strictFrom;
        Overlap overlap = schedule.rules().overlap();
        boolean skips = overlap == Overlap.SKIP || overlap == Overlap.BUFFER_ONE;
        long due = schedule.fireAt(tick);
        return missed
                || schedule.progress().refused() > 0
                || skips
                        && fired.headMap(tick).values().stream()
                                .anyMatch(run -> !run.status().state().terminal()
                                        || run.status().changedAt() >= due);
    }
}
