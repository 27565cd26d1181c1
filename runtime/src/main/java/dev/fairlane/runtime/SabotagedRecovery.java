package dev.fairlane.runtime;

import dev.fairlane.core.model.AuditHead;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.GroupProgress;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.LogId;
import dev.fairlane.journal.RecoverySink;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A start that learns wrongly what is durable; for the simulator only. */
final class SabotagedRecovery implements RecoverySink {
    private final Recovery real;
    private final Set<Sabotage> sabotage;
    private final List<JobType> late = new ArrayList<>();

    SabotagedRecovery(Recovery real, Set<Sabotage> sabotage) {
        this.real = real;
        this.sabotage = sabotage;
    }

    @Override
    public void begin(LogId log) {
        real.begin(log);
    }

    @Override
    public void tenant(Tenant tenant) {
        real.tenant(tenant);
    }

    @Override
    public void type(JobType type) {
        if (sabotage.contains(Sabotage.FORGET_CAPPED)) {
            late.add(type);
        } else {
            real.type(type);
        }
    }

    /** All was told. */
    void end() {
        late.forEach(real::type);
    }

    @Override
    public void group(JobGroup group) {
        real.group(group);
    }

    @Override
    public void audit(AuditHead head) {
        real.audit(head);
    }

    @Override
    public void schedule(Schedule schedule) {
        real.schedule(schedule);
    }

    @Override
    public void gate(Gate gate) {
        if (!sabotage.contains(Sabotage.FORGET_GATES)) {
            real.gate(gate);
        }
    }

    @Override
    public long recentKeysMicros() {
        return real.recentKeysMicros();
    }

    @Override
    public void key(TenantId tenant, String key, JobId id, long bodyHash, long submittedAt) {
        real.key(tenant, key, id, bodyHash, submittedAt);
    }

    @Override
    public void sealedKey(TenantId tenant, String key, long submittedAt) {
        if (!sabotage.contains(Sabotage.FORGET_SEALED_KEYS)) {
            real.sealedKey(tenant, key, submittedAt);
        }
    }

    @Override
    public void deadKey(TenantId tenant, String key, long endedAt) {
        real.deadKey(tenant, key, endedAt);
    }

    @Override
    public void open(JobSpec spec, JobStatus status, int segment) {
        real.open(sabotage.contains(Sabotage.FORGET_KINDS) ? ofNoKind(spec) : spec, status, segment);
    }

    private static JobSpec ofNoKind(JobSpec spec) {
        JobTerms terms = spec.terms();
        return new JobSpec(
                spec.id(),
                spec.tenant(),
                spec.type(),
                spec.pool(),
                spec.priority(),
                spec.payload(),
                spec.payloadVersion(),
                spec.submittedAt(),
                spec.runAt(),
                spec.notAfter(),
                spec.maxAttempts(),
                spec.timeLimitMicros(),
                spec.idempotencyKey(),
                spec.bodyHash(),
                spec.tags(),
                spec.headers(),
                new JobTerms(
                        terms.lane(),
                        terms.maxAgeMicros(),
                        "",
                        terms.group(),
                        terms.webhook(),
                        terms.exact(),
                        terms.revision()));
    }

    @Override
    public void far(TenantId tenant, long jobs) {
        real.far(tenant, jobs);
    }

    @Override
    public void farKey(TenantId tenant, String key, JobId id, long bodyHash, long submittedAt) {
        real.farKey(tenant, key, id, bodyHash, submittedAt);
    }

    @Override
    public boolean knows(JobId id) {
        return real.knows(id);
    }

    @Override
    public void leftOut(JobSpec spec, JobStatus status) {
        if (!sabotage.contains(Sabotage.FORGET_LEFT_OUT)) {
            real.leftOut(spec, status);
        }
    }

    @Override
    public void tail(Fact fact) {
        real.tail(sabotage.contains(Sabotage.COUNT_MEMBERS_TWICE) ? countedTwice(fact) : fact);
    }

    private static Fact countedTwice(Fact fact) {
        if (fact instanceof Fact.GroupChanged moved
                && moved.progress().state() != GroupProgress.State.DONE
                && moved.progress().ended() > 0) {
            GroupProgress is = moved.progress();
            return new Fact.GroupChanged(moved.id(), is.ended(JobState.SUCCEEDED, is.changedAt()));
        }
        return fact;
    }

    @Override
    public void segment(int segment, long rows, boolean sealed) {
        real.segment(segment, rows, sealed);
    }
}
