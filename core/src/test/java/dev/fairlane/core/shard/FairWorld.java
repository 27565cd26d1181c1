package dev.fairlane.core.shard;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.WorkerOffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** Tenants with jobs of given lengths on one pool, in virtual time, at the exact moments things happen. */
final class FairWorld {
    private record Running(long endsAt, int order, Picked picked) {}

    /** @param keep waiting jobs kept topped up; 0: the tenant submits by hand */
    private record Source(TenantId tenant, String type, int priority, long lengthMicros, int keep) {}

    // whatever the length of its jobs, a type stays
    final Bed bed = new Bed(EngineConfig.DEFAULT.withPools(
            PoolRules.DEFAULTS.stream().map(pool -> pool.withBound(0)).toList()));
    private final List<Source> sources = new ArrayList<>();
    private final Map<TenantId, Long> lengths = new HashMap<>();
    private final Map<TenantId, String> types = new HashMap<>();
    private final Map<TenantId, Integer> waiting = new HashMap<>();
    private final PriorityQueue<Running> running =
            new PriorityQueue<>((a, b) -> a.endsAt != b.endsAt ? Long.compare(a.endsAt, b.endsAt) : a.order - b.order);
    private int order;
    final Map<TenantId, Double> slotMicros = new HashMap<>();
    final Map<JobId, Long> queuedAt = new HashMap<>();
    final Map<TenantId, Long> longestWait = new HashMap<>();

    private final int slots;
    private int session = 1;

    FairWorld(int slots) {
        this.slots = slots;
        bed.worker(1, slots, "work");
        bed.send(new Command.PutType(bed.tenant, "work", "short", 0, Bed.HOUR * 24));
    }

    TenantId tenant(String name, int weight, int priority, long lengthMicros, int keep) {
        return tenant(name, weight, priority, lengthMicros, "work", keep);
    }

    TenantId tenant(String name, int weight, int priority, long lengthMicros, String type, int keep) {
        TenantId id = bed.putTenant(name, weight);
        sources.add(new Source(id, type, priority, lengthMicros, keep));
        types.put(id, type);
        lengths.put(id, lengthMicros);
        return id;
    }

    void submit(TenantId tenant, int count, int priority) {
        for (int i = 0; i < count; i++) {
            JobId id = bed.submit(tenant, Bed.priority(types.get(tenant), priority));
            queuedAt.put(id, bed.now);
            waiting.merge(tenant, 1, Integer::sum);
        }
    }

    /** Runs the world for a while and returns each tenant's share of the slot-time used meanwhile. */
    Map<TenantId, Double> run(long micros) {
        long until = bed.now + micros;
        Map<TenantId, Double> before = new HashMap<>(used(bed.now));
        while (true) {
            for (Source source : sources) {
                submit(source.tenant, source.keep - waiting.getOrDefault(source.tenant, 0), source.priority);
            }
            for (Picked picked = bed.pick(); picked != null; picked = bed.pick()) {
                TenantId tenant = picked.lease().tenant();
                waiting.merge(tenant, -1, Integer::sum);
                long waited = bed.now - queuedAt.remove(picked.lease().id());
                longestWait.merge(tenant, waited, Math::max);
                running.add(new Running(bed.now + lengths.get(tenant), order++, picked));
            }
            bed.engine.renewAll(bed.now);
            if (running.isEmpty() || running.peek().endsAt > until) {
                break;
            }
            bed.now = running.peek().endsAt;
            while (!running.isEmpty() && running.peek().endsAt <= bed.now) {
                Running ended = running.poll();
                slotMicros.merge(
                        ended.picked.lease().tenant(),
                        (double) (bed.now - ended.picked.lease().status().leasedAt()),
                        Double::sum);
                bed.complete(ended.picked);
            }
            bed.facts.clear();
            bed.ended.clear();
        }
        bed.now = until;
        Map<TenantId, Double> shares = new HashMap<>(used(until));
        before.forEach((tenant, was) -> shares.merge(tenant, -was, Double::sum));
        double total = shares.values().stream().mapToDouble(Double::doubleValue).sum();
        shares.replaceAll((tenant, time) -> time / total);
        return shares;
    }

    /** The only worker loses its stream and comes back with all its leases. */
    void reconnect() {
        bed.engine.closeSession(session);
        session++;
        bed.engine.openSession(
                session, new WorkerOffer("worker-1", null, List.of("work"), Map.of("short", slots)), bed.now);
        for (Running job : running) {
            long[] lo = {job.picked.lease().id().lo()};
            long[] token = {job.picked.lease().status().token()};
            bed.engine.renew(session, lo, token, 1, bed.now);
        }
    }

    private Map<TenantId, Double> used(long now) {
        Map<TenantId, Double> used = new HashMap<>(slotMicros);
        for (Running job : running) {
            used.merge(
                    job.picked.lease().tenant(),
                    (double) (now - job.picked.lease().status().leasedAt()),
                    Double::sum);
        }
        return used;
    }
}
