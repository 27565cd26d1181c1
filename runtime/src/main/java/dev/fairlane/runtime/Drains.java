package dev.fairlane.runtime;

import dev.fairlane.core.model.AuditDeed;
import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.TenantId;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Sends workers away by order. One that goes by order already is told again, and the audit hears of it again only when it shall hand over
 * its jobs now and need not before. An operator's order reaches every worker of the name, whichever tenant it works for.
 */
final class Drains {
    private Drains() {}

    static void order(
            LocalNode node,
            NodeLoop loop,
            @Nullable TenantId scope,
            String worker,
            boolean handOver,
            @Nullable Author author,
            CompletableFuture<OptionalInt> reply) {
        List<Sessions.Session> sessions = loop.sessions.find(scope, worker);
        int jobs = 0;
        for (Sessions.Session session : sessions) {
            if (session.isNews(handOver)) {
                TenantId tenant = session.offer.scope();
                loop.note(
                        tenant == null ? AuditEntry.SYSTEM : tenant,
                        new AuditDeed("worker.drain", "worker/" + worker, handOver ? "handing over" : "", ""),
                        author);
            }
            jobs += loop.sessions.orderDrain(session, handOver, loop.commit::afterDurable);
        }
        OptionalInt running = sessions.isEmpty() ? OptionalInt.empty() : OptionalInt.of(jobs);
        if (author == null) {
            reply.complete(running);
        } else {
            node.park(reply, () -> reply.complete(running));
        }
    }
}
