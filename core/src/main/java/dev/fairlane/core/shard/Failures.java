package dev.fairlane.core.shard;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Attempt;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.TypeRules;
import dev.fairlane.core.outcome.Deed;
import dev.fairlane.core.outcome.Images;
import dev.fairlane.core.outcome.RetryPolicy;
import dev.fairlane.core.outcome.Verdict;
import dev.fairlane.core.share.Queue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decisions on executions that did not end well, on jobs that are given up, and on types in quarantine. Reads only. */
final class Failures {
    private static final int MAX_ATTEMPT_DETAIL = 1_000;

    private static final Failure CRASH =
            Failure.of(FailureClass.WORKER_CRASH, "the worker was silent for the length of its lease");
    private static final Failure LOST =
            Failure.of(FailureClass.WORKER_CRASH, "the worker connected again without this execution");
    private static final Failure TIMEOUT =
            Failure.of(FailureClass.TIMEOUT, "the execution ran over its time limit and was revoked by the server");
    private static final Failure NO_PROGRESS = Failure.of(
            FailureClass.TIMEOUT,
            "the execution showed no progress for its type's window and was revoked by the server");

    private final ShardState state;
    private final Decider steps;
    private final RetryPolicy retries;

    Failures(ShardState state, Decider steps) {
        this.state = state;
        this.steps = steps;
        this.retries = new RetryPolicy(state.config);
    }

    /** A worker says that the execution of the present lease failed. */
    Decision fail(int slot, Command.Fail fail, long now) {
        return failed(slot, Deed.FAIL, fail.failure(), fail.random(), now, fail.token());
    }

    /**
     * The answer a report got when it was applied, if it is the one that ended the last lease and the job has not been leased since;
     * null otherwise.
     */
    @Nullable Answer repeated(int slot, Command.Fail fail) {
        JobStatus is = state.jobs.status(slot);
        if (is.state().leased() || is.token() != fail.token() || is.attempts().isEmpty()) {
            return null;
        }
        Failure failure = RetryPolicy.classify(fail.failure(), rules(slot));
        Attempt last = is.attempts().getLast();
        boolean same = last.execution() == is.execution()
                && last.failureClass() == failure.failureClass()
                && last.message().equals(failure.message());
        JobState then = last.failureClass() == FailureClass.WORKER_CRASH ? JobState.QUEUED : JobState.RETRY_WAIT;
        return same ? new Answer.Applied(fail.id(), fail.token(), then) : null;
    }

    /** A lease that has ended by itself. */
    Decision expired(int slot, Command.ExpireLease expire, long now) {
        return switch (expire.reason()) {
            case SILENT_WORKER -> failed(slot, Deed.LEASE_LOST, CRASH, 0, now, 0);
            case LOST_BY_WORKER -> failed(slot, Deed.LEASE_LOST, LOST, 0, now, 0);
            case TIME_LIMIT -> failed(slot, Deed.TIME_LIMIT, TIMEOUT, scatter(expire.token()), now, 0);
            case NO_PROGRESS -> failed(slot, Deed.TIME_LIMIT, NO_PROGRESS, scatter(expire.token()), now, 0);
            case CANCEL_GRACE -> {
                JobStatus was = state.jobs.leasedStatus(slot);
                yield Decision.of(
                        Answer.Nothing.INSTANCE,
                        steps.end(slot, was, Deed.CANCEL_GRACE, JobState.CANCELLED, was.attempts(), null, null, now));
            }
        };
    }

    /** A timer brings no random bits; tokens never repeat, so scattered they serve for jitter. */
    private static long scatter(long token) {
        long bits = (token ^ token >>> 31) * 0x9E3779B97F4A7C15L;
        return (bits ^ bits >>> 29) * 0xBF58476D1CE4E5B9L;
    }

    /**
     * One outcome for every execution that did not end well, whoever says so.
     *
     * @param token of the report to answer, 0 if there is nobody to answer
     */
    private Decision failed(int slot, Deed on, Failure said, long random, long now, long token) {
        JobStatus was = state.jobs.leasedStatus(slot);
        JobType type =
                state.directory.type(state.tenant(slot), state.queue(slot).type());
        TypeRules rules = type == null ? TypeRules.NONE : type.rules();
        Failure failure = RetryPolicy.classify(said, rules);
        FailureClass why = failure.failureClass();
        String blamed = why == FailureClass.DEPENDENCY ? failure.dependency() : "";
        JobStatus marked = Images.marked(was, was.marks().blaming(blamed));
        List<Attempt> attempts = RetryPolicy.append(
                was.attempts(),
                new Attempt(
                        was.execution(),
                        was.worker(),
                        was.leasedAt(),
                        now,
                        why,
                        failure.message(),
                        brief(failure.detail())));
        Fact fact;
        if (was.cancelRequested()) {
            fact = steps.end(slot, marked, on, JobState.CANCELLED, attempts, null, failure, now);
        } else {
            boolean quarantined = type != null && type.quarantinedAt() != 0;
            Verdict verdict = retries.judge(
                    was,
                    state.jobs.maxAttempts(slot),
                    failure,
                    rules,
                    quarantined,
                    state.jobs.ageEnd(slot),
                    random,
                    now);
            fact = switch (verdict) {
                case Verdict.RetryAt retry ->
                    steps.change(
                            slot, marked, on, Images.retryWait(marked, retry.dueAt(), retry.counted(), attempts, now));
                case Verdict.Requeue requeue ->
                    steps.goBack(slot, marked, on, Images.requeued(marked, attempts, now), now);
                case Verdict.Dead dead ->
                    steps.end(slot, marked, on, JobState.DEAD, attempts, null, dead(failure, dead), now);
            };
        }
        Answer answer = token == 0
                ? Answer.Nothing.INSTANCE
                : new Answer.Applied(state.jobs.id(slot), token, Decider.stateAfter(fact));
        JobType becomes = type == null || was.cancelRequested() ? null : typeAfter(type, slot, was, why, now);
        return becomes == null ? Decision.of(answer, fact) : Decision.of(answer, fact, new Fact.TypeSet(becomes));
    }

    /** What one more failure of a type makes of it, null if nothing. */
    private @Nullable JobType typeAfter(JobType type, int slot, JobStatus was, FailureClass why, long now) {
        Queue queue = state.queue(slot);
        JobType moved = state.classes.moves(queue, now - was.leasedAt(), why, now);
        if (state.guards.wouldPoison(queue, why, now)) {
            return quarantined(moved == null ? type : moved, now, now);
        }
        return moved;
    }

    private static JobType quarantined(JobType type, long since, long now) {
        return new JobType(
                type.tenant(),
                type.name(),
                type.pool(),
                type.maxAttempts(),
                type.timeLimitMicros(),
                now,
                type.rules(),
                since,
                type.moved());
    }

    /** The failure a job is dead for, where that is more than its last execution's. */
    private static Failure dead(Failure failure, Verdict.Dead dead) {
        if (dead.error().isEmpty()) {
            return failure;
        }
        String why = switch (dead.error()) {
            case RetryPolicy.MAX_AGE_EXCEEDED -> "the job reached its maximum age; its last failure: ";
            case RetryPolicy.TYPE_QUARANTINED ->
                "the type is in quarantine, which leaves two attempts; the last failure: ";
            default -> "";
        };
        return new Failure(
                dead.as() == null ? failure.failureClass() : dead.as(),
                why + failure.message(),
                failure.detail(),
                0,
                failure.dependency(),
                dead.error());
    }

    /** What an attempt keeps of its detail: images are written again with every step, so they stay small. */
    private static String brief(String detail) {
        return detail.length() <= MAX_ATTEMPT_DETAIL ? detail : detail.substring(0, MAX_ATTEMPT_DETAIL);
    }

    private TypeRules rules(int slot) {
        JobType type =
                state.directory.type(state.tenant(slot), state.queue(slot).type());
        return type == null ? TypeRules.NONE : type.rules();
    }

    // ---- giving up

    /** A job that waits for longer than it may. */
    Decision giveUp(Command.GiveUp giveUp, long now) {
        int slot = state.jobs.find(giveUp.id());
        if (slot == ShardState.NONE) {
            return Decision.NOTHING;
        }
        JobState is = state.jobs.state(slot);
        boolean old = state.jobs.ageEnd(slot) <= now;
        boolean postponed = state.guards.giveUpAt(slot) <= now;
        if (is != JobState.QUEUED && is != JobState.RETRY_WAIT || !old && !postponed) {
            return Decision.NOTHING;
        }
        JobStatus was = state.jobs.status(slot);
        Failure failure = old
                ? given(was, RetryPolicy.MAX_AGE_EXCEEDED, "the job reached its maximum age before it ended")
                : given(
                        was,
                        RetryPolicy.RETRY_BUDGET_EXCEEDED,
                        "the tenant's retry budget put the retry off for too long; many jobs of it fail");
        return Decision.of(
                Answer.Nothing.INSTANCE,
                steps.end(slot, was, Deed.GIVE_UP, JobState.DEAD, was.attempts(), null, failure, now));
    }

    private static Failure given(JobStatus was, String error, String message) {
        FailureClass last = was.attempts().isEmpty()
                ? FailureClass.TIMEOUT
                : was.attempts().getLast().failureClass();
        // the class of a crash would count as one more
        FailureClass why = last == FailureClass.WORKER_CRASH ? FailureClass.TIMEOUT : last;
        return new Failure(why, message, "", 0, was.marks().dependency(), error);
    }

    // ---- quarantine

    Decision releaseType(Command.ReleaseType release, long now) {
        TenantId tenant = release.tenant();
        JobType type = state.directory.type(tenant.number(), release.name());
        if (type == null) {
            return Decision.refused(RefusalCode.TYPE_NOT_FOUND, "no job type \"" + release.name() + "\"");
        }
        if (type.quarantinedAt() == 0) {
            return Decision.of(new Answer.TypeIs(type));
        }
        JobType released = quarantined(type, 0, now);
        return Decision.of(new Answer.TypeIs(released), new Fact.TypeSet(released));
    }
}
