package dev.fairlane.core.shard;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.KeyFinding;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleProgress;
import dev.fairlane.core.model.ScheduleRules.Catchup;
import dev.fairlane.core.model.ScheduleRules.Overlap;
import dev.fairlane.core.model.TypeRules.During;
import dev.fairlane.core.model.TypeRules.UniqueRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a tick. The job it makes and the schedule's step past it are one decision, so they become true together or not at
 * all: a tick is dealt with once. Jobs come in by the one entrance, as everybody's. Reads only.
 *
 * <pre>
 *   due ─┬─ missed (catchup) ──────────────────────────► counted, cursor moves
 *        ├─ a run is open ─┬─ skip ────────────────────► counted, cursor moves
 *        │                 ├─ buffer_one, or once ─────► cursor moves, the tick waits for the end of the run
 *        │                 ├─ cancel_previous ─┐
 *        │                 └─ allow ───────────┤
 *        └─ ───────────────────────────────────┴─ submit ─┬─ taken ────────► job added, cursor moves
 *                                                         ├─ no room now ──► asked again when there may be
 *                                                         ├─ only beside one that still runs ──► that one is told to end, asked again then
 *                                                         └─ refused ──────► counted with the reason, cursor moves
 * </pre>
 *
 * <p>{@code cancel_previous} and a type with one job of a kind: the runs before that wait end in the step that adds the new one, so they
 * do not keep it out; the job is decided on as if they were gone. What the rule answers then holds: if it is one of those runs itself
 * (one in an hour, and the hour is not over), that one stays.
 */
final class TickDecider {
    private static final int MICROS = 1_000_000;

    /** The end of a run sets its schedule's timer; this is for one whose end was missed, which does not happen. */
    private static final long RUN_ENDS_MICROS = 30_000_000;

    /** Only its cell counts. */
    private static final JobId HERE = JobId.of(0, 0, 0, 0, 0);

    private final ShardState state;
    private final Decider jobs;

    TickDecider(ShardState state, Decider jobs) {
        this.state = state;
        this.jobs = jobs;
    }

    Decision tick(Command.Tick command, long now) {
        Schedules.Entry entry = state.schedules.find(command.id());
        if (entry == null || entry.schedule.progress().pause() != null) {
            return Decision.NOTHING;
        }
        Schedule schedule = entry.schedule;
        ScheduleProgress progress = schedule.progress();
        if (progress.buffered() > 0 && progress.open().isEmpty()) {
            ScheduleProgress.Change change = progress.change().buffered(0);
            return schedule.over()
                    ? moved(schedule, change.skipped(), now)
                    : fire(entry, progress.buffered(), change, command.looked(), now);
        }
        return entry.fireAt > now ? Decision.NOTHING : due(entry, entry.tick, command.looked(), now);
    }

    private Decision due(Schedules.Entry entry, long first, List<KeyFinding> looked, long now) {
        Schedule schedule = entry.schedule;
        ScheduleProgress.Change change = schedule.progress().change();
        if (schedule.once() || schedule.fromCompletion()) {
            return meet(entry, first, change, looked, now);
        }
        Catchup catchup = schedule.rules().catchup();
        if (catchup == Catchup.ALL) {
            long following = schedule.tickAfter(first);
            boolean behind = following != Schedule.NEVER && schedule.fireAt(following) <= now
                    || now - schedule.fireAt(first) > Schedule.GRACE_MICROS;
            if (behind && now < entry.notBefore) {
                return again(entry, entry.notBefore);
            }
            boolean alone = schedule.rules().overlap() != Overlap.ALLOW;
            if (behind && alone && !schedule.progress().open().isEmpty()) {
                return again(entry, now + RUN_ENDS_MICROS);
            }
            return meet(entry, first, change, looked, now);
        }
        DueTicks.Due due = DueTicks.of(schedule, first, now);
        boolean late = now - schedule.fireAt(due.newest()) > Schedule.GRACE_MICROS;
        if (catchup == Catchup.NONE && late) {
            change.cursor(due.newest()).missed(due.count());
            return moved(schedule, change, now);
        }
        return meet(entry, due.newest(), change.missed(due.count() - 1), looked, now);
    }

    /** Nothing is decided yet. Soft. */
    private Decision again(Schedules.Entry entry, long at) {
        state.schedules.askAgain(entry, at);
        return Decision.NOTHING;
    }

    /** The tick comes while there may be open runs. */
    private Decision meet(
            Schedules.Entry entry, long tick, ScheduleProgress.Change change, List<KeyFinding> looked, long now) {
        Schedule schedule = entry.schedule;
        ScheduleProgress progress = schedule.progress();
        change.cursor(tick);
        if (progress.open().isEmpty()) {
            return fire(entry, tick, change, looked, now);
        }
        Overlap overlap = schedule.rules().overlap();
        // the only tick there is would be left out for good, for a run that somebody triggered
        return switch (overlap == Overlap.SKIP && schedule.once() ? Overlap.BUFFER_ONE : overlap) {
            case SKIP -> moved(schedule, change.skipped(), now);
            case BUFFER_ONE -> moved(schedule, progress.buffered() > 0 ? change.skipped() : change.buffered(tick), now);
            case CANCEL_PREVIOUS, ALLOW ->
                progress.open().size() < Schedule.MAX_OPEN_RUNS
                        ? fire(entry, tick, change, looked, now)
                        : again(entry, now + RUN_ENDS_MICROS);
        };
    }

    private static Decision moved(Schedule schedule, ScheduleProgress.Change change, long now) {
        return Decision.of(Answer.Nothing.INSTANCE, new Fact.ScheduleMoved(schedule.id(), change.build(now)));
    }

    private Decision fire(
            Schedules.Entry entry, long tick, ScheduleProgress.Change change, List<KeyFinding> looked, long now) {
        Schedule schedule = entry.schedule;
        boolean cancels = schedule.rules().overlap() == Overlap.CANCEL_PREVIOUS;
        List<JobId> leaving = cancels ? schedule.progress().open() : List.of();
        Decision submit = submit(schedule, tick, leaving, looked, now);
        if (cancels && keptOutByRun(schedule, submit.answer())) {
            List<Fact> asked = cancelled(leaving, List.of(), null, now);
            state.schedules.askAgain(entry, now + RUN_ENDS_MICROS);
            return asked.isEmpty() ? Decision.NOTHING : new Decision(asked, Answer.Nothing.INSTANCE);
        }
        List<Fact> facts = new ArrayList<>();
        switch (submit.answer()) {
            case Answer.Submitted submitted -> {
                facts.addAll(cancelled(leaving, submit.facts(), submitted.id(), now));
                facts.addAll(submit.facts());
                change.fired(tick, submitted.id(), now);
                settle(change, facts, submitted.id(), submitted.existing(), now);
            }
            case Answer.NotInMemory ended -> {
                change.fired(tick, ended.id(), now);
                settle(change, facts, ended.id(), true, now);
            }
            case Answer.Refused refused
            when refused.refusal().code().passes() && refused.refusal().retryAfterMicros() > 0 -> {
                return again(entry, state.schedules.inLine(entry, refused.refusal(), now));
            }
            case Answer.Refused refused -> change.refused(refused.refusal().message(), now);
            case Answer.LookUpKey look -> {
                return Decision.of(look);
            }
            case Answer other -> throw new IllegalStateException("a submit was answered with " + other);
        }
        facts.add(new Fact.ScheduleMoved(schedule.id(), change.build(now)));
        return new Decision(List.copyOf(facts), submit.answer());
    }

    /** Whether only a run before, which a worker still has, keeps the new one out; one of a kind may not run beside it. */
    private boolean keptOutByRun(Schedule schedule, Answer answer) {
        JobType type = state.directory.type(
                schedule.id().tenant().number(), schedule.job().type());
        UniqueRule rule = type == null ? null : type.rules().unique();
        if (rule == null || rule.during() != During.RUNNING) {
            return false;
        }
        return switch (answer) {
            case Answer.Submitted submitted -> submitted.existing() && runs(schedule, submitted.id());
            case Answer.Refused refused ->
                refused.refusal().code() == RefusalCode.UNIQUE_CONFLICT
                        && schedule.progress().open().stream().anyMatch(open -> runs(schedule, open));
            default -> false;
        };
    }

    private boolean runs(Schedule schedule, JobId id) {
        int slot = state.jobs.find(id);
        return slot != ShardState.NONE
                && state.jobs.state(slot).leased()
                && schedule.progress().open().contains(id);
    }

    /**
     * Ends the runs before, or asks their workers to.
     *
     * @param decided what is decided already: no job is ended twice in one step, nor one that was just changed
     * @param stays the run that stands for the new one
     */
    private List<Fact> cancelled(List<JobId> runs, List<Fact> decided, @Nullable JobId stays, long now) {
        List<Fact> facts = new ArrayList<>();
        for (JobId run : runs) {
            boolean met = decided.stream()
                    .anyMatch(fact ->
                            fact instanceof Fact.JobEnded ended && ended.id().equals(run));
            if (!met && !run.equals(stays)) {
                facts.addAll(
                        jobs.cancel(new Command.Cancel(null, run, true), now).facts());
            }
        }
        return facts;
    }

    /** Notes which runs the facts begin and end. @param existing the run is another's job */
    static void settle(ScheduleProgress.Change change, List<Fact> facts, JobId run, boolean existing, long now) {
        if (existing) {
            change.ended(now);
        } else {
            change.opened(run);
        }
        for (Fact fact : facts) {
            if (fact instanceof Fact.JobEnded ended) {
                change.ended(ended.id(), now);
            }
        }
    }

    /**
     * The job of a tick, as anybody's submit.
     *
     * @param leaving runs that end in the same step if they wait
     */
    Decision submit(Schedule schedule, long tick, List<JobId> leaving, List<KeyFinding> looked, long now) {
        JobId id = state.derived.next(HERE, now, 0);
        return jobs.submit(
                new Command.Submit(id, schedule.id().tenant(), job(schedule, tick), 0, looked), leaving, now);
    }

    private static NewJob job(Schedule schedule, long tick) {
        NewJob job = schedule.job();
        Map<String, String> headers = new TreeMap<>(job.headers());
        headers.put(Schedule.NAME_HEADER, schedule.id().name());
        headers.put(Schedule.TICK_HEADER, time(tick));
        Map<String, String> tags = new TreeMap<>(job.tags());
        tags.putIfAbsent(Schedule.TAG, schedule.id().name());
        return new NewJob(
                job.type(),
                job.payload(),
                job.payloadVersion(),
                job.priority(),
                0,
                0,
                0,
                job.maxAttempts(),
                job.timeLimitMicros(),
                "",
                0,
                tags,
                headers,
                job.terms());
    }

    private static String time(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1_000L)
                .toString();
    }

    /** What the schedule of a run that ended comes to, or null: see {@link Aftermath}. */
    @Nullable Fact ended(Fact.JobEnded ended, List<Fact> decided, long now) {
        Schedules.Entry entry = state.schedules.ofRun(ended.id());
        if (entry == null) {
            return null;
        }
        Schedule schedule = entry.schedule;
        for (Fact fact : decided) {
            if (fact instanceof Fact.ScheduleMoved moved && moved.id().equals(schedule.id())) {
                schedule = schedule.with(moved.progress());
            }
        }
        ScheduleProgress becomes = ScheduleDecider.ended(schedule, ended, now);
        return becomes == null ? null : new Fact.ScheduleMoved(schedule.id(), becomes);
    }
}
