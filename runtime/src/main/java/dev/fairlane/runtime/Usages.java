package dev.fairlane.runtime;

import dev.fairlane.core.model.UsageRow;
import dev.fairlane.journal.Journal;
import dev.fairlane.journal.UsageQuery;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Reads the ledger: the store has it, once all that happened before the question is in rows. */
final class Usages {
    private Usages() {}

    static void read(Journal journal, NodeLoop loop, UsageQuery query, CompletableFuture<List<UsageRow>> reply) {
        loop.flusher.whenFlushed(
                loop.commit.position(),
                () -> journal.usage(query).whenComplete((rows, fault) -> {
                    if (fault != null) {
                        reply.completeExceptionally(
                                new NodeFault(NodeFault.Kind.STORE_UNAVAILABLE, "the store could not be read", fault));
                    } else {
                        reply.complete(rows);
                    }
                }),
                () -> reply.completeExceptionally(
                        new NodeFault(NodeFault.Kind.NOT_SERVING, "the node no longer serves; nothing was read")));
    }
}
