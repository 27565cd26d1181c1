package dev.fairlane.core.shard;

import dev.fairlane.core.admission.Admission;
import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Answer.ChangeOutcome;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobChange;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobMarks;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.Refusal;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.outcome.Deed;
import dev.fairlane.core.outcome.Images;
import dev.fairlane.core.outcome.JobLife;
import org.jspecify.annotations.Nullable;

/**
 * Changes of waiting jobs by hand. Whatever happens to a job in its line costs the same however long the line is: it leaves, and
 * comes back at the end of the line it is in then. One that changes neither line nor time keeps its place.
 */
final class Revisions {
    private static final int NONE = ShardState.NONE;

    private final ShardState state;

    Revisions(ShardState state) {
        this.state = state;
    }

    Decision revise(Command.Revise revise, long now) {
        JobId id = revise.id();
        int slot = state.jobs.find(id);
        Decision without = withoutChange(slot, id, revise.scope());
        if (without != null) {
            return without;
        }
        int revision = state.jobs.revision(slot);
        if (revise.ifRevision() != Command.ANY_REVISION && revise.ifRevision() != revision) {
            return Decision.refused(
                    RefusalCode.REVISION_CONFLICT,
                    "expected job " + id + " at revision " + revise.ifRevision() + ", but it is at " + revision
                            + "; read it again and repeat the change");
        }
        Refusal refusal = refusal(slot, revise.change(), now);
        if (refusal != null) {
            return Decision.of(new Answer.Refused(refusal));
        }
        JobSpec was = spec(slot, revise.base());
        if (was == null) {
            return Decision.of(new Answer.SpecNeeded(id));
        }
        boolean otherTime = otherTime(slot, revise.change().runAt(), now);
        JobChange change = otherTime ? revise.change() : revise.change().withRunAt(JobChange.KEEP);
        if (!otherTime && !change.matters(was)) {
            return Decision.of(new Answer.Changed(id, ChangeOutcome.OK, state.jobs.state(slot), revision));
        }
        JobSpec becomes = change.of(was, now);
        Fact.JobRevised fact = revised(slot, was, becomes, otherTime, now);
        return Decision.of(
                new Answer.Changed(
                        id,
                        ChangeOutcome.OK,
                        fact.status().state(),
                        becomes.terms().revision()),
                fact);
    }

    /** Whether the job would be due at another time than it is: a retry is due later than its job said. */
    private boolean otherTime(int slot, long runAt, long now) {
        if (runAt == JobChange.KEEP) {
            return false;
        }
        return state.jobs.state(slot) == JobState.QUEUED ? runAt > now : runAt != state.jobs.at(slot);
    }

    /**
     * The job at {@code slot}, which waits, becomes this.
     *
     * @param otherTime it is due when its new spec says so; false leaves it due when it is
     */
    Fact.JobRevised revised(int slot, JobSpec was, JobSpec becomes, boolean otherTime, long now) {
        JobStatus image = state.jobs.status(slot);
        boolean moves = was.priority() != becomes.priority()
                || !was.terms().lane().equals(becomes.terms().lane());
        JobStatus status = image(image, becomes.runAt(), otherTime, moves, now);
        JobLife.require(image.state(), image.cancelRequested(), Deed.CHANGE, status.state());
        return new Fact.JobRevised(becomes, status);
    }

    private static JobStatus image(JobStatus was, long runAt, boolean otherTime, boolean moves, long now) {
        if (otherTime && runAt > now) {
            JobState to = was.state() == JobState.RETRY_WAIT ? JobState.RETRY_WAIT : JobState.SCHEDULED;
            return Images.moved(was, to, runAt, 0, was.marks(), now);
        }
        if (was.state() == JobState.QUEUED) {
            return Images.moved(was, JobState.QUEUED, 0, moves ? now : was.queuedAt(), was.marks(), now);
        }
        return otherTime
                ? Images.moved(was, JobState.QUEUED, 0, now, was.marks(), now)
                : Images.moved(was, was.state(), was.dueAt(), was.queuedAt(), was.marks(), now);
    }

    Decision pause(Command.Pause pause, long now) {
        JobId id = pause.id();
        int slot = state.jobs.find(id);
        Decision without = withoutChange(slot, id, pause.scope());
        if (without != null) {
            return without;
        }
        JobStatus was = state.jobs.status(slot);
        Answer answer = new Answer.Changed(id, ChangeOutcome.OK, was.state(), state.jobs.revision(slot));
        if (was.marks().paused() == pause.paused()) {
            return Decision.of(answer);
        }
        JobLife.require(was.state(), was.cancelRequested(), pause.paused() ? Deed.PAUSE : Deed.RESUME, was.state());
        JobMarks marks = was.marks().pausing(pause.paused());
        long queuedAt = was.state() == JobState.QUEUED && !pause.paused() ? now : was.queuedAt();
        return Decision.of(
                answer, new Fact.JobChanged(id, Images.moved(was, was.state(), was.dueAt(), queuedAt, marks, now)));
    }

    /** What is answered about a job that cannot be changed, or null if it waits. */
    private @Nullable Decision withoutChange(int slot, JobId id, @Nullable TenantId scope) {
        if (slot == NONE) {
            return Decision.of(new Answer.NotInMemory(id));
        }
        if (scope != null && scope.number() != state.tenant(slot)) {
            return Decision.refused(RefusalCode.JOB_NOT_FOUND, "no job " + id);
        }
        JobState is = state.jobs.state(slot);
        return is.waiting()
                ? null
                : Decision.of(new Answer.Changed(id, ChangeOutcome.ALREADY_RUNNING, is, state.jobs.revision(slot)));
    }

    /** What was looked up in the store is of use only if the job did not change meanwhile. */
    private @Nullable JobSpec spec(int slot, @Nullable JobSpec base) {
        JobSpec inMemory = state.jobs.spec(slot);
        if (inMemory != null) {
            return inMemory;
        }
        return base != null && base.terms().revision() == state.jobs.revision(slot) ? base : null;
    }

    private @Nullable Refusal refusal(int slot, JobChange change, long now) {
        if (change.priority() != JobChange.KEEP && (change.priority() < 0 || change.priority() > 9)) {
            return invalid("priority", "0 to 9", change.priority());
        }
        if (change.runAt() < JobChange.KEEP || change.runAt() > now + Admission.MAX_AHEAD_MICROS) {
            return invalid("runAt", "at most ten years ahead", change.runAt());
        }
        long notAfter = change.notAfter() == JobChange.KEEP ? state.jobs.notAfter(slot) : change.notAfter();
        if (notAfter < 0 || change.notAfter() > 0 && notAfter <= now) {
            return invalid("notAfter", "a time in the future", notAfter);
        }
        if (notAfter > 0 && notAfter <= dueAt(slot, change)) {
            return invalid("notAfter", "a time after the job is due", notAfter);
        }
        return change.lane() == null ? null : state.laneNames.refusal(state.tenant(slot), change.lane());
    }

    /** When it would be due; 0 if it is. A time that was fine when it was set and is not touched stays as it is. */
    private long dueAt(int slot, JobChange change) {
        if (change.runAt() != JobChange.KEEP) {
            return change.runAt();
        }
        boolean later = state.jobs.state(slot) == JobState.SCHEDULED && change.notAfter() > 0;
        return later ? state.jobs.at(slot) : 0;
    }

    private static Refusal invalid(String what, String expected, long came) {
        return new Refusal(RefusalCode.INVALID_ARGUMENT, what + ": expected " + expected + ", but got " + came, 0);
    }
}
