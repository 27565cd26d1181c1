package dev.fairlane.core.shard;

import dev.fairlane.core.admission.Admission;
import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.GroupProgress;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Refusal;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.ReservedTypes;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.outcome.Deed;
import dev.fairlane.core.outcome.Images;
import dev.fairlane.core.outcome.JobLife;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a decision on jobs leads to beyond them, added to the same decision so that all of it becomes true in one step: a member that
 * joins or ends moves its group, the last one to end brings the group's callback, and whoever ended a job, and however, its webhook is
 * submitted with its end. Reads only.
 *
 * <p>Jobs made here pass no limit on open jobs: each comes from one that just ended, or from a group.
 */
final class Aftermath {
    private final ShardState state;
    private final Admission admission;
    private final TickDecider ticks;

    Aftermath(ShardState state, Admission admission, TickDecider ticks) {
        this.state = state;
        this.admission = admission;
        this.ticks = ticks;
    }

    /** The decision with all that follows from it; a refusal if it adds to a group that takes no more. */
    Decision of(Decision decision, long now) {
        Following following = null;
        List<Fact> facts = decision.facts();
        for (int i = 0; i < facts.size(); i++) {
            switch (facts.get(i)) {
                case Fact.JobAdded added
                when !added.spec().terms().group().isEmpty() -> {
                    following = following == null ? new Following(facts, now) : following;
                    Decision refusal = following.joined(added);
                    if (refusal != null) {
                        return refusal;
                    }
                }
                case Fact.JobReplayed replayed
                when !replayed.spec().terms().group().isEmpty() -> {
                    following = following == null ? new Following(facts, now) : following;
                    following.revived(replayed.spec());
                }
                case Fact.JobEnded ended -> {
                    int slot = state.jobs.find(ended.id());
                    Ties.Tie tie = slot == ShardState.NONE ? null : state.ties.of(slot);
                    if (tie != null) {
                        following = following == null ? new Following(facts, now) : following;
                        following.ended(ended, slot, tie);
                    }
                    if (DerivedIds.derived(ended.id()) && state.schedules.ofRun(ended.id()) != null) {
                        following = following == null ? new Following(facts, now) : following;
                        following.runEnded(ended);
                    }
                }
                case Fact.GroupChanged changed
                when changed.progress().complete() -> {
                    following = following == null ? new Following(facts, now) : following;
                    following.sealed(changed);
                }
                default -> {}
            }
        }
        return following == null ? decision : following.whole(decision.answer());
    }

    private final class Following {
        private final List<Fact> facts;
        private final long now;
        private final Map<String, GroupProgress> groups = new LinkedHashMap<>();
        /** By group, the priority its callback takes over from those who waited for what a member held. */
        private final Map<String, Integer> inherited = new HashMap<>(2);

        private int made;

        Following(List<Fact> decided, long now) {
            this.facts = new ArrayList<>(decided);
            this.now = now;
            for (Fact fact : decided) {
                made += fact instanceof Fact.JobAdded added && DerivedIds.derived(added.id()) ? 1 : 0;
            }
        }

        /** The run of a schedule. */
        void runEnded(Fact.JobEnded ended) {
            Fact moved = ticks.ended(ended, facts, now);
            if (moved != null) {
                facts.add(moved);
            }
        }

        /** Null, or why the job cannot join. */
        @Nullable Decision joined(Fact.JobAdded added) {
            String id = added.spec().terms().group();
            JobGroup group = state.groups.find(id);
            if (group == null || !group.tenant().equals(added.spec().tenant())) {
                return Decision.refused(
                        RefusalCode.GROUP_NOT_FOUND,
                        "there is no open group " + id + "; one that is done takes no more");
            }
            GroupProgress was = progress(id, group);
            if (was.state() != GroupProgress.State.OPEN) {
                return Decision.refused(RefusalCode.GROUP_SEALED, "group " + id + " is sealed and takes no more jobs");
            }
            if (was.total() >= JobGroup.MAX_MEMBERS) {
                return Decision.of(new Answer.Refused(new Refusal(
                        RefusalCode.INVALID_ARGUMENT,
                        "group: expected at most " + JobGroup.MAX_MEMBERS + " jobs in group " + id + ", and it has "
                                + was.total() + "; make another",
                        0,
                        JobGroup.MAX_MEMBERS,
                        was.total())));
            }
            groups.put(id, was.joined(now));
            return null;
        }

        /** A dead member lives again. A group that is done stays as it is. */
        void revived(JobSpec member) {
            String id = member.terms().group();
            JobGroup group = state.groups.find(id);
            if (group != null) {
                groups.put(id, progress(id, group).revived(now));
            }
        }

        void ended(Fact.JobEnded ended, int slot, Ties.Tie tie) {
            JobGroup group = tie.group().isEmpty() ? null : state.groups.find(tie.group());
            if (group != null) {
                groups.put(
                        tie.group(),
                        progress(tie.group(), group).ended(ended.status().state(), now));
                inherit(tie.group(), slot);
            }
            if (!tie.webhook().isEmpty()) {
                tell(ended, slot, tie.webhook());
            }
        }

        /** A job that held a concurrency key for which a more urgent one waits hands that one's priority on (semantics §6). */
        private void inherit(String group, int slot) {
            if (state.jobs.state(slot).leased()) {
                int own = state.jobs.priority(slot);
                int most = state.keyLimits.inherited(slot, state.queue(slot), own);
                if (most < own) {
                    inherited.merge(group, most, Math::min);
                }
            }
        }

        /** Sealed with nobody left to wait for: the image that was decided is replaced by that of the end. */
        void sealed(Fact.GroupChanged changed) {
            facts.remove(changed);
            groups.put(changed.id().toString(), changed.progress());
        }

        private GroupProgress progress(String id, JobGroup group) {
            return groups.getOrDefault(id, group.progress());
        }

        /** One image for each group that moved, however often it did. */
        Decision whole(Answer decided) {
            Answer answer = decided;
            for (Map.Entry<String, GroupProgress> moved : groups.entrySet()) {
                JobGroup group = Objects.requireNonNull(state.groups.find(moved.getKey()));
                GroupProgress progress = moved.getValue();
                if (progress.complete()) {
                    progress = progress.done(callback(group, progress), now);
                    answer = decided instanceof Answer.GroupIs ? new Answer.GroupIs(group.with(progress)) : answer;
                }
                facts.add(new Fact.GroupChanged(group.id(), progress));
            }
            return new Decision(List.copyOf(facts), answer);
        }

        private @Nullable JobId callback(JobGroup group, GroupProgress progress) {
            JobSpec callback = group.callback();
            boolean wanted =
                    group.callbackOn() == JobGroup.CallbackOn.ALL_DONE || progress.succeeded() == progress.total();
            if (callback == null || !wanted) {
                return null;
            }
            register(callback.tenant(), callback.type());
            Map<String, String> headers = new TreeMap<>(callback.headers());
            headers.put("fairlane-group", group.id().toString());
            headers.put("fairlane-group-total", Integer.toString(progress.total()));
            headers.put("fairlane-group-succeeded", Integer.toString(progress.succeeded()));
            headers.put("fairlane-group-dead", Integer.toString(progress.dead()));
            headers.put("fairlane-group-cancelled", Integer.toString(progress.cancelled()));
            headers.put("fairlane-group-expired", Integer.toString(progress.expired()));
            return add(new JobSpec(
                    state.derived.next(group.id(), now, made++),
                    callback.tenant(),
                    callback.type(),
                    callback.pool(),
                    Math.min(
                            callback.priority(),
                            inherited.getOrDefault(group.id().toString(), callback.priority())),
                    callback.payload(),
                    callback.payloadVersion(),
                    now,
                    now,
                    0,
                    callback.maxAttempts(),
                    callback.timeLimitMicros(),
                    "",
                    0,
                    callback.tags(),
                    headers,
                    callback.terms()));
        }

        private void tell(Fact.JobEnded ended, int slot, String webhook) {
            TenantId tenant = new TenantId(state.tenant(slot));
            Tenant owner = Objects.requireNonNull(state.directory.tenant(tenant.number()));
            NewJob delivery = new NewJob(
                    ReservedTypes.WEBHOOK,
                    JobNews.of(ended, owner.name(), state.queue(slot).type()),
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
                    Map.of(ReservedTypes.URL_HEADER, webhook));
            JobType type = register(tenant, delivery.type());
            add(admission.spec(state.derived.next(ended.id(), now, made++), tenant, delivery, type, now));
        }

        private JobId add(JobSpec spec) {
            JobLife.require(null, false, Deed.SUBMIT, Images.queued(now, now).state());
            facts.add(new Fact.JobAdded(spec, Images.queued(now, now)));
            return spec.id();
        }

        private JobType register(TenantId tenant, String name) {
            for (Fact fact : facts) {
                if (fact instanceof Fact.TypeSet set
                        && set.type().tenant().equals(tenant)
                        && set.type().name().equals(name)) {
                    return set.type();
                }
            }
            JobType known = state.directory.type(tenant.number(), name);
            if (known != null) {
                return known;
            }
            JobType fresh = admission.typeFor(tenant, name, now);
            facts.add(new Fact.TypeSet(fresh));
            return fresh;
        }
    }
}
