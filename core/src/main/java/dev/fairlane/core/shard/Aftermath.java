package dev.fairlane.core.shard;

import dev.fairlane.core.admission.Admission;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.ReservedTypes;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.outcome.Deed;
import dev.fairlane.core.outcome.Images;
import dev.fairlane.core.outcome.JobLife;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a decision on jobs leads to beyond them, added to the same decision so that both become true in one step: whoever ended the
 * job, and however, its webhook is submitted with its end. Reads only.
 *
 * <p>Jobs made here pass no limit on open jobs: each comes from one that just ended.
 */
final class Aftermath {
    private final ShardState state;
    private final Admission admission;

    Aftermath(ShardState state, Admission admission) {
        this.state = state;
        this.admission = admission;
    }

    /** The decision with all that follows from it. */
    Decision of(Decision decision, long now) {
        Following following = null;
        List<Fact> facts = decision.facts();
        for (int i = 0; i < facts.size(); i++) {
            if (facts.get(i) instanceof Fact.JobEnded ended) {
                int slot = state.jobs.find(ended.id());
                Ties.Tie tie = slot == ShardState.NONE ? null : state.ties.of(slot);
                if (tie != null) {
                    following = following == null ? new Following(facts, now) : following;
                    following.ended(ended, slot, tie);
                }
            }
        }
        return following == null ? decision : new Decision(following.facts, decision.answer());
    }

    private final class Following {
        final List<Fact> facts;
        private final long now;
        private int made;

        Following(List<Fact> decided, long now) {
            this.facts = new ArrayList<>(decided);
            this.now = now;
        }

        void ended(Fact.JobEnded ended, int slot, Ties.Tie tie) {
            if (!tie.webhook().isEmpty()) {
                TenantId tenant = new TenantId(state.tenant(slot));
                Tenant owner = Objects.requireNonNull(state.directory.tenant(tenant.number()));
                String type = state.lane(slot).type();
                NewJob delivery = new NewJob(
                        ReservedTypes.WEBHOOK,
                        JobNews.of(ended, owner.name(), type),
                        0,
                        -1,
                        0,
                        0,
                        0,
                        0,
                        0,
                        "",
                        0,
                        Map.of(),
                        Map.of(ReservedTypes.URL_HEADER, tie.webhook()));
                submit(tenant, delivery, ended.id());
            }
        }

        private void submit(TenantId tenant, NewJob job, JobId cause) {
            JobType type = type(tenant, job.type());
            JobSpec spec = admission.spec(state.derived.next(cause, now, made++), tenant, job, type, now);
            JobStatus status = Images.queued(now, now);
            JobLife.require(null, false, Deed.SUBMIT, status.state());
            facts.add(new Fact.JobAdded(spec, status));
        }

        private JobType type(TenantId tenant, String name) {
            JobType known = known(tenant, name);
            if (known != null) {
                return known;
            }
            JobType fresh = admission.typeFor(tenant, name, now);
            facts.add(new Fact.TypeSet(fresh));
            return fresh;
        }

        private @Nullable JobType known(TenantId tenant, String name) {
            for (Fact fact : facts) {
                if (fact instanceof Fact.TypeSet set
                        && set.type().tenant().equals(tenant)
                        && set.type().name().equals(name)) {
                    return set.type();
                }
            }
            return state.directory.type(tenant.number(), name);
        }
    }
}
