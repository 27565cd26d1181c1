package dev.fairlane.runtime;

import dev.fairlane.core.model.AuditDeed;
import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.AuditHead;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.AuditQuery;
import dev.fairlane.journal.Journal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The store has the audit, once all that happened before the question is in rows. */
final class LocalAuditTrail implements AuditTrail {
    private final LocalNode node;
    private final NodeLoop loop;
    private final Journal journal;

    LocalAuditTrail(LocalNode node, NodeLoop loop, Journal journal) {
        this.node = node;
        this.loop = loop;
        this.journal = journal;
    }

    @Override
    public CompletableFuture<Void> note(TenantId chain, AuditDeed deed, Author by) {
        CompletableFuture<Void> reply = new CompletableFuture<>();
        node.call(chain, reply, () -> {
            loop.noteOnce(chain, deed, by);
            node.park(reply, () -> reply.complete(null));
        });
        return reply;
    }

    @Override
    public CompletableFuture<Optional<AuditEntry>> eraseReason(TenantId chain, long sequence, Author by) {
        return list(AuditQuery.one(chain, sequence)).thenCompose(found -> {
            AuditEntry entry = found.isEmpty() ? null : found.getFirst();
            if (entry == null || entry.sequence() != sequence) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            if (entry.deed().reason().isEmpty()) {
                return CompletableFuture.completedFuture(Optional.of(entry));
            }
            AuditDeed deed = new AuditDeed("audit.erase", "audit/" + sequence, "reason erased", "");
            return note(chain, deed, by)
                    .thenCompose(noted -> stored(chain, () -> journal.eraseReason(chain, sequence)))
                    .thenApply(erased -> Optional.of(entry.withoutReason()));
        });
    }

    @Override
    public CompletableFuture<List<AuditEntry>> list(AuditQuery query) {
        return stored(query.chain(), () -> journal.audit(query));
    }

    @Override
    public CompletableFuture<List<AuditHead>> heads(@Nullable TenantId chain, int after, int limit) {
        return stored(chain, () -> journal.auditHeads(chain, after, limit));
    }

    private <T> CompletableFuture<T> stored(@Nullable TenantId caller, Supplier<CompletableFuture<T>> reading) {
        CompletableFuture<T> reply = new CompletableFuture<>();
        node.call(
                caller,
                1,
                0,
                reply,
                () -> loop.flusher.whenFlushed(
                        loop.commit.position(),
                        () -> reading.get().whenComplete((found, fault) -> {
                            if (fault != null) {
                                reply.completeExceptionally(new NodeFault(
                                        NodeFault.Kind.STORE_UNAVAILABLE, "the store could not be asked", fault));
                            } else {
                                reply.complete(found);
                            }
                        }),
                        () -> reply.completeExceptionally(new NodeFault(
                                NodeFault.Kind.NOT_SERVING, "the node no longer serves; nothing was read"))));
        return reply;
    }
}
