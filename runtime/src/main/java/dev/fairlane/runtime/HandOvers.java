package dev.fairlane.runtime;

import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.shard.Engine;
import dev.fairlane.core.shard.HandOverCall;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells workers which of their executions shall make room for another tenant. Soft: one whose worker is away hears of it when it comes back,
 * and one that is over by then is not told. Owned by the loop.
 */
final class HandOvers {
    private static final Logger log = LoggerFactory.getLogger(HandOvers.class);

    private final Engine engine;
    private final Sessions sessions;
    private final Directory directory;
    private final GroupCommit commit;

    HandOvers(Engine engine, Sessions sessions, Directory directory, GroupCommit commit) {
        this.engine = engine;
        this.sessions = sessions;
        this.directory = directory;
        this.commit = commit;
    }

    /** What is said waits its turn behind what the workers were told before, the lease not least. */
    void tell() {
        engine.drainHandOvers(call -> commit.afterDurable(() -> tell(call)));
    }

    private void tell(HandOverCall call) {
        if (engine.holds(call.id(), call.token())) {
            log.info(
                    "job {} of tenant {} is asked to hand over: tenant {} waits below its share of pool {}",
                    call.id(),
                    name(call.by()),
                    name(call.to()),
                    call.pool());
            WorkerStream stream = sessions.stream(engine.sessionOf(call.id()));
            if (stream != null) {
                stream.handOvers(List.of(new LeaseRef(call.id(), call.token())));
            }
        }
    }

    private String name(TenantId tenant) {
        Tenant known = directory.tenant(tenant);
        return known == null ? String.valueOf(tenant.number()) : known.name();
    }

    /** Of what a worker that comes back still holds, what was asked; it may not have heard. */
    List<LeaseRef> asked(List<LeaseRef> held) {
        return held.stream()
                .filter(lease -> engine.askedToHandOver(lease.id(), lease.token()))
                .toList();
    }
}
