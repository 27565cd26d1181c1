package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobView;
import dev.fairlane.sim.seen.Ending;
import dev.fairlane.sim.seen.Sighting;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** I1, second half: a job has one end, whoever tells of it, and a result that was taken is its result. */
public final class EndsNeverChange implements Invariant {
    private final Map<JobId, JobState> ends = new HashMap<>();
    private final Map<JobId, Long> winners = new HashMap<>();

    @Override
    public void saw(Sighting sighting) {
        switch (sighting) {
            case Sighting.CancelAnswered cancel
            when cancel.answer() instanceof Answer.Cancelled cancelled -> {
                boolean over = cancelled.outcome() != Answer.CancelOutcome.CANCEL_REQUESTED;
                require(
                        over == cancelled.state().terminal(),
                        "a cancel of " + cancel.id() + " came to " + cancelled.outcome() + " and state "
                                + cancelled.state());
                told(cancel.id(), cancelled.state());
            }
            case Sighting.SubmitAnswered answered
            when answered.answer() instanceof Answer.Submitted submitted -> told(submitted.id(), submitted.state());
            case Sighting.ResultAnswered result
            when result.success() && !result.revoked() -> {
                told(result.lease().id(), JobState.SUCCEEDED);
                won(result.lease().id(), result.lease().token());
            }
            default -> sighting.shown().forEach(this::shown);
        }
    }

    @Override
    public void ended(Ending ending) {
        ending.stored().forEach(this::shown);
    }

    private void shown(JobView job) {
        JobId id = job.spec().id();
        told(id, job.status().state());
        if (job.status().state() == JobState.SUCCEEDED) {
            won(id, job.status().token());
            String result = job.result() == null ? "" : new String(job.result().bytes(), StandardCharsets.UTF_8);
            require(
                    result.equals("r" + job.status().token()),
                    "job " + id + " succeeded with token " + job.status().token() + ", but shows result '" + result
                            + "'");
        }
    }

    /** States that are no end are none of our business: an answer may be old when it comes. */
    private void told(JobId id, JobState state) {
        if (state.terminal()) {
            JobState before = ends.putIfAbsent(id, state);
            require(before == null || before == state, "job " + id + " was " + before + " and is now " + state);
        }
    }

    private void won(JobId id, long token) {
        Long before = winners.putIfAbsent(id, token);
        require(
                before == null || before == token,
                "job " + id + " succeeded with token " + before + " and also with " + token);
    }
}
