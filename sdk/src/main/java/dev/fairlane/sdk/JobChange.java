package dev.fairlane.sdk;

import dev.fairlane.protocol.v1.UpdateJobRequest;
import dev.fairlane.sdk.internal.Codec;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What is to be different about a job that waits; what is not named stays as it is. Immutable: every method returns a copy.
 *
 * <pre>{@code
 * JobInfo seen = handle.get();
 * handle.change(JobChange.of().priority(1).lane("urgent").ifRevision(seen.revision()));
 * }</pre>
 */
public final class JobChange {
    private static final JobChange NOTHING = new JobChange(UpdateJobRequest.getDefaultInstance(), null);

    private final UpdateJobRequest request;
    private final @Nullable Object payload;

    private JobChange(UpdateJobRequest request, @Nullable Object payload) {
        this.request = request;
        this.payload = payload;
    }

    /** What became of a change, a pause or a resume. */
    public enum Outcome {
        OK,
        /** A worker has it by now: it stays as it is. */
        ALREADY_RUNNING,
        /** It is at its end. */
        ALREADY_DONE
    }

    /**
     * @param state the job's state after it
     * @param revision the job's revision after it; empty when it is at its end
     */
    public record Result(Outcome outcome, JobState state, OptionalInt revision) {}

    /** Nothing yet. */
    public static JobChange of() {
        return NOTHING;
    }

    /** 0 (most urgent) to 9. */
    public JobChange priority(int priority) {
        UpdateJobRequest.Builder next = request.toBuilder();
        next.getChangeBuilder().setPriority(priority);
        return new JobChange(next.build(), payload);
    }

    /** Another payload, as in {@link Job#of(String, Object)}; at most 256 KiB. */
    public JobChange payload(Object other) {
        return new JobChange(request, other);
    }

    /** Which shape the payload has. */
    public JobChange payloadVersion(int version) {
        UpdateJobRequest.Builder next = request.toBuilder();
        next.getChangeBuilder().setPayloadVersion(version);
        return new JobChange(next.build(), payload);
    }

    /** Not before this; in the past: at once. */
    public JobChange runAt(Instant time) {
        UpdateJobRequest.Builder next = request.toBuilder();
        next.getChangeBuilder().setRunAtMicros(ChronoUnit.MICROS.between(Instant.EPOCH, time));
        return new JobChange(next.build(), payload);
    }

    /** Not worth starting after this; null: always worth it. */
    public JobChange notAfter(@Nullable Instant time) {
        UpdateJobRequest.Builder next = request.toBuilder();
        if (time == null) {
            next.getChangeBuilder().clearNotAfterMicros().setClearNotAfter(true);
        } else {
            next.getChangeBuilder()
                    .setClearNotAfter(false)
                    .setNotAfterMicros(ChronoUnit.MICROS.between(Instant.EPOCH, time));
        }
        return new JobChange(next.build(), payload);
    }

    /** The job goes to the end of this lane. */
    public JobChange lane(String lane) {
        UpdateJobRequest.Builder next = request.toBuilder();
        next.getChangeBuilder().setLane(lane);
        return new JobChange(next.build(), payload);
    }

    /** All tags the job is to have; an empty map for none. */
    public JobChange tags(Map<String, String> tags) {
        UpdateJobRequest.Builder next = request.toBuilder();
        next.getChangeBuilder().clearTags().putAllTags(tags).setClearTags(tags.isEmpty());
        return new JobChange(next.build(), payload);
    }

    /** Only if the job is at this {@linkplain JobInfo#revision() revision}; else {@link FairlaneException.Conflict}. */
    public JobChange ifRevision(int revision) {
        return new JobChange(request.toBuilder().setIfRevision(revision).build(), payload);
    }

    /** @throws IllegalArgumentException if it names what cannot be the same for many jobs */
    dev.fairlane.protocol.v1.JobChange ofMany() {
        if (payload != null || request.hasIfRevision()) {
            throw new IllegalArgumentException("expected neither a payload nor a revision for many jobs");
        }
        return request.getChange();
    }

    UpdateJobRequest request(String id, Codec codec) {
        UpdateJobRequest.Builder asked = request.toBuilder().setId(id);
        if (payload != null) {
            Codec.Encoded body = codec.encode(payload);
            asked.getChangeBuilder().setPayload(body.bytes()).setContentType(body.contentType());
        }
        return asked.build();
    }
}
