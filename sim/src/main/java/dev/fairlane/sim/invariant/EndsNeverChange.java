package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.sim.seen.Ending;
import dev.fairlane.sim.seen.Lives;
import dev.fairlane.sim.seen.Sighting;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * I1, second half: a job has one end, whoever tells of it, and a result that was taken is its result. A dead job may come back when
 * somebody asked for it, once for each time he asked; every other end is the last.
 */
public final class EndsNeverChange implements Invariant {
    private static final int UNKNOWN = -1;

    private final Map<JobId, JobState> lastEnds = new HashMap<>();
    private final Map<JobId, Integer> lastLives = new HashMap<>();
    private final Set<JobId> dead = new HashSet<>();
    private final Map<JobId, Integer> asked = new HashMap<>();
    private final Map<TenantId, Integer> askedForAll = new HashMap<>();
    private final Map<JobId, TenantId> owners = new HashMap<>();
    private final Map<JobId, Long> winners = new HashMap<>();

    @Override
    public void saw(Sighting sighting) {
        switch (sighting) {
            case Sighting.ReplayArrived replay -> asked.merge(replay.id(), 1, Integer::sum);
            case Sighting.ReplayAllArrived all -> askedForAll.merge(all.tenant(), 1, Integer::sum);
            case Sighting.CancelAnswered cancel
            when cancel.answer() instanceof Answer.Cancelled cancelled -> {
                boolean over = cancelled.outcome() != Answer.CancelOutcome.CANCEL_REQUESTED;
                require(
                        over == cancelled.state().terminal(),
                        "a cancel of " + cancel.id() + " came to " + cancelled.outcome() + " and state "
                                + cancelled.state());
                told(cancel.id(), cancelled.state(), UNKNOWN);
            }
            case Sighting.SubmitAnswered answered
            when answered.answer() instanceof Answer.Submitted submitted -> {
                owners.put(submitted.id(), answered.request().tenant());
                told(submitted.id(), submitted.state(), UNKNOWN);
            }
            case Sighting.ResultAnswered result
            when result.success() && !result.revoked() -> {
                told(result.lease().id(), JobState.SUCCEEDED, UNKNOWN);
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
        int life = Lives.of(job.status());
        owners.put(id, job.spec().tenant());
        require(
                life <= asked(id),
                "job " + id + " was replayed " + life + " times, but only " + asked(id) + " replays were asked for");
        require(
                life <= lastLives.getOrDefault(id, Integer.MAX_VALUE),
                "job " + id + " was replayed after it had ended as " + lastEnds.get(id));
        told(id, job.status().state(), life);
        if (job.status().state() == JobState.SUCCEEDED) {
            won(id, job.status().token());
            String result = job.result() == null ? "" : new String(job.result().bytes(), StandardCharsets.UTF_8);
            require(
                    result.equals("r" + job.status().token()),
                    "job " + id + " succeeded with token " + job.status().token() + ", but shows result '" + result
                            + "'");
        }
    }

    private int asked(JobId id) {
        TenantId owner = owners.get(id);
        return asked.getOrDefault(id, 0) + (owner == null ? 0 : askedForAll.getOrDefault(owner, 0));
    }

    /** States that are no end are none of our business: an answer may be old when it comes. */
    private void told(JobId id, JobState state, int life) {
        if (!state.terminal()) {
            return;
        }
        boolean mayComeBack = asked(id) > 0;
        if (state == JobState.DEAD) {
            dead.add(id);
            JobState last = lastEnds.get(id);
            boolean earlier = mayComeBack && (life == UNKNOWN || life < lastLives.getOrDefault(id, Integer.MAX_VALUE));
            require(last == null || earlier, "job " + id + " was " + last + " and is now " + state);
            return;
        }
        require(!dead.contains(id) || mayComeBack, "job " + id + " was DEAD and is now " + state);
        JobState before = lastEnds.putIfAbsent(id, state);
        require(before == null || before == state, "job " + id + " was " + before + " and is now " + state);
        if (life != UNKNOWN) {
            int known = lastLives.merge(id, life, (one, other) -> one);
            require(known == life, "job " + id + " ended as " + state + " in life " + known + " and in life " + life);
        }
    }

    private void won(JobId id, long token) {
        Long before = winners.putIfAbsent(id, token);
        require(
                before == null || before == token,
                "job " + id + " succeeded with token " + before + " and also with " + token);
    }
}
