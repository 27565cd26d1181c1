package dev.fairlane.runtime;

import dev.fairlane.core.model.AuditHead;
import dev.fairlane.core.model.EngineConfig;
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
import dev.fairlane.core.shard.Engine;
import dev.fairlane.journal.Flush;
import dev.fairlane.journal.LogId;
import dev.fairlane.journal.RecoverySink;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rebuilds memory from what is durable, through the same {@code apply} that live decisions go through. */
final class Recovery implements RecoverySink {
    private final EngineConfig config;
    private final Set<Sabotage> sabotage;
    private final Directory directory = new Directory();
    private final Projection projection = new Projection();
    private final Map<TenantId, AuditHead> audit = new HashMap<>();
    private @Nullable Engine engine;
    private long openJobs;
    private long tailFacts;

    Recovery(EngineConfig config, Set<Sabotage> sabotage) {
        this.config = config;
        this.sabotage = sabotage;
    }

    @Override
    public void begin(LogId log) {
        engine = new Engine(config, sabotage.contains(Sabotage.REUSE_TOKENS) ? 1 : log.epoch());
    }

    @Override
    public void tenant(Tenant tenant) {
        engine().apply(new Fact.TenantSet(tenant));
        directory.put(tenant);
    }

    @Override
    public void type(JobType type) {
        engine().apply(new Fact.TypeSet(type));
        directory.put(type);
    }

    @Override
    public void group(JobGroup group) {
        engine().apply(new Fact.GroupAdded(group));
    }

    @Override
    public void schedule(Schedule schedule) {
        engine().apply(new Fact.ScheduleSet(schedule));
    }

    @Override
    public void usage(TenantId tenant, long monthAt, Usage used) {
        engine().loadUsage(tenant, monthAt, used);
    }

    @Override
    public void audit(AuditHead head) {
        audit.put(head.chain(), head);
    }

    @Override
    public void gate(Gate gate) {
        engine().apply(new Fact.GateSet(gate));
    }

    @Override
    public void key(TenantId tenant, String key, JobId id, long bodyHash, long submittedAt) {
        engine().loadKey(tenant, key, id, bodyHash, submittedAt);
    }

    @Override
    public long recentKeysMicros() {
        return 2 * config.keys().spanMicros();
    }

    @Override
    public void sealedKey(TenantId tenant, String key, long submittedAt) {
        engine().loadSealedKey(tenant, key, submittedAt);
    }

    @Override
    public void deadKey(TenantId tenant, String key, long endedAt) {
        engine().loadDeadKey(tenant, key, endedAt);
    }

    @Override
    public void segment(int segment, long rows, boolean sealed) {
        projection.stored().rowsAppended(segment, rows);
    }

    @Override
    public void open(JobSpec spec, JobStatus status, int segment) {
        openJobs++;
        if (segment == Flush.FAR) {
            engine().arrive(spec, status, false);
        } else {
            engine().load(spec, status);
        }
        projection.stored().put(spec.id(), segment);
    }

    @Override
    public void far(TenantId tenant, long jobs) {
        engine().loadFar(tenant, jobs);
    }

    @Override
    public void farKey(TenantId tenant, String key, JobId id, long bodyHash, long submittedAt) {
        engine().loadFarKey(tenant, key, id, bodyHash, submittedAt);
    }

    @Override
    public boolean knows(JobId id) {
        return engine().has(id);
    }

    @Override
    public void leftOut(JobSpec spec, JobStatus status) {
        openJobs++;
        engine().load(spec, status);
        engine().restoreAhead(spec);
        projection.observeLeftOut(spec, status);
    }

    @Override
    public void tail(Fact fact) {
        tailFacts++;
        engine().apply(fact);
        projection.observe(fact);
        directory.observe(fact);
        if (fact instanceof Fact.Audited audited) {
            TenantId chain = audited.entry().chain();
            audit.put(chain, audit.getOrDefault(chain, AuditHead.begin(chain)).with(audited.entry()));
        }
    }

    Engine engine() {
        if (engine == null) {
            throw new IllegalStateException("the journal told of jobs before it told of its log");
        }
        return engine;
    }

    Audits audits() {
        return new Audits(engine(), audit.values());
    }

    Directory directory() {
        return directory;
    }

    Projection projection() {
        return projection;
    }

    long openJobs() {
        return openJobs;
    }

    long tailFacts() {
        return tailFacts;
    }
}
