package dev.fairlane.runtime;

import dev.fairlane.core.model.TenantId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Brings what is asked of operations to the loop that runs them. */
final class LocalOperations implements Operations {
    private final LocalNode node;
    private final BulkOperations bulk;

    LocalOperations(LocalNode node, BulkOperations bulk) {
        this.node = node;
        this.bulk = bulk;
    }

    /** As it begins. Fails with OVERLOADED when as many as may be are under way. */
    <C> CompletableFuture<Operation> start(BulkWork<C> work) {
        CompletableFuture<Operation> reply = new CompletableFuture<>();
        node.call(
                1,
                reply,
                () -> bulk.start(work)
                        .ifPresentOrElse(
                                reply::complete,
                                () -> reply.completeExceptionally(new NodeFault(
                                        NodeFault.Kind.OVERLOADED,
                                        "as many operations as may be are under way; nothing was begun"))));
        return reply;
    }

    @Override
    public CompletableFuture<Optional<Operation>> get(@Nullable TenantId scope, String id) {
        return ask(() -> bulk.get(scope, id));
    }

    @Override
    public CompletableFuture<List<Operation>> list(@Nullable TenantId scope) {
        return ask(() -> bulk.list(scope));
    }

    @Override
    public CompletableFuture<Optional<Operation>> cancel(@Nullable TenantId scope, String id) {
        return ask(() -> bulk.cancel(scope, id));
    }

    /** What an operation found may rest on what another did a moment ago: it is told once that is durable. */
    private <T> CompletableFuture<T> ask(Supplier<T> question) {
        CompletableFuture<T> reply = new CompletableFuture<>();
        node.call(1, reply, () -> {
            T answer = question.get();
            node.park(reply, () -> reply.complete(answer));
        });
        return reply;
    }
}
