package dev.fairlane.core.shard;

import dev.fairlane.core.admission.Admission;
import dev.fairlane.core.admission.SubmitLimits;
import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Answer.CancelOutcome;
import dev.fairlane.core.model.Attempt;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.KeyName;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Refusal;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.outcome.Deed;
import dev.fairlane.core.outcome.Images;
import dev.fairlane.core.outcome.JobLife;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decisions on commands. Reads state, changes nothing but the submit rates; every step it decides is a row of {@link JobLife}. */
final class Decider {
    private static final int NONE = ShardState.NONE;

    private final ShardState state;
    private final Admission admission;
    private final SubmitLimits limits;
    private final Quotas quotas;
    private final Revisions revisions;
    private final LongRuns longRuns;
    private final Failures failures;
    private final Aftermath aftermath;
    private final Replays replays;
    private final Repeats repeats;
    private final Uniqueness uniqueness;
    private final GroupDecider groups;
    private final ScheduleDecider schedules;
    private final TickDecider ticks;

    Decider(ShardState state) {
        this.state = state;
        this.admission = new Admission(state.config, state.directory);
        this.limits = state.limits;
        this.quotas = new Quotas(state);
        this.revisions = new Revisions(state);
        this.longRuns = new LongRuns(state, this);
        this.failures = new Failures(state, this);
        this.ticks = new TickDecider(state, this);
        this.schedules = new ScheduleDecider(state, admission, ticks);
        this.aftermath = new Aftermath(state, admission, ticks);
        this.replays = new Replays(state);
        KeySearch search = new KeySearch(state);
        this.repeats = new Repeats(search);
        this.uniqueness = new Uniqueness(state, search, this, revisions);
        this.groups = new GroupDecider(state, admission);
    }

    Decision decide(Command command, long now) {
        Decision decision = aftermath.of(decideAlone(command, now), now);
        if (!decision.facts().isEmpty() && decision.answer() instanceof Answer.Submitted) {
            charge(command, now);
        }
        return decision;
    }

    /** The rate is soft state: a submit that is granted is counted here, since its facts do not tell who asked. */
    private void charge(Command command, long now) {
        TenantId tenant = switch (command) {
            case Command.Submit submit -> submit.tenant();
            case Command.Tick tick -> tick.id().tenant();
            case Command.TriggerSchedule trigger -> trigger.id().tenant();
            default -> throw new IllegalStateException("expected a submit, but got " + command);
        };
        Tenant owner = state.directory.tenant(tenant.number());
        if (owner != null) {
            limits.charge(owner, now);
        }
    }

    private Decision decideAlone(Command command, long now) {
        return switch (command) {
            case Command.Submit submit -> submit(submit, now);
            case Command.Cancel cancel -> cancel(cancel, now);
            case Command.Revise revise -> revisions.revise(revise, now);
            case Command.Pause pause -> revisions.pause(pause, now);
            case Command.SetGate set -> state.gates.decide(set, now);
            case Command.Replay replay -> replays.decide(replay, now);
            case Command.Start start -> start(start, now);
            case Command.Complete complete -> complete(complete, now);
            case Command.Fail fail -> fail(fail, now);
            case Command.Checkpoint checkpoint -> longRuns.checkpoint(checkpoint, now);
            case Command.HandOver over -> longRuns.handOver(over, now);
            case Command.Promote promote -> promote(promote.id(), now);
            case Command.ExpireLease expire -> expireLease(expire, now);
            case Command.PassNotAfter pass -> passNotAfter(pass.id(), now);
            case Command.GiveUp giveUp -> failures.giveUp(giveUp, now);
            case Command.ReleaseType release -> failures.releaseType(release, now);
            case Command.ReviewType review -> state.classes.review(review, now);
            case Command.CreateGroup create -> groups.create(create, now);
            case Command.SealGroup seal -> groups.seal(seal, now);
            case Command.Tick tick -> ticks.tick(tick, now);
            case Command.PutSchedule put -> schedules.put(put, now);
            case Command.PauseSchedule pause -> schedules.pause(pause, now);
            case Command.DeleteSchedule delete -> schedules.delete(delete, now);
            case Command.TriggerSchedule trigger -> schedules.trigger(trigger, now);
            case Command.PutTenant put -> admission.putTenant(put, now);
            case Command.PutType put -> admission.putType(put, now);
        };
    }

    // ---- submit

    Decision submit(Command.Submit submit, long now) {
        return submit(submit, List.of(), now);
    }

    /** @param leaving jobs that the caller ends in the same step as far as they wait */
    Decision submit(Command.Submit submit, List<JobId> leaving, long now) {
        TenantId tenant = submit.tenant();
        NewJob job = submit.job();
        Tenant owner = state.directory.tenant(tenant.number());
        if (owner == null) {
            return Decision.refused(RefusalCode.TENANT_NOT_FOUND, "no tenant " + tenant.number());
        }
        Refusal refusal = admission.shape(job, now);
        if (refusal == null) {
            refusal = admission.closed(owner, job.type());
        }
        if (refusal != null) {
            return refused(refusal);
        }
        if (KeyName.isGiven(job.idempotencyKey())) {
            Answer before = repeats.answer(submit, now);
            if (before != null) {
                return Decision.of(before);
            }
        }
        refusal = admission.late(job, now);
        if (refusal == null) {
            refusal = limits.refusal(
                    job,
                    owner,
                    state.jobs.size(),
                    state.counts.open(tenant.number()),
                    state.keys.size(),
                    state.keys.size(tenant.number()),
                    now);
        }
        if (refusal == null) {
            refusal = quotas.refusal(owner, now);
        }
        if (refusal == null) {
            refusal = state.laneNames.refusal(tenant.number(), job.terms().lane());
        }
        if (refusal != null) {
            return refused(refusal);
        }
        JobType type = admission.typeFor(tenant, job.type(), now);
        JobSpec spec = admission.spec(submit.id(), tenant, job, type, submit.random(), now);
        refusal = state.keyLimits.refusal(spec);
        if (refusal != null) {
            return refused(refusal);
        }
        boolean degraded = limits.pressure().degrades(spec.priority(), state.jobs.size());
        if (degraded) {
            spec = spec.withTerms(spec.terms().asDegraded());
        }
        JobStatus status = spec.runAt() > now ? Images.scheduled(spec.runAt(), now) : Images.queued(now, now);
        JobLife.require(null, false, Deed.SUBMIT, status.state());
        Answer answer = new Answer.Submitted(spec.id(), status.state(), false, degraded);
        Fact added = new Fact.JobAdded(spec, status);
        Decision decision = type.changedAt() == now && state.directory.type(tenant.number(), job.type()) == null
                ? Decision.of(answer, new Fact.TypeSet(type), added)
                : Decision.of(answer, added);
        Decision conflict = uniqueness.conflict(submit, type.rules().unique(), spec, decision, leaving, now);
        return conflict == null ? decision : conflict;
    }

    // ---- the owner's wishes

    Decision cancel(Command.Cancel cancel, long now) {
        JobId id = cancel.id();
        int slot = state.jobs.find(id);
        if (slot == NONE) {
            return notInMemory(id);
        }
        if (cancel.scope() != null && cancel.scope().number() != state.tenant(slot)) {
            return Decision.refused(RefusalCode.JOB_NOT_FOUND, "no job " + id);
        }
        JobStatus was = state.jobs.status(slot);
        boolean unreleased = was.state() == JobState.LEASED && !cancel.released() && !was.cancelRequested();
        if (was.state().waiting() || unreleased) {
            Fact ended = end(slot, was, Deed.CANCEL, JobState.CANCELLED, was.attempts(), null, null, now);
            return Decision.of(new Answer.Cancelled(id, CancelOutcome.CANCELLED, JobState.CANCELLED), ended);
        }
        Answer answer = new Answer.Cancelled(id, CancelOutcome.CANCEL_REQUESTED, was.state());
        if (was.cancelRequested()) {
            return Decision.of(answer);
        }
        return Decision.of(answer, change(slot, was, Deed.CANCEL, Images.cancelRequested(was, now)));
    }

    // ---- what workers say

    private Decision start(Command.Start start, long now) {
        int slot = state.jobs.find(start.id());
        if (slot == NONE) {
            return notInMemory(start.id());
        }
        if (!current(slot, start.token())) {
            return revoked(start.id());
        }
        JobStatus was = state.jobs.leasedStatus(slot);
        Answer answer = new Answer.Applied(start.id(), start.token(), JobState.RUNNING);
        if (was.state() == JobState.RUNNING) {
            return Decision.of(answer);
        }
        return Decision.of(answer, change(slot, was, Deed.START, Images.started(was, now)));
    }

    private Decision complete(Command.Complete complete, long now) {
        int slot = state.jobs.find(complete.id());
        if (slot == NONE) {
            return notInMemory(complete.id());
        }
        if (!current(slot, complete.token())) {
            return revoked(complete.id());
        }
        JobStatus was = state.jobs.leasedStatus(slot);
        Fact ended = end(slot, was, Deed.COMPLETE, JobState.SUCCEEDED, was.attempts(), complete.result(), null, now);
        Answer answer = new Answer.Applied(complete.id(), complete.token(), JobState.SUCCEEDED);
        JobType moved = state.classes.moves(state.queue(slot), now - was.leasedAt(), null, now);
        return moved == null ? Decision.of(answer, ended) : Decision.of(answer, ended, new Fact.TypeSet(moved));
    }

    private Decision fail(Command.Fail fail, long now) {
        int slot = state.jobs.find(fail.id());
        if (slot == NONE) {
            return notInMemory(fail.id());
        }
        if (!current(slot, fail.token())) {
            Answer before = failures.repeated(slot, fail);
            return before != null ? Decision.of(before) : revoked(fail.id());
        }
        return failures.fail(slot, fail, now);
    }

    /** The fencing check: is this the newest lease of the job, and does it still run? */
    boolean current(int slot, long token) {
        return state.jobs.state(slot).leased() && state.hold(slot).token() == token;
    }

    // ---- timers

    private Decision promote(JobId id, long now) {
        int slot = state.jobs.find(id);
        if (slot == NONE) {
            return Decision.NOTHING;
        }
        JobState is = state.jobs.state(slot);
        if (is != JobState.SCHEDULED && is != JobState.RETRY_WAIT || state.jobs.at(slot) > now) {
            return Decision.NOTHING;
        }
        JobStatus was = state.jobs.status(slot);
        return Decision.of(Answer.Nothing.INSTANCE, change(slot, was, Deed.DUE, Images.promoted(was, now)));
    }

    private Decision expireLease(Command.ExpireLease expire, long now) {
        int slot = state.jobs.find(expire.id());
        if (slot == NONE || !current(slot, expire.token()) || !state.hold(slot).endedBy(expire.reason(), now)) {
            return Decision.NOTHING;
        }
        return failures.expired(slot, expire, now);
    }

    private Decision passNotAfter(JobId id, long now) {
        int slot = state.jobs.find(id);
        if (slot == NONE || state.jobs.state(slot).leased()) {
            // A worker runs its handler as soon as it has the lease and says so later: what was given in time began in
            // time.
            return Decision.NOTHING;
        }
        if (!late(slot, now)) {
            return Decision.NOTHING;
        }
        JobStatus was = state.jobs.status(slot);
        Fact expired = end(slot, was, Deed.NOT_AFTER, JobState.EXPIRED, was.attempts(), null, null, now);
        return Decision.of(Answer.Nothing.INSTANCE, expired);
    }

    private boolean late(int slot, long now) {
        long notAfter = state.jobs.notAfter(slot);
        return notAfter > 0 && now > notAfter;
    }

    // ---- steps

    /** A job that nobody has any more goes back into its line, unless it may not start any more: then it expires. */
    Fact goBack(int slot, JobStatus was, Deed on, JobStatus waiting, long now) {
        if (!late(slot, now)) {
            return change(slot, was, on, waiting);
        }
        JobLife.require(was.state(), was.cancelRequested(), on, JobState.EXPIRED);
        JobStatus expired = Images.ended(waiting, JobState.EXPIRED, waiting.crashes(), waiting.attempts(), now);
        return new Fact.JobEnded(state.jobs.id(slot), expired, null, null, state.jobs.spec(slot));
    }

    Fact change(int slot, JobStatus was, Deed on, JobStatus becomes) {
        JobLife.require(was.state(), was.cancelRequested(), on, becomes.state());
        return new Fact.JobChanged(state.jobs.id(slot), becomes);
    }

    Fact end(
            int slot,
            JobStatus was,
            Deed on,
            JobState to,
            List<Attempt> attempts,
            @Nullable Payload result,
            @Nullable Failure failure,
            long now) {
        JobLife.require(was.state(), was.cancelRequested(), on, to);
        int crashes = failure != null && failure.failureClass() == FailureClass.WORKER_CRASH
                ? was.crashes() + 1
                : was.crashes();
        JobStatus ended = Images.ended(was, to, crashes, attempts, now);
        return new Fact.JobEnded(state.jobs.id(slot), ended, result, failure, state.jobs.spec(slot));
    }

    static JobState stateAfter(Fact fact) {
        return switch (fact) {
            case Fact.JobChanged changed -> changed.status().state();
            case Fact.JobEnded ended -> ended.status().state();
            default -> throw new IllegalStateException("expected a step of a job, but got " + fact);
        };
    }

    static Decision notInMemory(JobId id) {
        return Decision.of(new Answer.NotInMemory(id));
    }

    static Decision revoked(JobId id) {
        return Decision.of(revokedAnswer(id));
    }

    private static Answer revokedAnswer(JobId id) {
        return Answer.Refused.of(
                RefusalCode.LEASE_REVOKED,
                "expected the token of the present lease of job " + id
                        + ", but got another; stop this execution, its result is not wanted");
    }

    private static Decision refused(Refusal refusal) {
        return Decision.of(new Answer.Refused(refusal));
    }
}
