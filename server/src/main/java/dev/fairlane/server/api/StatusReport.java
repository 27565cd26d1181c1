package dev.fairlane.server.api;

import dev.fairlane.protocol.v1.NoticeCount;
import dev.fairlane.protocol.v1.PoolStatus;
import dev.fairlane.protocol.v1.RefusalCount;
import dev.fairlane.protocol.v1.Status;
import dev.fairlane.protocol.v1.StrandedJobs;
import dev.fairlane.protocol.v1.TenantStatus;
import dev.fairlane.protocol.v1.WorkerStatus;
import dev.fairlane.runtime.NodeStatus;
import dev.fairlane.server.auth.Caller;
import dev.fairlane.server.fault.RefusalCounts;
import java.util.Locale;
import java.util.TreeMap;

/** The node's picture of itself, as far as the caller may see it: one bound to a tenant sees that tenant and its workers. */
final class StatusReport {
    private final RefusalCounts refusals;

    StatusReport(RefusalCounts refusals) {
        this.refusals = refusals;
    }

    Status status(Caller caller, NodeStatus seen) {
        String only = caller.named() == null ? "" : caller.named().name();
        Status.Builder status = Status.newBuilder()
                .setVersion(Version.TEXT)
                .setNode(seen.node())
                .setEpoch(seen.epoch())
                .setUptimeMs((seen.takenAt() - seen.startedAt()) / 1_000)
                .setState(seen.state().name().toLowerCase(Locale.ROOT))
                .setCommittedPosition(seen.committed())
                .setFlushedPosition(seen.flushed());
        seen.tenants().stream()
                .filter(tenant -> only.isEmpty() || tenant.tenant().equals(only))
                .forEach(tenant -> status.addTenants(tenant(tenant)));
        seen.workers().stream()
                .filter(worker -> only.isEmpty() || worker.tenant().equals(only))
                .forEach(worker -> status.addWorkers(worker(worker)));
        seen.stranded().stream()
                .filter(stranded -> only.isEmpty() || stranded.tenant().equals(only))
                .forEach(stranded -> status.addStranded(stranded(stranded)));
        if (only.isEmpty()) {
            NodeStatus.Counters counters = seen.counters();
            seen.pools().forEach(pool -> status.addPools(pool(pool)));
            status.setSubmitted(counters.submitted())
                    .setSucceeded(counters.succeeded())
                    .setDead(counters.dead())
                    .setCancelled(counters.cancelled())
                    .setRetried(counters.retried())
                    .setOpenBreakers(seen.guards().openBreakers());
            new TreeMap<>(seen.noticed())
                    .forEach((kind, count) -> status.addNotices(NoticeCount.newBuilder()
                            .setKind(kind.name().toLowerCase(Locale.ROOT))
                            .setCount(count)));
        }
        refusals.of(only)
                .forEach(one -> status.addRefusals(RefusalCount.newBuilder()
                        .setTenant(one.tenant())
                        .setCode(one.code().name())
                        .setCount(one.count())));
        return status.build();
    }

    private static TenantStatus tenant(NodeStatus.TenantStatus tenant) {
        return TenantStatus.newBuilder()
                .setTenant(tenant.tenant())
                .setWeight(tenant.weight())
                .setWaiting(tenant.waiting())
                .setScheduled(tenant.scheduled())
                .setRunning(tenant.running())
                .setSlotSeconds(tenant.slotSeconds())
                .setCompleted(tenant.completed())
                .build();
    }

    private static WorkerStatus worker(NodeStatus.WorkerStatus worker) {
        WorkerStatus.Builder status = WorkerStatus.newBuilder()
                .setWorker(worker.worker())
                .setTenant(worker.tenant())
                .addAllTypes(worker.types())
                .setRunning(worker.running())
                .setLastSeenMs(worker.lastSeenMicros() / 1_000)
                .setDraining(worker.draining())
                .addAllTags(worker.tags());
        if (!worker.resources().isNone()) {
            status.setResources(NeedsText.resources(worker.resources()));
        }
        worker.slots()
                .forEach((pool, slots) -> status.addOffers(
                        WorkerStatus.PoolSlots.newBuilder().setPool(pool).setSlots(slots)));
        return status.build();
    }

    private static StrandedJobs stranded(NodeStatus.StrandedStatus stranded) {
        StrandedJobs.Builder status = StrandedJobs.newBuilder()
                .setTenant(stranded.tenant())
                .setPool(stranded.pool())
                .setType(stranded.type())
                .addAllRequires(stranded.tags())
                .setWaiting(stranded.waiting())
                .setOldestWaitingMs(stranded.oldestWaitingMicros() / 1_000);
        if (!stranded.demand().isNone()) {
            status.setDemand(NeedsText.resources(stranded.demand()));
        }
        return status.build();
    }

    private static PoolStatus pool(NodeStatus.PoolStatus pool) {
        return PoolStatus.newBuilder()
                .setPool(pool.pool())
                .setWaiting(pool.waiting())
                .setRunning(pool.running())
                .setSlots(pool.slots())
                .setOldestWaitingMs(pool.oldestWaitingMicros() / 1_000)
                .build();
    }
}
