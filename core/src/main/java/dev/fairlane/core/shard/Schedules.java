package dev.fairlane.core.shard;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.Notice;
import dev.fairlane.core.model.Refusal;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.ScheduleRules.Catchup;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.time.TimingWheel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The schedules and their one timer each. Hard: the schedules. Made anew from them: next ticks and timers, so that new data of a zone
 * counts from the next start on, for ticks to come. Soft: the pace of making up for missed ticks; a failover costs one tick of it.
 */
final class Schedules {
    /** A tick that could not be dealt with is asked for again after this, at the latest if there was no room for its job. */
    private static final long ASK_AGAIN_MICROS = 1_000_000;

    /** A tenant's ticks that found no room are asked for one after the other, over no more than this, and then once more. */
    private static final long LINE_MICROS = 30_000_000;

    private static final long LINE_STEP_MICROS = 10_000;

    private static final long MINUTE = 60_000_000;

    private final NavigableMap<ScheduleName, Entry> byName = new TreeMap<>();
    private final Map<Long, Entry> byOpenJob = new HashMap<>();
    private final Map<Integer, Use> ofTenant = new HashMap<>();
    private Use ofAll = Use.NONE;
    private final List<@Nullable Entry> slots = new ArrayList<>();
    private final ArrayDeque<Integer> free = new ArrayDeque<>();
    private final TimingWheel wheel = new TimingWheel(this::tenantAt);
    /** Soft. By tenant, when the next of its ticks that found no room is asked for again. */
    private final Map<Integer, Long> lines = new HashMap<>();
    /** Those that have a tick to come, by when it is to be dealt with. */
    private final NavigableSet<Entry> byFireAt =
            new TreeSet<>(Comparator.<Entry>comparingLong(entry -> entry.fireAt).thenComparingInt(entry -> entry.slot));

    /** What a tenant's schedules take. */
    record Use(int count, long bytes) {
        static final Use NONE = new Use(0, 0);

        Use plus(int more, long moreBytes) {
            return new Use(count + more, bytes + moreBytes);
        }
    }

    static final class Entry {
        final int slot;
        Schedule schedule;
        /** Next tick to be dealt with, and when; NEVER when there is none. */
        long tick = Schedule.NEVER;

        long fireAt = Schedule.NEVER;
        /** Soft: missed ticks are not made up for before this. */
        long notBefore;

        Entry(int slot, Schedule schedule) {
            this.slot = slot;
            this.schedule = schedule;
        }
    }

    void apply(Fact.ScheduleSet set) {
        Schedule schedule = set.schedule();
        Entry entry = byName.get(schedule.id());
        if (entry == null) {
            Integer reused = free.poll();
            entry = new Entry(reused == null ? slots.size() : reused, schedule);
            if (reused == null) {
                slots.add(entry);
            } else {
                slots.set(reused, entry);
            }
            byName.put(schedule.id(), entry);
        } else {
            forgetRuns(entry);
            use(entry.schedule, -1);
        }
        entry.schedule = schedule;
        entry.notBefore = 0;
        use(schedule, 1);
        knowRuns(entry);
        arm(entry);
    }

    void apply(Fact.ScheduleMoved moved) {
        Entry entry = known(moved.id());
        forgetRuns(entry);
        Schedule was = entry.schedule;
        entry.schedule = was.with(moved.progress());
        if (moved.progress().fired() > was.progress().fired()) {
            entry.notBefore =
                    moved.progress().changedAt() + MINUTE / was.rules().catchupPerMinute();
        }
        knowRuns(entry);
        arm(entry);
    }

    void apply(Fact.ScheduleGone gone) {
        Entry entry = known(gone.id());
        forgetRuns(entry);
        use(entry.schedule, -1);
        wheel.cancel(entry.slot);
        byFireAt.remove(entry);
        slots.set(entry.slot, null);
        free.push(entry.slot);
        byName.remove(gone.id());
    }

    private Entry known(ScheduleName id) {
        Entry entry = byName.get(id);
        if (entry == null) {
            throw new IllegalStateException("expected a schedule, but there is no " + id);
        }
        return entry;
    }

    private void use(Schedule schedule, int sign) {
        int tenant = schedule.id().tenant().number();
        long bytes = (long) sign * schedule.job().payload().bytes().length;
        Use is = use(tenant).plus(sign, bytes);
        ofAll = ofAll.plus(sign, bytes);
        if (is.count == 0) {
            ofTenant.remove(tenant);
            lines.remove(tenant);
        } else {
            ofTenant.put(tenant, is);
        }
    }

    private void knowRuns(Entry entry) {
        for (JobId job : entry.schedule.progress().open()) {
            byOpenJob.put(job.lo(), entry);
        }
    }

    private void forgetRuns(Entry entry) {
        for (JobId job : entry.schedule.progress().open()) {
            byOpenJob.remove(job.lo(), entry);
        }
    }

    /** Sets the timer to when the schedule has to be looked at next. */
    private void arm(Entry entry) {
        Schedule schedule = entry.schedule;
        boolean paused = schedule.progress().pause() != null;
        byFireAt.remove(entry);
        entry.tick = paused ? Schedule.NEVER : schedule.nextTick();
        entry.fireAt = entry.tick == Schedule.NEVER ? Schedule.NEVER : schedule.fireAt(entry.tick);
        if (entry.fireAt != Schedule.NEVER) {
            byFireAt.add(entry);
        }
        boolean buffered = !paused
                && schedule.progress().buffered() > 0
                && schedule.progress().open().isEmpty();
        if (buffered) {
            wheel.set(entry.slot, 0);
        } else if (entry.tick == Schedule.NEVER) {
            wheel.cancel(entry.slot);
        } else {
            boolean behind = schedule.rules().catchup() == Catchup.ALL
                    && entry.fireAt <= schedule.progress().changedAt();
            wheel.set(entry.slot, behind ? Math.max(entry.fireAt, entry.notBefore) : entry.fireAt);
        }
    }

    // ---- timers

    /** Brings the timers to this time. */
    void advance(long now) {
        wheel.advance(now);
    }

    /** Gives the command of the schedule that is due longest of the tenant whose turn it is; false when none is. */
    boolean giveDue(long now, Consumer<Command> sink) {
        int slot = wheel.poll();
        if (slot == TimingWheel.NONE) {
            return false;
        }
        Entry entry = slots.get(slot);
        if (entry == null) {
            return true;
        }
        wheel.set(slot, now + ASK_AGAIN_MICROS);
        sink.accept(new Command.Tick(entry.schedule.id()));
        return true;
    }

    private int tenantAt(int slot) {
        Entry entry = slots.get(slot);
        return entry == null ? 0 : entry.schedule.id().tenant().number();
    }

    /** The tick is not dealt with; it is asked for again then, unless something happens to the schedule before. Soft. */
    void askAgain(Entry entry, long at) {
        wheel.set(entry.slot, at);
    }

    /**
     * When to ask again for a tick whose job found no room. All ticks of the tenant found none, so they line up: about one for each job
     * that there will be room for. Otherwise a tenant with very many would be refused very often, at everybody's expense.
     */
    long inLine(Entry entry, Refusal refusal, long now) {
        boolean rate = refusal.code() == RefusalCode.RATE_LIMIT;
        long wait = Math.clamp(refusal.retryAfterMicros(), 1_000, ASK_AGAIN_MICROS);
        long step = rate ? wait : Math.min(wait, LINE_STEP_MICROS);
        int tenant = entry.schedule.id().tenant().number();
        long at = Math.max(now + wait, lines.getOrDefault(tenant, 0L));
        if (at > now + LINE_MICROS) {
            at = now + wait;
        }
        lines.put(tenant, at + step);
        return at;
    }

    long nextAt() {
        return wheel.nextAt();
    }

    /** Whether any was due when the timers were brought to a time last, and was not given. */
    boolean hasDue() {
        return wheel.hasDue();
    }

    // ---- reads

    @Nullable Entry find(ScheduleName id) {
        return byName.get(id);
    }

    /** The schedule that waits for the end of this job, or null. */
    @Nullable Entry ofRun(JobId job) {
        Entry entry = byOpenJob.isEmpty() || !DerivedIds.derived(job) ? null : byOpenJob.get(job.lo());
        return entry != null && entry.schedule.progress().open().contains(job) ? entry : null;
    }

    Use use(int tenant) {
        return ofTenant.getOrDefault(tenant, Use.NONE);
    }

    Use useOfAll() {
        return ofAll;
    }

    int size() {
        return byName.size();
    }

    /** Up to {@code max} in order, those of one tenant or all, behind {@code after}. */
    List<Schedule> page(@Nullable TenantId scope, @Nullable ScheduleName after, int max) {
        ScheduleName from = after != null ? after : scope == null ? null : new ScheduleName(scope, "");
        List<Schedule> page = new ArrayList<>();
        for (Entry entry : (from == null ? byName : byName.tailMap(from, false)).values()) {
            if (page.size() == max
                    || scope != null && !entry.schedule.id().tenant().equals(scope)) {
                break;
            }
            page.add(entry.schedule);
        }
        return page;
    }

    /** Age of the oldest tick that is due and not dealt with. */
    long oldestDueMicros(long now) {
        return byFireAt.isEmpty() ? 0 : Math.max(0, now - byFireAt.first().fireAt);
    }

    /** Schedules whose zone is not known any more have no ticks, and people should hear of it. */
    void tellOfZones(Notices notices) {
        for (Entry entry : byName.values()) {
            if (!entry.schedule.rules().time().known()) {
                notices.add(
                        Notice.Kind.ZONE_UNKNOWN,
                        entry.schedule.id().tenant().number(),
                        "",
                        entry.schedule.job().type(),
                        "");
            }
        }
    }

    /** In an order that does not depend on history. */
    List<Schedule> list() {
        return byName.values().stream().map(entry -> entry.schedule).toList();
    }
}
