package dev.fairlane.runtime;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.shard.JobSnapshot;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that must get a certain id, unless they have it already. Nobody may decide on such an id while another looks it up or waits to
 * decide on it: the second waits for the first. Owned by the loop.
 */
final class SettledIds {
    private final NodeLoop loop;
    private final Reads reads;
    private final Map<JobId, CompletableFuture<Void>> held = new HashMap<>();

    SettledIds(NodeLoop loop, Reads reads) {
        this.loop = loop;
        this.reads = reads;
    }

    /** Returns false when it is held already, by the same call: then it is released with that. */
    boolean hold(JobId id) {
        return held.putIfAbsent(id, new CompletableFuture<>()) == null;
    }

    void release(JobId id) {
        CompletableFuture<Void> waited = held.remove(id);
        if (waited != null) {
            waited.complete(null);
        }
    }

    /**
     * Finds out which jobs are there; their ids are held until the call is answered.
     *
     * @param ids null where a job may get any
     * @param found hears on the loop the state of each job, null for one that is not there
     */
    void look(
            TenantId tenant,
            @Nullable JobId[] ids,
            CompletableFuture<SubmitReply> reply,
            Consumer<@Nullable JobState[]> found) {
        for (JobId id : ids) {
            CompletableFuture<Void> other = id == null ? null : held.get(id);
            if (other != null) {
                other.whenComplete((_, _) -> loop.inbox.signal(() -> look(tenant, ids, reply, found)));
                return;
            }
        }
        @Nullable JobState[] states = new @Nullable JobState[ids.length];
        CompletableFuture<?>[] trips = new CompletableFuture<?>[ids.length];
        for (int i = 0; i < ids.length; i++) {
            trips[i] = ids[i] == null ? CompletableFuture.completedFuture(null) : state(tenant, ids[i], states, i);
        }
        for (JobId id : ids) {
            if (id != null) {
                hold(id);
            }
        }
        reply.whenComplete((_, _) -> loop.inbox.signal(() -> {
            for (JobId id : ids) {
                if (id != null) {
                    release(id);
                }
            }
        }));
        CompletableFuture.allOf(trips)
                .whenComplete((_, fault) -> loop.inbox.signal(() -> {
                    if (fault != null) {
                        reply.completeExceptionally(new NodeFault(
                                NodeFault.Kind.STORE_UNAVAILABLE,
                                "the store could not be read; nothing was done",
                                fault));
                    } else {
                        found.accept(states);
                    }
                }));
    }

    private CompletableFuture<?> state(TenantId tenant, JobId id, @Nullable JobState[] states, int at) {
        JobSnapshot job = loop.engine.job(id);
        if (job == null) {
            return reads.lastStatus(tenant, id)
                    .thenAccept(status -> states[at] =
                            ((Optional<JobStatus>) status).map(JobStatus::state).orElse(null));
        }
        if (!job.tenant().equals(tenant)) {
            return CompletableFuture.failedFuture(new IllegalStateException("another tenant's job: " + id));
        }
        states[at] = job.status().state();
        return CompletableFuture.completedFuture(null);
    }
}
