package dev.fairlane.runtime;

import dev.fairlane.core.model.AuditDeed;
import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.AuditHead;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.AuditQuery;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The audit of a node: who changed what. The rules of {@link Node} hold. */
public interface AuditTrail {

    /**
     * Writes down a change of what the node does not keep itself, before it is made: a crash in between leaves an entry about something
     * that did not happen, never a change that nobody wrote down. The same call again (same key, request id, digest
     * and chain) adds nothing within an hour.
     */
    CompletableFuture<Void> note(TenantId chain, AuditDeed deed, Author by);

    /**
     * Erases the text of an entry's reason, after it was written down that somebody does. Where there is no text, nothing is written down.
     *
     * @return the entry as it is now; empty where there is none, or it is no longer kept
     */
    CompletableFuture<Optional<AuditEntry>> eraseReason(TenantId chain, long sequence, Author by);

    /** Entries, everything decided before the question included. */
    CompletableFuture<List<AuditEntry>> list(AuditQuery query);

    /**
     * Both ends of one chain, or (null) of all, everything decided before the question included.
     *
     * @param after only chains of tenants with higher numbers; −1 for all
     */
    CompletableFuture<List<AuditHead>> heads(@Nullable TenantId chain, int after, int limit);
}
