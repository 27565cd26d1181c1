package dev.fairlane.core.shard;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Answer.ReplayOutcome;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobMarks;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Refusal;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.outcome.Deed;
import dev.fairlane.core.outcome.Images;
import dev.fairlane.core.outcome.JobLife;

/** Decisions on bringing DEAD jobs back. */
final class Replays {
    private final ShardState state;

    Replays(ShardState state) {
        this.state = state;
    }

    Decision decide(Command.Replay replay, long now) {
        JobSpec spec = replay.spec();
        JobStatus was = replay.status();
        int slot = state.jobs.find(spec.id());
        if (slot != ShardState.NONE) {
            return answer(spec, ReplayOutcome.ALREADY_OPEN, state.jobs.state(slot));
        }
        if (was.state() != JobState.DEAD) {
            return answer(spec, ReplayOutcome.NOT_DEAD, was.state());
        }
        int tenant = spec.tenant().number();
        Tenant owner = state.directory.tenant(tenant);
        if (owner == null) {
            return Decision.refused(RefusalCode.TENANT_NOT_FOUND, "no tenant " + tenant);
        }
        if (spec.notAfter() > 0 && spec.notAfter() <= now) {
            return Decision.refused(
                    RefusalCode.INVALID_ARGUMENT,
                    "expected a job that may still start, but its not_after has passed; submit it as a new job");
        }
        Refusal refusal = state.limits.depth(owner, state.jobs.size(), state.counts.open(tenant));
        if (refusal != null) {
            return Decision.of(new Answer.Refused(refusal));
        }
        JobStatus status = Images.replayed(was, marks(replay, now), now);
        JobLife.require(JobState.DEAD, false, Deed.REPLAY, status.state());
        return Decision.of(
                new Answer.Replayed(spec.id(), ReplayOutcome.REPLAYED, status.state()),
                new Fact.JobReplayed(spec(replay), status));
    }

    /** The body's digest stays that of the first submit: the key still means what was asked then. */
    private static JobSpec spec(Command.Replay replay) {
        Payload edited = replay.payload();
        return edited == null ? replay.spec() : replay.spec().withPayload(edited);
    }

    /** A checkpoint was made of the payload it began with, so it goes when the payload is edited. */
    private static JobMarks marks(Command.Replay replay, long now) {
        JobMarks was = replay.status().marks();
        JobMarks.Replay before = was.replay();
        JobMarks marks = was.replayed(
                new JobMarks.Replay(now, replay.by(), replay.why(), before == null ? 1 : before.count() + 1));
        return replay.payload() == null ? marks : marks.resumingFrom(null);
    }

    private static Decision answer(JobSpec spec, ReplayOutcome outcome, JobState is) {
        return Decision.of(new Answer.Replayed(spec.id(), outcome, is));
    }
}
