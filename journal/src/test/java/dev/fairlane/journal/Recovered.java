package dev.fairlane.journal;

import dev.fairlane.core.model.AuditHead;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.Usage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Everything a recovery told. */
public final class Recovered implements RecoverySink {
    public @Nullable LogId log;
    public final List<Tenant> tenants = new ArrayList<>();
    public final List<JobType> types = new ArrayList<>();
    public final List<Gate> gates = new ArrayList<>();
    public final List<JobGroup> groups = new ArrayList<>();
    public final List<Schedule> schedules = new ArrayList<>();
    public final Map<TenantId, Usage> usage = new HashMap<>();
    public final Map<TenantId, AuditHead> audit = new HashMap<>();
    public final Map<String, Key> keys = new TreeMap<>();
    public final Map<String, Long> sealedKeys = new TreeMap<>();
    public final Map<String, Long> deadKeys = new TreeMap<>();
    public final Map<JobId, Open> open = new TreeMap<>();
    public final Map<Integer, Segment> segments = new TreeMap<>();
    public final Map<TenantId, Long> far = new HashMap<>();
    public final Map<String, JobId> farKeys = new TreeMap<>();
    /** With their payloads. */
    public final Map<JobId, Fact.JobAdded> leftOut = new TreeMap<>();

    public final List<Fact> tail = new ArrayList<>();

    /** The kinds of calls in the order in which they first came. */
    public final Set<String> order = new LinkedHashSet<>();

    public record Key(TenantId tenant, JobId id, long bodyHash, long submittedAt) {}

    public record Open(JobSpec spec, JobStatus status, int segment) {}

    public record Segment(long rows, boolean sealed) {}

    @Override
    public void begin(LogId log) {
        order.add("begin");
        this.log = log;
    }

    @Override
    public void tenant(Tenant tenant) {
        order.add("tenant");
        tenants.add(tenant);
    }

    @Override
    public void type(JobType type) {
        order.add("type");
        types.add(type);
    }

    @Override
    public void group(JobGroup group) {
        order.add("group");
        groups.add(group);
    }

    @Override
    public void schedule(Schedule schedule) {
        order.add("schedule");
        schedules.add(schedule);
    }

    @Override
    public void usage(TenantId tenant, long monthAt, Usage used) {
        order.add("usage");
        once(usage.put(tenant, used), tenant);
    }

    @Override
    public void audit(AuditHead head) {
        order.add("audit");
        once(audit.put(head.chain(), head), head.chain());
    }

    @Override
    public void gate(Gate gate) {
        order.add("gate");
        gates.add(gate);
    }

    @Override
    public void key(TenantId tenant, String key, JobId id, long bodyHash, long submittedAt) {
        order.add("key");
        once(keys.put(tenant.number() + "/" + key, new Key(tenant, id, bodyHash, submittedAt)), key);
    }

    @Override
    public void sealedKey(TenantId tenant, String key, long submittedAt) {
        order.add("key");
        sealedKeys.put(tenant.number() + "/" + key, submittedAt);
    }

    @Override
    public void deadKey(TenantId tenant, String key, long endedAt) {
        deadKeys.put(tenant.number() + "/" + key, endedAt);
    }

    @Override
    public void open(JobSpec spec, JobStatus status, int segment) {
        order.add("open");
        once(open.put(spec.id(), new Open(spec, status, segment)), spec.id());
    }

    @Override
    public void far(TenantId tenant, long jobs) {
        once(far.put(tenant, jobs), tenant);
    }

    @Override
    public void farKey(TenantId tenant, String key, JobId id, long bodyHash, long submittedAt) {
        once(farKeys.put(tenant.number() + "/" + key, id), key);
    }

    @Override
    public boolean knows(JobId id) {
        return open.containsKey(id) || leftOut.containsKey(id);
    }

    @Override
    public void leftOut(JobSpec spec, JobStatus status) {
        order.add("left out");
        if (knows(spec.id())) {
            throw new AssertionError("told as open before: " + spec.id());
        }
        leftOut.put(spec.id(), new Fact.JobAdded(spec, status));
    }

    @Override
    public void tail(Fact fact) {
        order.add("tail");
        tail.add(fact);
    }

    @Override
    public void segment(int segment, long rows, boolean sealed) {
        once(segments.put(segment, new Segment(rows, sealed)), segment);
    }

    private static void once(@Nullable Object before, Object what) {
        if (before != null) {
            throw new AssertionError("told twice: " + what);
        }
    }
}
