package dev.fairlane.runtime;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.shard.Engine;
import dev.fairlane.core.shard.HandOverCall;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
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
    private final Map<String, NodeStatus.HandOverCounts> counts = new HashMap<>();

    HandOvers(Engine engine, Sessions sessions, Directory directory, GroupCommit commit) {
        this.engine = engine;
        this.sessions = sessions;
        this.directory = directory;
        this.commit = commit;
    }

    /** What is said waits its turn behind what the workers were told before, the lease not least. */
    void tell() {
        engine.drainHandOvers(call -> {
            int session = engine.sessionOf(call.id());
            commit.afterDurable(() -> tell(call, session));
        });
    }

    private void tell(HandOverCall call, int session) {
        if (engine.holds(call.id(), call.token())) {
            log.info(
                    "job {} of tenant {} is asked to hand over: tenant {} waits below its share of pool {}",
                    call.id(),
                    name(call.by()),
                    name(call.to()),
                    call.pool());
            count(call.pool(), new NodeStatus.HandOverCounts(1, 0));
            WorkerStream stream = sessions.stream(session);
            // A worker that came back meanwhile is told behind its welcome.
            if (stream != null && session == engine.sessionOf(call.id())) {
                stream.handOvers(List.of(new LeaseRef(call.id(), call.token())));
            }
        }
    }

    /** An execution hands over, whether it was asked or its worker drains. */
    Answer handedOver(LeaseRef lease, Function<Command, Answer> decide) {
        String pool = engine.askedToHandOver(lease.id(), lease.token()) ? engine.poolOf(lease.id()) : null;
        Answer answer = decide.apply(new Command.HandOver(lease.id(), lease.token()));
        if (pool != null && answer instanceof Answer.Applied) {
            count(pool, new NodeStatus.HandOverCounts(0, 1));
        }
        return answer;
    }

    private void count(String pool, NodeStatus.HandOverCounts more) {
        counts.merge(pool, more, NodeStatus.HandOverCounts::plus);
    }

    NodeStatus.HandOverCounts counts(String pool) {
        return counts.getOrDefault(pool, NodeStatus.HandOverCounts.NONE);
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
