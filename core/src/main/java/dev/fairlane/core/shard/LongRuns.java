package dev.fairlane.core.shard;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobMarks;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.outcome.Deed;
import dev.fairlane.core.outcome.Images;

/**
 * What executions that take long may say half-way: here is how far I came, and let another go on. Both count only under the present
 * token, so that a worker that was believed dead cannot move its successor's checkpoint.
 */
final class LongRuns {
    private final ShardState state;
    private final Decider decider;

    LongRuns(ShardState state, Decider decider) {
        this.state = state;
        this.decider = decider;
    }

    /** Which checkpoint counts changes; the job's state does not. */
    Decision checkpoint(Command.Checkpoint checkpoint, long now) {
        int slot = state.jobs.find(checkpoint.id());
        if (slot == ShardState.NONE) {
            return Decider.notInMemory(checkpoint.id());
        }
        if (!decider.current(slot, checkpoint.token())) {
            return Decider.revoked(checkpoint.id());
        }
        JobStatus was = state.jobs.leasedStatus(slot);
        JobMarks marks = was.marks()
                .resumingFrom(new JobMarks.Checkpoint(checkpoint.ref(), checkpoint.bytes(), checkpoint.token(), now));
        Fact changed = new Fact.JobChanged(checkpoint.id(), Images.marked(was, marks, now));
        return Decision.of(new Answer.Applied(checkpoint.id(), checkpoint.token(), was.state()), changed);
    }

    /** Back to the head of its queue, unless it may not start any more; costs no attempt and counts no crash. */
    Decision handOver(Command.HandOver over, long now) {
        int slot = state.jobs.find(over.id());
        if (slot == ShardState.NONE) {
            return Decider.notInMemory(over.id());
        }
        if (!decider.current(slot, over.token())) {
            return Decider.revoked(over.id());
        }
        JobStatus was = state.jobs.leasedStatus(slot);
        if (was.cancelRequested()) {
            Fact ended = decider.end(slot, was, Deed.HAND_OVER, JobState.CANCELLED, was.attempts(), null, null, now);
            return Decision.of(new Answer.Applied(over.id(), over.token(), JobState.CANCELLED), ended);
        }
        Fact back = decider.goBack(slot, was, Deed.HAND_OVER, Images.handedOver(was, now), now);
        return Decision.of(new Answer.Applied(over.id(), over.token(), Decider.stateAfter(back)), back);
    }
}
