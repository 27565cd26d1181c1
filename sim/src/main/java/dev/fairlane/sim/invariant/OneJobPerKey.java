package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.sim.seen.Ending;
import dev.fairlane.sim.seen.Lives;
import dev.fairlane.sim.seen.Request;
import dev.fairlane.sim.seen.Sighting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * I3: one idempotency key, one job, also after an unknown outcome; another body under the same key is refused. Where keys are
 * forgotten while the world lasts, the next job of a key is submitted no sooner than that, and after the end of the one before.
 */
public final class OneJobPerKey implements Invariant {
    private static final long LONGER_THAN_WORLDS_MICROS = 7_200_000_000L;

    private final Map<Key, JobId> jobs = new HashMap<>();
    private final long retentionMicros;
    private final boolean forgotten;

    private record Key(TenantId tenant, String key) {}

    /** @param retentionMicros how long a key is remembered, at least */
    public OneJobPerKey(long retentionMicros) {
        this.retentionMicros = retentionMicros;
        this.forgotten = retentionMicros < LONGER_THAN_WORLDS_MICROS;
    }

    @Override
    public void saw(Sighting sighting) {
        if (sighting instanceof Sighting.SubmitAnswered answered) {
            Request request = answered.request();
            if (forgotten && (request.reused() || isReuse(answered.answer()))) {
                // Whichever body came first after the key was forgotten has it now.
                return;
            }
            if (request.reused()) {
                require(
                        isReuse(answered.answer()),
                        "another body under the " + request + " was answered " + answered.answer());
            } else {
                require(
                        answered.answer() instanceof Answer.Submitted
                                || answered.answer() instanceof Answer.Refused refused
                                        && request.mayHear(refused.refusal().code()),
                        "submit " + request + " was answered " + answered.answer());
            }
            // Where a unique rule leads to a job that is already there, the key is not kept.
            if (request.keyed()
                    && answered.answer() instanceof Answer.Submitted submitted
                    && !(request.unique() && submitted.existing())) {
                is(new Key(request.tenant(), request.job().idempotencyKey()), submitted.id());
            }
        }
        sighting.shown().forEach(this::shown);
    }

    @Override
    public void ended(Ending ending) {
        if (!forgotten) {
            ending.stored().forEach(this::shown);
            return;
        }
        Map<Key, List<JobView>> byKey = new LinkedHashMap<>();
        for (JobView job : ending.stored()) {
            if (!job.spec().idempotencyKey().isEmpty()) {
                byKey.computeIfAbsent(
                                new Key(job.spec().tenant(), job.spec().idempotencyKey()), key -> new ArrayList<>())
                        .add(job);
            }
        }
        byKey.values()
                .forEach(jobsOfKey -> jobsOfKey.forEach(
                        one -> jobsOfKey.forEach(other -> require(follows(one, other), one + " and " + other))));
    }

    private boolean follows(JobView one, JobView other) {
        long at = other.spec().submittedAt();
        if (one.spec().id().equals(other.spec().id()) || at < one.spec().submittedAt()) {
            return true;
        }
        // One that was brought back may have been dead, or over, in between.
        boolean over = Lives.of(one.status()) > 0
                || one.status().changedAt() <= at && one.status().state() != JobState.DEAD;
        return over && at >= one.spec().submittedAt() + retentionMicros;
    }

    private static boolean isReuse(Answer answer) {
        return answer instanceof Answer.Refused refused
                && refused.refusal().code() == RefusalCode.IDEMPOTENCY_KEY_REUSED;
    }

    private void shown(JobView job) {
        if (!job.spec().idempotencyKey().isEmpty()) {
            is(
                    new Key(job.spec().tenant(), job.spec().idempotencyKey()),
                    job.spec().id());
        }
    }

    private void is(Key key, JobId id) {
        if (forgotten) {
            return;
        }
        JobId before = jobs.putIfAbsent(key, id);
        require(before == null || before.equals(id), key + " means job " + before + " and also " + id);
    }
}
