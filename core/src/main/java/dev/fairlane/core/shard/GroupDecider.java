package dev.fairlane.core.shard;

import dev.fairlane.core.admission.Admission;
import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.GroupProgress;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Refusal;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import org.jspecify.annotations.Nullable;

/** Decisions on groups themselves; what members do to them is {@link Aftermath}. */
final class GroupDecider {
    /** Groups end with their jobs, or are sealed: soon enough. */
    private static final long RETRY_AFTER_MICROS = 1_000_000;

    private final ShardState state;
    private final Admission admission;

    GroupDecider(ShardState state, Admission admission) {
        this.state = state;
        this.admission = admission;
    }

    Decision create(Command.CreateGroup create, long now) {
        TenantId tenant = create.tenant();
        Tenant owner = state.directory.tenant(tenant.number());
        if (owner == null) {
            return Decision.refused(RefusalCode.TENANT_NOT_FOUND, "no tenant " + tenant.number());
        }
        if (create.name().length() > Admission.MAX_NAME) {
            return Decision.refused(
                    RefusalCode.INVALID_ARGUMENT, "name: expected at most " + Admission.MAX_NAME + " characters");
        }
        int open = state.groups.open(tenant.number());
        if (open >= JobGroup.MAX_OPEN_PER_TENANT) {
            return Decision.of(new Answer.Refused(new Refusal(
                    RefusalCode.DEPTH_LIMIT,
                    "expected fewer than " + JobGroup.MAX_OPEN_PER_TENANT
                            + " open groups; seal those that are complete",
                    RETRY_AFTER_MICROS,
                    JobGroup.MAX_OPEN_PER_TENANT,
                    open)));
        }
        JobSpec callback = null;
        if (create.callback() != null) {
            Refusal refusal = callbackRefusal(create.callback(), owner, now);
            if (refusal != null) {
                return Decision.of(new Answer.Refused(refusal));
            }
            callback = admission.spec(
                    create.id(),
                    tenant,
                    create.callback(),
                    admission.typeFor(tenant, create.callback().type(), now),
                    now);
        }
        JobGroup group =
                new JobGroup(create.id(), tenant, create.name(), create.on(), callback, now, GroupProgress.begun(now));
        return Decision.of(new Answer.GroupIs(group), new Fact.GroupAdded(group));
    }

    /** A callback begins when its group is done, once: what says otherwise has no place in it. */
    private @Nullable Refusal callbackRefusal(NewJob job, Tenant owner, long now) {
        boolean timed = job.runAt() > 0 || job.delayMicros() > 0 || job.notAfter() > 0;
        boolean keyed =
                !job.idempotencyKey().isEmpty() || !job.terms().uniqueKey().isEmpty();
        if (timed || keyed || !job.terms().group().isEmpty()) {
            return new Refusal(
                    RefusalCode.INVALID_ARGUMENT,
                    "callback: expected a job without time, key and group, since it begins once, when its group is done",
                    0);
        }
        Refusal refusal = admission.shape(job, now);
        return refusal == null ? admission.closed(owner, job.type()) : refusal;
    }

    Decision seal(Command.SealGroup seal, long now) {
        JobGroup group = state.groups.find(seal.id());
        if (group == null) {
            return Decision.of(new Answer.NotInMemory(seal.id()));
        }
        if (seal.scope() != null && !seal.scope().equals(group.tenant())) {
            return Decision.refused(RefusalCode.GROUP_NOT_FOUND, "no group " + seal.id());
        }
        if (group.progress().state() != GroupProgress.State.OPEN) {
            return Decision.of(new Answer.GroupIs(group));
        }
        GroupProgress sealed = group.progress().sealed(now);
        return Decision.of(new Answer.GroupIs(group.with(sealed)), new Fact.GroupChanged(group.id(), sealed));
    }
}
