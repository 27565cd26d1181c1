package dev.fairlane.runtime;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobProgress;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.shard.Engine;
import dev.fairlane.core.shard.JobSnapshot;
import dev.fairlane.journal.Journal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Finds a job wherever it is: in memory, among what ended and is not yet in rows, in the store. What is read in memory is told
 * only when it is durable. Owned by the loop.
 */
final class Reads {
    private final Engine engine;
    private final Projection projection;
    private final GroupCommit commit;
    private final ProgressBoard progress;
    private final Journal journal;
    private final boolean parked;

    Reads(NodeLoop loop, Journal journal, Set<Sabotage> sabotage) {
        this.engine = loop.engine;
        this.projection = loop.projection;
        this.commit = loop.commit;
        this.progress = loop.progress;
        this.journal = journal;
        this.parked = !sabotage.contains(Sabotage.READ_UNCOMMITTED);
    }

    void get(@Nullable TenantId scope, JobId id, CompletableFuture<Optional<JobView>> reply) {
        JobSnapshot job = engine.job(id);
        afterDurable(
                () -> {
                    if (job != null && job.id().equals(id)) {
                        inMemory(scope, job, reply);
                    } else {
                        notInMemory(scope, id, reply);
                    }
                },
                reply);
    }

    private void inMemory(@Nullable TenantId scope, JobSnapshot job, CompletableFuture<Optional<JobView>> reply) {
        JobProgress told = progress.of(job.id(), job.status());
        if (scope != null && !scope.equals(job.tenant())) {
            reply.complete(Optional.empty());
        } else if (job.spec() != null) {
            reply.complete(Optional.of(new JobView(job.spec(), job.status(), null, null, told)));
        } else {
            journal.specs(List.of(projection.stored().home(job.id(), job.tenant())))
                    .whenComplete((specs, fault) -> {
                        JobSpec spec = specs == null ? null : specs.get(job.id());
                        if (spec != null) {
                            reply.complete(Optional.of(new JobView(spec, job.status(), null, null, told)));
                        } else if (fault != null) {
                            reply.completeExceptionally(unavailable(fault));
                        } else {
                            // It ended and was compacted away between our look and the store's.
                            stored(scope, job.id(), null, reply);
                        }
                    });
        }
    }

    private void notInMemory(@Nullable TenantId scope, JobId id, CompletableFuture<Optional<JobView>> reply) {
        Projection.Change ended = projection.ended(id);
        if (ended == null || !ended.id.equals(id)) {
            stored(scope, id, null, reply);
        } else if (ended.spec == null) {
            stored(scope, id, ended, reply);
        } else if (scope != null && !scope.equals(ended.spec.tenant())) {
            reply.complete(Optional.empty());
        } else {
            reply.complete(Optional.of(new JobView(ended.spec, ended.status, ended.result, ended.failure)));
        }
    }

    private void stored(
            @Nullable TenantId scope,
            JobId id,
            Projection.@Nullable Change newer,
            CompletableFuture<Optional<JobView>> reply) {
        journal.find(scope, id).whenComplete((found, fault) -> {
            if (fault != null) {
                reply.completeExceptionally(unavailable(fault));
            } else if (newer == null) {
                reply.complete(found);
            } else {
                reply.complete(found.map(view -> new JobView(view.spec(), newer.status, newer.result, newer.failure)));
            }
        });
    }

    /** The last image of a job that is not in memory, for repeated results. Completes anywhere. */
    CompletableFuture<Optional<JobStatus>> lastStatus(@Nullable TenantId scope, JobId id) {
        CompletableFuture<Optional<JobStatus>> reply = new CompletableFuture<>();
        afterDurable(
                () -> {
                    Projection.Change ended = projection.ended(id);
                    JobSpec spec = ended == null ? null : ended.spec;
                    if (ended != null && (scope == null || spec != null)) {
                        boolean visible =
                                scope == null || spec == null || spec.tenant().equals(scope);
                        reply.complete(visible ? Optional.of(ended.status) : Optional.empty());
                        return;
                    }
                    // Whose job it is may be known to the store alone, and how it ended not yet.
                    JobStatus end = ended == null ? null : ended.status;
                    journal.find(scope, id).whenComplete((found, fault) -> {
                        if (fault != null) {
                            reply.completeExceptionally(unavailable(fault));
                        } else {
                            reply.complete(found.map(view -> end == null ? view.status() : end));
                        }
                    });
                },
                reply);
        return reply;
    }

    private void afterDurable(Runnable read, CompletableFuture<?> reply) {
        if (parked) {
            commit.afterDurable(new Parked(read, reply));
        } else {
            read.run();
        }
    }

    private static NodeFault unavailable(Throwable fault) {
        return new NodeFault(
                NodeFault.Kind.STORE_UNAVAILABLE, "the store could not be read: " + fault.getMessage(), fault);
    }
}
