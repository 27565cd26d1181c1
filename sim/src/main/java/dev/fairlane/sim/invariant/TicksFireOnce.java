package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.ScheduleProgress;
import dev.fairlane.core.model.ScheduleRules.Catchup;
import dev.fairlane.core.model.ScheduleRules.Overlap;
import dev.fairlane.sim.seen.Ending;
import dev.fairlane.sim.seen.ScheduleDeeds;
import dev.fairlane.sim.seen.Sighting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * I5: one firing for a schedule and a tick, none early, every gap explained by what the schedule says of missed ticks and open runs, or by a
 * pause. Once the world has healed for a while, being late explains nothing any more. Runs by hand are no ticks; where jobs are one of a
 * kind, a tick may have been answered with a run that was there.
 */
public final class TicksFireOnce implements Invariant {
    private static final long MICROS = 1_000_000;
    /** As many missed ticks are counted at a time. */
    private static final int MISSED_AT_ONCE = 100;

    private final LongSupplier latestClock;
    private final long settlesWithinMicros;
    /** As they were shown last. */
    private final Map<ScheduleName, Map<JobId, JobView>> runs = new LinkedHashMap<>();

    private final Map<ScheduleName, Map<Long, JobId>> byTick = new HashMap<>();
    private final Set<ScheduleName> triggered = new HashSet<>();
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
            case Sighting.ScheduleTriggering triggering -> triggered.add(triggering.id());
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
        // A run that waits may become that of a later tick.
        boolean unique = !job.spec().terms().uniqueKey().isEmpty();
        long madeAt = unique ? job.status().changedAt() : job.spec().submittedAt();
        require(
                tick <= madeAt && tick <= latestClock.getAsLong(),
                "tick " + tick + " of " + name + " was early: " + job);
        runs.computeIfAbsent(id, _ -> new LinkedHashMap<>()).put(job.spec().id(), job);
        JobId first = byTick.computeIfAbsent(id, _ -> new HashMap<>())
                .putIfAbsent(tick, job.spec().id());
        // Somebody may have asked for a run at this very time; at the end it is known whether.
        require(
                first == null || first.equals(job.spec().id()) || triggered.contains(id),
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
                judge(schedule, ScheduleDeeds.of(schedule.id(), ending.audit()));
            }
        }
        for (ScheduleName id : acked) {
            require(
                    kept.contains(id) || deleted.contains(id),
                    "schedule " + id + " was acked and is not in the store at the end");
        }
    }

    private void judge(Schedule schedule, ScheduleDeeds deeds) {
        ScheduleProgress progress = schedule.progress();
        String said = schedule.id().name() + " " + progress + " of " + schedule.rules();
        List<Long> byHand = new ArrayList<>(deeds.triggers());
        List<JobView> triggeredRuns = new ArrayList<>();
        NavigableMap<Long, JobView> fired = new TreeMap<>();
        for (JobView run : runs.getOrDefault(schedule.id(), Map.of()).values()) {
            if (byHand.remove((Long) tick(run))) {
                triggeredRuns.add(run);
            } else {
                require(fired.put(tick(run), run) == null, said + " fired twice at " + tick(run));
            }
        }
        require(progress.triggered() == deeds.triggers().size(), said + " was triggered at " + deeds.triggers());
        boolean unique = !schedule.job().terms().uniqueKey().isEmpty();
        long shared = progress.fired() - fired.size();
        require(shared == 0 || unique && shared > 0, said + " made " + fired.size() + " jobs");
        long last = fired.isEmpty() ? 0 : fired.lastKey();
        require(progress.lastTick() == last || unique && progress.lastTick() > last, said + " fired last at " + fired);
        require(progress.cursor() >= furthest.getOrDefault(schedule.id(), 0L), said + " went back");
        if (schedule.fromCompletion()) {
            return;
        }
        long left = progress.skipped() + progress.missed() + progress.refused() + (progress.buffered() > 0 ? 1 : 0);
        long counted = left + shared;
        long found = 0;
        long unsure = 0;
        int row = 0;
        int longest = 0;
        long ticks = 0;
        for (long tick = schedule.tickAfter(schedule.createdAt());
                tick <= progress.cursor();
                tick = schedule.tickAfter(tick)) {
            if (fired.containsKey(tick)) {
                require(!deeds.leaveOut(tick), said + " fired at " + tick + ", in a pause");
                ticks++;
                row = 0;
            } else if (deeds.leaveOut(tick)) {
                row = 0;
            } else {
                found++;
                longest = Math.max(longest, ++row);
                boolean waited = deeds.mayLeaveOut(tick, fired.higherKey(tick));
                unsure += waited ? 1 : 0;
                Stream<JobView> before = Stream.concat(fired.headMap(tick).values().stream(), triggeredRuns.stream());
                require(
                        waited || shared > 0 || tick == progress.buffered() || explained(schedule, tick, before),
                        said + " has no run at " + tick + ", and nothing explains it");
            }
        }
        require(ticks == fired.size(), said + " fired at a time that is no tick of it: " + fired.keySet());
        boolean uncounted = schedule.rules().catchup() != Catchup.ALL && longest >= MISSED_AT_ONCE;
        require(
                counted <= found && (counted >= found - unsure || uncounted),
                said + " left out " + found + " ticks, of which " + unsure + " may have waited when it was paused");
    }

    /**
     * Whether a tick may have made no job.
     *
     * @param before runs that may have been open when it was due
     */
    private boolean explained(Schedule schedule, long tick, Stream<JobView> before) {
        boolean missed = schedule.rules().catchup() != Catchup.ALL && tick < strictFrom;
        Overlap overlap = schedule.rules().overlap();
        // One of a kind that cancels the run before waits until that has ended, and meanwhile the next tick may come.
        boolean waits = overlap == Overlap.CANCEL_PREVIOUS
                && !schedule.job().terms().uniqueKey().isEmpty();
        boolean skips = overlap == Overlap.SKIP || overlap == Overlap.BUFFER_ONE || waits;
        long due = schedule.fireAt(tick);
        return missed
                || schedule.progress().refused() > 0
                || skips
                        && before.anyMatch(run ->
                                !run.status().state().terminal() || run.status().changedAt() >= due);
    }
}
