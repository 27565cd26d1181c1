package dev.fairlane.core.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is to become different about a waiting job; {@link #KEEP} and null leave a field as it is.
 *
 * @param runAt 0: now
 * @param notAfter 0: never too late
 * @param tags all of them, not only those that change
 */
public record JobChange(
        int priority,
        @Nullable Payload payload,
        int payloadVersion,
        long runAt,
        long notAfter,
        @Nullable String lane,
        @Nullable Map<String, String> tags) {
    public static final int KEEP = -1;
    public static final JobChange NOTHING = new JobChange(KEEP, null, KEEP, KEEP, KEEP, null, null);

    public JobChange withPriority(int other) {
        return new JobChange(other, payload, payloadVersion, runAt, notAfter, lane, tags);
    }

    public JobChange withPayload(Payload other) {
        return new JobChange(priority, other, payloadVersion, runAt, notAfter, lane, tags);
    }

    public JobChange withRunAt(long other) {
        return new JobChange(priority, payload, payloadVersion, other, notAfter, lane, tags);
    }

    public JobChange withNotAfter(long other) {
        return new JobChange(priority, payload, payloadVersion, runAt, other, lane, tags);
    }

    public JobChange inLane(String other) {
        return new JobChange(priority, payload, payloadVersion, runAt, notAfter, other, tags);
    }

    public JobChange withTags(Map<String, String> other) {
        return new JobChange(priority, payload, payloadVersion, runAt, notAfter, lane, other);
    }

    /** Whether it makes a difference. */
    public boolean matters(JobSpec was) {
        return priority != KEEP && priority != was.priority()
                || payload != null && !payload.equals(was.payload())
                || payloadVersion != KEEP && payloadVersion != was.payloadVersion()
                || runAt != KEEP && runAt != was.runAt()
                || notAfter != KEEP && notAfter != was.notAfter()
                || lane != null && !lane.equals(was.terms().lane())
                || tags != null && !tags.equals(was.tags());
    }

    /** The spec with this change made, one revision further. */
    public JobSpec of(JobSpec was, long now) {
        JobTerms terms = lane == null ? was.terms() : was.terms().inLane(lane);
        return new JobSpec(
                was.id(),
                was.tenant(),
                was.type(),
                was.pool(),
                priority == KEEP ? was.priority() : priority,
                payload == null ? was.payload() : payload,
                payloadVersion == KEEP ? was.payloadVersion() : payloadVersion,
                was.submittedAt(),
                runAt == KEEP ? was.runAt() : runAt == 0 ? now : runAt,
                notAfter == KEEP ? was.notAfter() : notAfter,
                was.maxAttempts(),
                was.timeLimitMicros(),
                was.idempotencyKey(),
                was.bodyHash(),
                tags == null ? was.tags() : tags,
                was.headers(),
                terms.revised());
    }
}
