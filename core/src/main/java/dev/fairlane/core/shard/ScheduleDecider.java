package dev.fairlane.core.shard;

import dev.fairlane.core.admission.Admission;
import dev.fairlane.core.admission.SharedBound;
import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Answer.ScheduleOutcome;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Refusal;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.ScheduleProgress;
import dev.fairlane.core.model.ScheduleRules;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TimeRule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What people want of schedules; what the clock wants of them is {@link TickDecider}. Reads only. */
final class ScheduleDecider {
    private static final long RETRY_AFTER_MICROS = 1_000_000;

    private final ShardState state;
    private final Admission admission;
    private final TickDecider ticks;

    ScheduleDecider(ShardState state, Admission admission, TickDecider ticks) {
        this.state = state;
        this.admission = admission;
        this.ticks = ticks;
    }

    Decision put(Command.PutSchedule put, long now) {
        Tenant owner = state.directory.tenant(put.id().tenant().number());
        if (owner == null) {
            return Decision.refused(
                    RefusalCode.TENANT_NOT_FOUND,
                    "no tenant " + put.id().tenant().number());
        }
        Refusal refusal = refusal(put, owner, now);
        if (refusal != null) {
            return Decision.of(new Answer.Refused(refusal));
        }
        Schedules.Entry known = state.schedules.find(put.id());
        Schedule before = known == null ? null : known.schedule;
        if (before != null && before.rules().equals(put.rules()) && before.job().equals(put.job())) {
            return Decision.of(new Answer.ScheduleIs(before, before, ScheduleOutcome.UNCHANGED));
        }
        Schedule becomes = before == null
                ? Schedule.made(put.id(), put.rules(), put.job(), now)
                : before.revised(put.rules(), put.job(), now);
        boolean ticked =
                before == null || !before.rules().time().equals(put.rules().time());
        if (ticked
                && becomes.nextTick() == Schedule.NEVER
                && becomes.progress().open().isEmpty()) {
            return Decision.refused(
                    RefusalCode.INVALID_ARGUMENT,
                    "expected a rule with a tick to come, but there is none within fifty years and its start and end");
        }
        Answer answer = new Answer.ScheduleIs(
                becomes, before, before == null ? ScheduleOutcome.CREATED : ScheduleOutcome.CHANGED);
        return put.dryRun() ? Decision.of(answer) : Decision.of(answer, new Fact.ScheduleSet(becomes));
    }

    private @Nullable Refusal refusal(Command.PutSchedule put, Tenant owner, long now) {
        if (put.id().name().isEmpty() || put.id().name().length() > Admission.MAX_NAME) {
            return invalid("name: expected 1 to " + Admission.MAX_NAME + " characters");
        }
        Refusal refusal = rules(put.rules());
        if (refusal == null) {
            refusal = template(put.job());
        }
        if (refusal == null) {
            refusal = admission.shape(put.job(), now);
        }
        if (refusal == null) {
            refusal = admission.closed(owner, put.job().type());
        }
        return refusal == null ? room(put) : refusal;
    }

    private static @Nullable Refusal rules(ScheduleRules rules) {
        if (rules.time() instanceof TimeRule.Every every
                && (every.micros() < ScheduleRules.MIN_EVERY || every.micros() > ScheduleRules.MAX_EVERY)) {
            return invalid("every: expected a second to 366 days");
        }
        if (rules.jitterMicros() < ScheduleRules.USUAL_JITTER || rules.jitterMicros() > ScheduleRules.MAX_JITTER) {
            return invalid("jitter: expected at most a minute");
        }
        if (rules.catchupPerMinute() < 1 || rules.catchupPerMinute() > ScheduleRules.MAX_CATCHUP_PER_MINUTE) {
            return invalid("catchup_per_minute: expected 1 to " + ScheduleRules.MAX_CATCHUP_PER_MINUTE);
        }
        if (rules.startAt() < 0 || rules.endAt() < 0 || rules.endAt() > 0 && rules.endAt() < rules.startAt()) {
            return invalid("end: expected a time after start");
        }
        return rules.maxRuns() < 0 ? invalid("max_runs: expected 0 or more") : null;
    }

    /** A tick says when, and is a job of its own. */
    private static @Nullable Refusal template(NewJob job) {
        boolean timed = job.runAt() > 0 || job.delayMicros() > 0 || job.notAfter() > 0;
        boolean tied = !job.idempotencyKey().isEmpty() || !job.terms().group().isEmpty();
        return timed || tied
                ? invalid("job: expected a job without time, idempotency key and group, since every tick submits one")
                : null;
    }

    private @Nullable Refusal room(Command.PutSchedule put) {
        Schedules.Use use = state.schedules.use(put.id().tenant().number());
        Schedules.Entry known = state.schedules.find(put.id());
        if (known == null && use.count() >= Schedule.MAX_PER_TENANT) {
            return new Refusal(
                    RefusalCode.SCHEDULE_LIMIT,
                    "expected at most " + Schedule.MAX_PER_TENANT + " schedules; delete some that are not needed",
                    0,
                    Schedule.MAX_PER_TENANT,
                    use.count());
        }
        long freed = known == null ? 0 : known.schedule.job().payload().bytes().length;
        long bytes = use.bytes() - freed + put.job().payload().bytes().length;
        if (bytes > Schedule.MAX_BYTES_PER_TENANT) {
            return new Refusal(
                    RefusalCode.SCHEDULE_LIMIT,
                    "expected at most " + Schedule.MAX_BYTES_PER_TENANT
                            + " bytes of payloads in the schedules of a tenant; let jobs look up what is large",
                    0,
                    Schedule.MAX_BYTES_PER_TENANT,
                    bytes);
        }
        return nodeRoom(use, known == null ? 1 : 0, bytes - use.bytes());
    }

    /** Why the node has no room for more schedules or longer ones, or null. Open jobs do not count: a schedule is none. */
    private @Nullable Refusal nodeRoom(Schedules.Use own, int more, long moreBytes) {
        if (more == 0 && moreBytes <= 0) {
            return null;
        }
        Refusal pressure = state.limits.pressure().refusal(0);
        if (pressure != null) {
            return pressure;
        }
        Schedules.Use all = state.schedules.useOfAll();
        SharedBound.Full full = SharedBound.full(Schedule.MAX, all.count(), own.count(), more);
        String what = "schedules";
        if (full == null) {
            full = SharedBound.full(Schedule.MAX_BYTES, all.bytes(), own.bytes(), moreBytes);
            what = "bytes of payloads in schedules";
        }
        return full == null
                ? null
                : new Refusal(
                        RefusalCode.NODE_FULL,
                        "expected at most " + full.limit() + " " + what
                                + (full.own() ? " of one tenant beside those of others" : " of all tenants")
                                + "; delete some that are not needed",
                        RETRY_AFTER_MICROS,
                        full.limit(),
                        full.present());
    }

    Decision pause(Command.PauseSchedule pause, long now) {
        Schedules.Entry entry = state.schedules.find(pause.id());
        if (entry == null) {
            return notFound(pause.id());
        }
        Schedule was = entry.schedule;
        boolean paused = was.progress().pause() != null;
        if (paused == pause.paused()) {
            return Decision.of(new Answer.ScheduleIs(was, was, ScheduleOutcome.UNCHANGED));
        }
        ScheduleProgress becomes;
        if (pause.paused()) {
            becomes = was.progress().paused(new ScheduleProgress.Pause(pause.by(), pause.why(), now), now);
        } else {
            ScheduleProgress resumed = was.progress().paused(null, now);
            becomes = was.once() ? resumed : resumed(resumed, now);
        }
        return Decision.of(
                new Answer.ScheduleIs(was.with(becomes), was, ScheduleOutcome.CHANGED),
                new Fact.ScheduleMoved(was.id(), becomes));
    }

    /** Ticks of the pause are left out; so is one that waited for its run since before, unless that was a moment ago. */
    private static ScheduleProgress resumed(ScheduleProgress was, long now) {
        ScheduleProgress.Change change = was.change().cursor(now);
        if (was.buffered() > 0 && now - was.buffered() > Schedule.GRACE_MICROS) {
            change.buffered(0).skipped();
        }
        return change.build(now);
    }

    Decision delete(Command.DeleteSchedule delete, long now) {
        Schedules.Entry entry = state.schedules.find(delete.id());
        if (entry == null) {
            return notFound(delete.id());
        }
        return Decision.of(
                new Answer.ScheduleIs(entry.schedule, entry.schedule, ScheduleOutcome.DELETED),
                new Fact.ScheduleGone(delete.id(), now));
    }

    Decision trigger(Command.TriggerSchedule trigger, long now) {
        Schedules.Entry entry = state.schedules.find(trigger.id());
        if (entry == null) {
            return notFound(trigger.id());
        }
        Schedule schedule = entry.schedule;
        if (schedule.progress().open().size() >= Schedule.MAX_OPEN_RUNS) {
            return Decision.of(new Answer.Refused(new Refusal(
                    RefusalCode.DEPTH_LIMIT,
                    "expected fewer than " + Schedule.MAX_OPEN_RUNS + " open runs of a schedule; wait until some end",
                    RETRY_AFTER_MICROS,
                    Schedule.MAX_OPEN_RUNS,
                    schedule.progress().open().size())));
        }
        Decision submit = ticks.submit(schedule, now, List.of(), trigger.looked(), now);
        if (!(submit.answer() instanceof Answer.Submitted submitted)) {
            return submit;
        }
        List<Fact> facts = new ArrayList<>(submit.facts());
        ScheduleProgress.Change change = schedule.progress().change().triggered(submitted.id(), now);
        TickDecider.settle(change, facts, submitted.id(), submitted.existing(), now);
        facts.add(new Fact.ScheduleMoved(schedule.id(), change.build(now)));
        return new Decision(List.copyOf(facts), submitted);
    }

    private static Decision notFound(ScheduleName id) {
        return Decision.refused(RefusalCode.SCHEDULE_NOT_FOUND, "there is no schedule " + id.name());
    }

    private static Refusal invalid(String message) {
        return new Refusal(RefusalCode.INVALID_ARGUMENT, message, 0);
    }

    /** A run is at its end: its schedule has one less to wait for, and may be paused by it. */
    static @Nullable ScheduleProgress ended(Schedule schedule, Fact.JobEnded ended, long now) {
        JobId id = ended.id();
        if (!schedule.progress().open().contains(id)) {
            return null;
        }
        ScheduleProgress.Change change = schedule.progress().change().ended(id, now);
        boolean failed = ended.status().state() == dev.fairlane.core.model.JobState.DEAD;
        if (failed && schedule.rules().pauseOnFailure() && schedule.progress().pause() == null) {
            change.pause(new ScheduleProgress.Pause("", "its run " + id + " ended DEAD", now));
        }
        return change.build(now);
    }
}
