package dev.fairlane.sdk;

import dev.fairlane.protocol.v1.NoticeCount;
import dev.fairlane.protocol.v1.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a server is doing: its state, its queues, who uses them and who works.
 *
 * @param state {@code serving}, {@code recovering}, {@code fenced}, …
 * @param notices what the node noticed since its start, how often: {@code dependency_circuit_open}, {@code type_quarantined},
 *     {@code recycle_throttled}, {@code retry_budget_exceeded}, …; empty for keys of one tenant
 * @param refusals what was refused since the start of the node; a key of a tenant sees its own
 */
public record ServerStatus(
        String version,
        String node,
        String state,
        Duration uptime,
        Counters counters,
        List<PoolStatus> pools,
        List<TenantStatus> tenants,
        List<WorkerStatus> workers,
        Map<String, Long> notices,
        List<RefusalCount> refusals) {

    /**
     * Calls and jobs of a tenant that were refused.
     *
     * @param tenant {@code (other)} for those beyond the first thousand tenants
     * @param code of the catalogue of errors, e.g. {@code RATE_LIMIT}
     */
    public record RefusalCount(String tenant, String code, long count) {}

    /** Jobs since the start of the node. */
    public record Counters(long submitted, long succeeded, long dead, long cancelled, long retried) {}

    public record PoolStatus(String pool, long waiting, long running, long slots, Duration oldestWaiting) {}

    /**
     * A tenant's use of the node.
     *
     * @param slotSeconds slot-time used since the start of the node: what fairness is counted in
     */
    public record TenantStatus(
            String tenant,
            int weight,
            long waiting,
            long scheduled,
            long running,
            double slotSeconds,
            long completed) {}

    /**
     * A connected worker.
     *
     * @param tenant empty: works for all tenants
     * @param slots offered, by pool
     * @param resources what its jobs may demand together; none: nobody counts
     * @param tags by which jobs ask for it
     */
    public record WorkerStatus(
            String worker,
            String tenant,
            List<String> types,
            Map<String, Integer> slots,
            int running,
            Duration lastSeen,
            boolean draining,
            Resources resources,
            List<String> tags) {}

    static ServerStatus of(Status status) {
        return new ServerStatus(
                status.getVersion(),
                status.getNode(),
                status.getState(),
                Duration.ofMillis(status.getUptimeMs()),
                new Counters(
                        status.getSubmitted(),
                        status.getSucceeded(),
                        status.getDead(),
                        status.getCancelled(),
                        status.getRetried()),
                status.getPoolsList().stream()
                        .map(p -> new PoolStatus(
                                p.getPool(),
                                p.getWaiting(),
                                p.getRunning(),
                                p.getSlots(),
                                Duration.ofMillis(p.getOldestWaitingMs())))
                        .toList(),
                status.getTenantsList().stream()
                        .map(t -> new TenantStatus(
                                t.getTenant(),
                                t.getWeight(),
                                t.getWaiting(),
                                t.getScheduled(),
                                t.getRunning(),
                                t.getSlotSeconds(),
                                t.getCompleted()))
                        .toList(),
                status.getWorkersList().stream().map(ServerStatus::worker).toList(),
                status.getNoticesList().stream().collect(Collectors.toMap(NoticeCount::getKind, NoticeCount::getCount)),
                status.getRefusalsList().stream()
                        .map(refused -> new RefusalCount(refused.getTenant(), refused.getCode(), refused.getCount()))
                        .toList());
    }

    private static WorkerStatus worker(dev.fairlane.protocol.v1.WorkerStatus worker) {
        return new WorkerStatus(
                worker.getWorker(),
                worker.getTenant(),
                List.copyOf(worker.getTypesList()),
                worker.getOffersList().stream()
                        .collect(Collectors.toMap(
                                dev.fairlane.protocol.v1.WorkerStatus.PoolSlots::getPool,
                                dev.fairlane.protocol.v1.WorkerStatus.PoolSlots::getSlots,
                                Integer::sum)),
                worker.getRunning(),
                Duration.ofMillis(worker.getLastSeenMs()),
                worker.getDraining(),
                Resources.ofWire(worker.getResources()),
                List.copyOf(worker.getTagsList()));
    }
}
