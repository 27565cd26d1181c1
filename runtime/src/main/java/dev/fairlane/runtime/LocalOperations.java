package dev.fairlane.runtime;

import dev.fairlane.core.model.AuditDeed;
import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.TenantId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Brings what is asked of operations to the loop that runs them. */
final class LocalOperations implements Operations {
    private final LocalNode node;
    private final NodeLoop loop;
    private final BulkOperations bulk;

    LocalOperations(LocalNode node, NodeLoop loop, BulkOperations bulk) {
        this.node = node;
        this.loop = loop;
        this.bulk = bulk;
    }

    /**
     * As it begins. Fails with OVERLOADED when as many as may be are under way.
     *
     * @param author who asked for it: it begins when the entry about it is durable; null for nobody to be named
     */
    <C> CompletableFuture<Operation> start(BulkWork<C> work, @Nullable Author author) {
        CompletableFuture<Operation> reply = new CompletableFuture<>();
        node.call(work.scope(), reply, () -> {
            NodeFault refusal = bulk.refusal(work.scope());
            if (refusal != null) {
                reply.completeExceptionally(refusal);
            } else {
                begin(bulk.prepare(work), work, author, reply);
            }
        });
        return reply;
    }

    private void begin(
            BulkOperations.Prepared prepared,
            BulkWork<?> work,
            @Nullable Author author,
            CompletableFuture<Operation> reply) {
        if (author == null) {
            prepared.begin().run();
            reply.complete(prepared.picture());
            return;
        }
        Operation operation = prepared.picture();
        note(operation, action(work.kind()), work.outline(), work.why(), author);
        node.park(reply, () -> {
            prepared.begin().run();
            reply.complete(operation);
        });
    }

    private void note(Operation operation, String action, String summary, String why, @Nullable Author author) {
        TenantId chain = operation.scope() == null ? AuditEntry.SYSTEM : operation.scope();
        loop.note(chain, new AuditDeed(action, "operation/" + operation.id(), summary, why), author);
    }

    /** {@code cancel_open} is {@code jobs.cancel}, {@code purge_dead} is {@code dead.purge}. */
    private static String action(String kind) {
        int end = kind.lastIndexOf('_');
        String what = kind.substring(end + 1);
        return (what.equals("open") ? "jobs" : what) + "." + kind.substring(0, end);
    }

    @Override
    public CompletableFuture<Optional<Operation>> get(@Nullable TenantId scope, String id) {
        return ask(scope, () -> bulk.get(scope, id));
    }

    @Override
    public CompletableFuture<List<Operation>> list(@Nullable TenantId scope) {
        return ask(scope, () -> bulk.list(scope));
    }

    @Override
    public CompletableFuture<Optional<Operation>> cancel(@Nullable TenantId scope, String id, @Nullable Author author) {
        return ask(scope, () -> {
            boolean underWay = bulk.get(scope, id)
                    .filter(operation -> !operation.state().ended())
                    .isPresent();
            Optional<Operation> cancelled = bulk.cancel(scope, id);
            if (underWay) {
                cancelled.ifPresent(operation -> note(operation, "operation.cancel", operation.kind(), "", author));
            }
            return cancelled;
        });
    }

    /** What an operation found may rest on what another did a moment ago: it is told once that is durable. */
    private <T> CompletableFuture<T> ask(@Nullable TenantId scope, Supplier<T> question) {
        CompletableFuture<T> reply = new CompletableFuture<>();
        node.call(scope, reply, () -> {
            T answer = question.get();
            node.park(reply, () -> reply.complete(answer));
        });
        return reply;
    }
}
