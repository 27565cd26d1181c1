package dev.fairlane.runtime;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.shard.JobSnapshot;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Says how things are with a job: with an open one from memory, with one at its end from wherever it is. Owned by the loop. */
final class Explaining {
    private final LocalNode node;
    private final NodeLoop loop;
    private final Reads reads;

    Explaining(LocalNode node, NodeLoop loop, Reads reads) {
        this.node = node;
        this.loop = loop;
        this.reads = reads;
    }

    void explain(@Nullable TenantId scope, JobId id, CompletableFuture<Optional<Explained>> reply) {
        JobSnapshot job = loop.engine.job(id);
        if (job == null || !job.id().equals(id) || scope != null && !scope.equals(job.tenant())) {
            ended(scope, id, reply);
            return;
        }
        String type = loop.engine.typeOf(id);
        long estimate = type == null
                ? 0
                : loop.engine.pace(job.tenant(), type, loop.now()).estimateMicros();
        Explained explained =
                new Explained(id, job.status().state(), loop.engine.explain(id, loop.now()), estimate, loop.now());
        node.park(reply, () -> reply.complete(Optional.of(explained)));
    }

    private void ended(@Nullable TenantId scope, JobId id, CompletableFuture<Optional<Explained>> reply) {
        CompletableFuture<Optional<JobView>> ended = new CompletableFuture<>();
        reads.get(scope, id, ended);
        ended.thenApply(found ->
                        found.map(view -> new Explained(id, view.status().state(), null, 0, loop.clock.now())))
                .whenComplete((found, fault) -> {
                    if (fault != null) {
                        reply.completeExceptionally(fault);
                    } else {
                        reply.complete(found);
                    }
                });
    }
}
