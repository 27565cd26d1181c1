package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.sim.seen.Ending;
import dev.fairlane.sim.seen.Request;
import dev.fairlane.sim.seen.Sighting;
import java.util.HashMap;
import java.util.Map;

/** I3: one idempotency key, one job, also after an unknown outcome; another body under the same key is refused. */
public final class OneJobPerKey implements Invariant {
    private final Map<Key, JobId> jobs = new HashMap<>();

    private record Key(TenantId tenant, String key) {}

    @Override
    public void saw(Sighting sighting) {
        if (sighting instanceof Sighting.SubmitAnswered answered) {
            Request request = answered.request();
            if (request.reused()) {
                require(
                        answered.answer() instanceof Answer.Refused refused
                                && refused.refusal().code() == RefusalCode.IDEMPOTENCY_KEY_REUSED,
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
        ending.stored().forEach(this::shown);
    }

    private void shown(JobView job) {
        if (!job.spec().idempotencyKey().isEmpty()) {
            is(
                    new Key(job.spec().tenant(), job.spec().idempotencyKey()),
                    job.spec().id());
        }
    }

    private void is(Key key, JobId id) {
        JobId before = jobs.putIfAbsent(key, id);
        require(before == null || before.equals(id), key + " means job " + before + " and also " + id);
    }
}
