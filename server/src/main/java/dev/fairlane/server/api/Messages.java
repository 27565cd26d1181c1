package dev.fairlane.server.api;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.fairlane.core.model.GroupProgress;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobMarks;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.KeyName;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.journal.ApiKeyStore;
import dev.fairlane.protocol.v1.ApiKey;
import dev.fairlane.protocol.v1.Attempt;
import dev.fairlane.protocol.v1.Failure;
import dev.fairlane.protocol.v1.Job;
import dev.fairlane.protocol.v1.JobGroup;
import dev.fairlane.protocol.v1.JobState;
import dev.fairlane.protocol.v1.JobType;
import dev.fairlane.protocol.v1.MovedPool;
import dev.fairlane.protocol.v1.Replay;
import dev.fairlane.runtime.Node;
import dev.fairlane.runtime.TypeState;
import java.util.Locale;

/** From what the node knows to what callers see. */
public final class Messages {
    private static final JobState[] STATES = states();

    private final Node node;

    public Messages(Node node) {
        this.node = node;
    }

    /** Nobody writes into payloads, so they are not copied. */
    public static ByteString bytes(Payload payload) {
        return payload.bytes().length == 0 ? ByteString.EMPTY : UnsafeByteOperations.unsafeWrap(payload.bytes());
    }

    static JobState state(dev.fairlane.core.model.JobState state) {
        return STATES[state.ordinal()];
    }

    /** The whole of a job. */
    Job job(JobView view) {
        Job.Builder job = summary(view);
        LongRunMessages.addPayload(view.spec().payload(), job);
        Payload result = view.result();
        if (result != null) {
            LongRunMessages.addResult(result, job);
        }
        dev.fairlane.core.model.Failure failure = view.failure();
        if (failure != null) {
            job.getFailureBuilder().setDetail(failure.detail());
        }
        for (int i = 0; i < view.status().attempts().size(); i++) {
            job.getAttemptsBuilder(i).setDetail(view.status().attempts().get(i).detail());
        }
        return job.build();
    }

    /** A job as lists show it: without payload, result and the detail of its failure, so that a page stays bounded. */
    Job.Builder summary(JobView view) {
        JobSpec spec = view.spec();
        JobStatus status = view.status();
        Tenant tenant = node.tenant(spec.tenant());
        Job.Builder job = Job.newBuilder()
                .setId(spec.id().toString())
                .setTenant(tenant == null ? "" : tenant.name())
                .setType(spec.type())
                .setPool(spec.pool())
                .setPriority(spec.priority())
                .setState(state(status.state()))
                .setContentType(LongRunMessages.contentType(spec.payload()))
                .setPayloadVersion(spec.payloadVersion())
                .setSubmittedAtMicros(spec.submittedAt())
                .setRunAtMicros(spec.runAt())
                .setNotAfterMicros(spec.notAfter())
                .setAttempt(status.attempt())
                .setMaxAttempts(spec.maxAttempts())
                .setExecution(status.execution())
                .setCrashes(status.crashes())
                .setWorker(status.worker())
                .setLeasedAtMicros(status.leasedAt())
                .setStartedAtMicros(status.startedAt())
                .setDueAtMicros(status.dueAt())
                .setChangedAtMicros(status.changedAt())
                .setEndedAtMicros(status.state().terminal() ? status.changedAt() : 0)
                .setCancelRequested(status.cancelRequested())
                .setIdempotencyKey(KeyName.isGiven(spec.idempotencyKey()) ? spec.idempotencyKey() : "")
                .putAllTags(spec.tags())
                .putAllHeaders(spec.headers())
                .setTimeLimitMs(spec.timeLimitMicros() / 1_000)
                .setLane(spec.terms().lane())
                .setMaxAgeMs(spec.terms().maxAgeMicros() / 1_000)
                .setUniqueKey(spec.terms().uniqueKey())
                .setExact(spec.terms().exact())
                .setWebhook(spec.terms().webhook())
                .setGroup(spec.terms().group())
                .setDegraded(spec.terms().degraded())
                .setRevision(spec.terms().revision())
                .setPaused(status.marks().paused());
        if (!spec.terms().needs().equals(JobNeeds.NONE)) {
            job.setNeeds(NeedsText.needs(spec.terms().needs()));
        }
        LongRunMessages.add(view, job);
        job.setCheckpointMissing(node.missesCheckpoint(view));
        dev.fairlane.core.model.Failure failure = view.failure();
        if (failure != null) {
            job.setFailure(Failure.newBuilder()
                    .setFailureClass(failure.failureClass().name())
                    .setMessage(failure.message())
                    .setDependency(failure.dependency())
                    .setError(failure.error()));
        }
        JobMarks.Replay replay = status.marks().replay();
        if (replay != null) {
            job.setReplay(Replay.newBuilder()
                    .setReplayedAtMicros(replay.replayedAt())
                    .setBy(replay.by())
                    .setWhy(replay.why())
                    .setCount(replay.count()));
        }
        for (dev.fairlane.core.model.Attempt attempt : status.attempts()) {
            job.addAttempts(Attempt.newBuilder()
                    .setExecution(attempt.execution())
                    .setWorker(attempt.worker())
                    .setLeasedAtMicros(attempt.leasedAt())
                    .setEndedAtMicros(attempt.endedAt())
                    .setFailureClass(attempt.failureClass().name())
                    .setMessage(attempt.message()));
        }
        return job;
    }

    JobType type(TypeState state) {
        JobType.Builder type = type(state.type()).toBuilder();
        state.breakers().forEach(breaker -> type.addBreakers(RulesText.breaker(breaker)));
        type.setPace(RulesText.pace(state.type().presentPool(), state.pace()));
        return type.build();
    }

    JobType type(dev.fairlane.core.model.JobType type) {
        Tenant tenant = node.tenant(type.tenant());
        JobType.Builder text = JobType.newBuilder()
                .setTenant(tenant == null ? "" : tenant.name())
                .setName(type.name())
                .setPool(type.pool())
                .setMaxAttempts(type.maxAttempts())
                .setTimeLimitMs(type.timeLimitMicros() / 1_000)
                .setRules(RulesText.rules(type.rules()))
                .setQuarantinedAtMicros(type.quarantinedAt());
        dev.fairlane.core.model.JobType.Moved moved = type.moved();
        if (moved != null) {
            text.setMoved(MovedPool.newBuilder().setPool(moved.pool()).setUntilMicros(moved.until()));
        }
        return text.build();
    }

    static ApiKey key(ApiKeyStore.ApiKey key) {
        return ApiKey.newBuilder()
                .setId(key.id())
                .setName(key.name())
                .setTenant(key.tenant())
                .setRole(key.role())
                .setCreatedAtMicros(key.createdAt())
                .setRevokedAtMicros(key.revokedAt())
                .build();
    }

    private static JobState[] states() {
        dev.fairlane.core.model.JobState[] ours = dev.fairlane.core.model.JobState.values();
        JobState[] theirs = new JobState[ours.length];
        for (dev.fairlane.core.model.JobState state : ours) {
            theirs[state.ordinal()] = JobState.valueOf(state.name());
        }
        return theirs;
    }

    JobGroup group(dev.fairlane.core.model.JobGroup group) {
        GroupProgress progress = group.progress();
        Tenant owner = node.tenant(group.tenant());
        JobSpec callback = group.callback();
        JobId callbackJob = progress.callbackJob();
        return JobGroup.newBuilder()
                .setId(group.id().toString())
                .setTenant(owner == null ? "" : owner.name())
                .setName(group.name())
                .setState(progress.state().name().toLowerCase(Locale.ROOT))
                .setTotal(progress.total())
                .setSucceeded(progress.succeeded())
                .setDead(progress.dead())
                .setCancelled(progress.cancelled())
                .setExpired(progress.expired())
                .setCallbackType(callback == null ? "" : callback.type())
                .setCallbackOn(group.callbackOn().name().toLowerCase(Locale.ROOT))
                .setCallbackJob(callbackJob == null ? "" : callbackJob.toString())
                .setCreatedAtMicros(group.createdAt())
                .setChangedAtMicros(progress.changedAt())
                .setDoneAtMicros(progress.doneAt())
                .build();
    }
}
