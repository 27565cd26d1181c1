package dev.fairlane.runtime;

import dev.fairlane.core.model.Resources;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.shard.Engine;
import dev.fairlane.core.shard.Stranded;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks now and then for jobs that no connected worker can run, and says so once for each tenant and type that has waited for a
 * worker longer than one takes to come back. Owned by the loop.
 */
final class StrandedWatch {
    private static final Logger log = LoggerFactory.getLogger(StrandedWatch.class);
    private static final long EVERY_MICROS = 10_000_000;
    private static final long PATIENCE_MICROS = 30_000_000;
    private static final int MOST = 100;

    private final Engine engine;
    private Set<String> told = Set.of();
    private List<NodeStatus.StrandedStatus> latest = List.of();
    private long nextAt;

    StrandedWatch(Engine engine) {
        this.engine = engine;
    }

    /** What waits in vain, as of the last look. */
    List<NodeStatus.StrandedStatus> look(long now) {
        if (now < nextAt) {
            return latest;
        }
        List<Stranded> all = engine.findStranded(MOST, now - PATIENCE_MICROS);
        if (all == null) {
            // not through yet; the next look goes on
            return latest;
        }
        nextAt = now + EVERY_MICROS;
        List<NodeStatus.StrandedStatus> found = new ArrayList<>();
        Set<String> named = new HashSet<>();
        for (Stranded stranded : all) {
            long waited = Math.max(0, now - stranded.oldestQueuedAt());
            Tenant tenant = engine.tenant(stranded.tenant());
            if (tenant == null || waited < PATIENCE_MICROS) {
                continue;
            }
            NodeStatus.StrandedStatus status = new NodeStatus.StrandedStatus(
                    tenant.name(),
                    stranded.pool(),
                    stranded.type(),
                    stranded.demand(),
                    stranded.tags(),
                    stranded.waiting(),
                    waited);
            found.add(status);
            String name = tenant.name() + '/' + stranded.pool() + '/' + stranded.type() + '/' + stranded.tags();
            named.add(name);
            if (!told.contains(name)) {
                log.warn(
                        "no_worker: tenant {}, pool {}, type {}: no connected worker can run its {} waiting jobs{}",
                        status.tenant(),
                        status.pool(),
                        status.type(),
                        status.waiting(),
                        needs(status));
            }
        }
        told = named;
        latest = List.copyOf(found);
        return latest;
    }

    /** As a person would say it; nothing when any worker of the pool and type would do. */
    private static String needs(NodeStatus.StrandedStatus status) {
        List<String> needs = new ArrayList<>(status.tags());
        Resources demand = status.demand();
        if (demand.cpuMillis() > 0) {
            needs.add(demand.cpuMillis() + " millis of cpu");
        }
        if (demand.memoryMib() > 0) {
            needs.add(demand.memoryMib() + " MiB of memory");
        }
        if (demand.gpus() > 0) {
            needs.add(demand.gpus() + " gpus");
        }
        return needs.isEmpty() ? "" : ", which need " + String.join(", ", needs);
    }
}
