package dev.fairlane.server.api;

import dev.fairlane.core.model.JobMarks;
import dev.fairlane.core.model.JobProgress;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.PayloadRef;
import dev.fairlane.protocol.v1.Job;
import dev.fairlane.protocol.v1.JobCheckpoint;

/** What a job shows of a long run. */
final class LongRunMessages {
    private LongRunMessages() {}

    /** Of the bytes, wherever they lie; empty where a list does not know it. */
    static String contentType(Payload payload) {
        return PayloadRef.is(payload)
                ? PayloadRef.of(payload).map(PayloadRef::contentType).orElse("")
                : payload.contentType();
    }

    /** The bytes, or how many there are when they lie elsewhere. */
    static void addPayload(Payload payload, Job.Builder job) {
        PayloadRef ref = PayloadRef.of(payload).orElse(null);
        if (ref == null) {
            job.setPayload(Messages.bytes(payload));
        } else {
            job.setPayloadBytes(ref.size()).setContentType(ref.contentType());
        }
    }

    /** The bytes, or how many there are when they lie elsewhere. */
    static void addResult(Payload result, Job.Builder job) {
        PayloadRef ref = PayloadRef.of(result).orElse(null);
        if (ref == null) {
            job.setResult(Messages.bytes(result)).setResultContentType(result.contentType());
        } else {
            job.setResultBytes(ref.size()).setResultContentType(ref.contentType());
        }
    }

    static void add(JobView view, Job.Builder job) {
        JobProgress progress = view.progress();
        if (progress != null) {
            dev.fairlane.protocol.v1.JobProgress.Builder told = dev.fairlane.protocol.v1.JobProgress.newBuilder()
                    .setMessage(progress.message())
                    .setToldAtMicros(progress.toldAt());
            if (progress.fraction() != JobProgress.UNKNOWN) {
                told.setFraction(progress.fraction());
            }
            job.setProgress(told);
        }
        JobMarks.Checkpoint checkpoint = view.status().marks().checkpoint();
        if (checkpoint != null) {
            job.setCheckpoint(
                    JobCheckpoint.newBuilder().setBytes(checkpoint.bytes()).setSavedAtMicros(checkpoint.savedAt()));
        }
    }
}
