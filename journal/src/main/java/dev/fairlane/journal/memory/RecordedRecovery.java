package dev.fairlane.journal.memory;

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
import dev.fairlane.journal.LogId;
import dev.fairlane.journal.RecoverySink;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Keeps what a recovery told, to tell it later: only for a takeover that is told to read too early. */
final class RecordedRecovery implements RecoverySink {
    private final List<Consumer<RecoverySink>> told = new ArrayList<>();
    private final Set<JobId> open = new HashSet<>();

    void replay(RecoverySink sink) {
        told.forEach(one -> one.accept(sink));
    }

    @Override
    public void begin(LogId log) {
        told.add(sink -> sink.begin(log));
    }

    @Override
    public void tenant(Tenant tenant) {
        told.add(sink -> sink.tenant(tenant));
    }

    @Override
    public void type(JobType type) {
        told.add(sink -> sink.type(type));
    }

    @Override
    public void group(JobGroup group) {
        told.add(sink -> sink.group(group));
    }

    @Override
    public void schedule(Schedule schedule) {
        told.add(sink -> sink.schedule(schedule));
    }

    @Override
    public void usage(TenantId tenant, long monthAt, Usage used) {
        told.add(sink -> sink.usage(tenant, monthAt, used));
    }

    @Override
    public void audit(AuditHead head) {
        told.add(sink -> sink.audit(head));
    }

    @Override
    public void gate(Gate gate) {
        told.add(sink -> sink.gate(gate));
    }

    @Override
    public void key(TenantId tenant, String key, JobId id, long bodyHash, long submittedAt) {
        told.add(sink -> sink.key(tenant, key, id, bodyHash, submittedAt));
    }

    @Override
    public void sealedKey(TenantId tenant, String key, long submittedAt) {
        told.add(sink -> sink.sealedKey(tenant, key, submittedAt));
    }

    @Override
    public void deadKey(TenantId tenant, String key, long endedAt) {
        told.add(sink -> sink.deadKey(tenant, key, endedAt));
    }

    @Override
    public void open(JobSpec spec, JobStatus status, int segment) {
        open.add(spec.id());
        told.add(sink -> sink.open(spec, status, segment));
    }

    @Override
    public boolean knows(JobId id) {
        return open.contains(id);
    }

    @Override
    public void leftOut(JobSpec spec, JobStatus status) {
        open.add(spec.id());
        told.add(sink -> sink.leftOut(spec, status));
    }

    @Override
    public void far(TenantId tenant, long jobs) {
        told.add(sink -> sink.far(tenant, jobs));
    }

    @Override
    public void farKey(TenantId tenant, String key, JobId id, long bodyHash, long submittedAt) {
        told.add(sink -> sink.farKey(tenant, key, id, bodyHash, submittedAt));
    }

    @Override
    public void tail(Fact fact) {
        if (fact instanceof Fact.JobAdded added) {
            open.add(added.id());
        } else if (fact instanceof Fact.JobReplayed replayed) {
            open.add(replayed.id());
        }
        told.add(sink -> sink.tail(fact));
    }

    @Override
    public void segment(int segment, long rows, boolean sealed) {
        told.add(sink -> sink.segment(segment, rows, sealed));
    }
}
