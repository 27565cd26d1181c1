package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.GroupProgress;
import dev.fairlane.core.model.GroupProgress.State;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobGroup.CallbackOn;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Refusal;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.TenantId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A group's image is the fold of its members, and its callback comes once, in the step that ends the last of them. */
class GroupTest {
    private final Bed bed = new Bed();

    private JobId group(@Nullable NewJob callback, CallbackOn on) {
        Answer answer = bed.send(new Command.CreateGroup(bed.newId(), bed.tenant, "night", callback, on));
        return ((Answer.GroupIs) answer).group().id();
    }

    private static NewJob in(JobId group) {
        JobTerms terms = new JobTerms(JobTerms.DEFAULT_LANE, 0, "", group.toString(), "", false, 0);
        return new NewJob("mail", Payload.EMPTY, 0, -1, 0, 0, 0, 0, 0, "", 0, Map.of(), Map.of(), terms);
    }

    private Answer seal(JobId group) {
        return bed.send(new Command.SealGroup(null, group));
    }

    private GroupProgress progress(JobId group) {
        GroupProgress last = null;
        for (Fact fact : bed.facts) {
            if (fact instanceof Fact.GroupAdded added && added.group().id().equals(group)) {
                last = added.group().progress();
            } else if (fact instanceof Fact.GroupChanged changed && changed.id().equals(group)) {
                last = changed.progress();
            }
        }
        assertThat(last).isNotNull();
        return last;
    }

    private List<JobSpec> callbacks() {
        return bed.facts.stream()
                .filter(fact -> fact instanceof Fact.JobAdded added
                        && added.spec().type().equals("after"))
                .map(fact -> ((Fact.JobAdded) fact).spec())
                .toList();
    }

    private static RefusalCode code(Answer answer) {
        return ((Answer.Refused) answer).refusal().code();
    }

    @Test
    void aFullGroupSaysHowManyItHas() {
        JobId group = group(null, CallbackOn.ALL_DONE);
        GroupProgress full =
                new GroupProgress(State.OPEN, JobGroup.MAX_MEMBERS, JobGroup.MAX_MEMBERS, 0, 0, 0, null, bed.now, 0);
        bed.apply(new Fact.GroupChanged(group, full));
        Answer answer = bed.send(new Command.Submit(bed.newId(), bed.tenant, in(group)));
        assertThat(code(answer)).isEqualTo(RefusalCode.INVALID_ARGUMENT);
        Refusal refusal = ((Answer.Refused) answer).refusal();
        assertThat(refusal.limit()).isEqualTo(JobGroup.MAX_MEMBERS);
        assertThat(refusal.present()).isEqualTo(JobGroup.MAX_MEMBERS);
        assertThat(bed.engine.openJobs()).isZero();
    }

    @Test
    void theCallbackTakesOverThePriorityOfWhoWaitedForWhatAMemberHeld() {
        bed.worker(1, 10, "mail");
        bed.setRules(bed.tenant, LimitsTest.limits(LimitsTest.atOnce("account-7", 1)));
        JobNeeds key = LimitsTest.key("account-7");
        JobId group = group(Bed.job("after"), CallbackOn.ALL_DONE);
        bed.submit(with(-1, group.toString(), key));
        seal(group);
        Picked holder = bed.mustPick();
        bed.submit(with(2, "", key));
        bed.submit(with(0, "", JobNeeds.NONE)); // waits for nothing the member holds
        bed.complete(holder);
        assertThat(callbacks()).extracting(JobSpec::priority).containsExactly(2);
    }

    @Test
    void withoutAnUrgentWaiterTheCallbackKeepsItsPriority() {
        bed.worker(1, 10, "mail");
        JobNeeds key = LimitsTest.key("account-7");
        JobId group = group(Bed.priority("after", 3), CallbackOn.ALL_DONE);
        bed.submit(with(0, group.toString(), key));
        seal(group);
        Picked member = bed.mustPick();
        bed.complete(member);
        assertThat(callbacks()).extracting(JobSpec::priority).containsExactly(3);
    }

    private static NewJob with(int priority, String group, JobNeeds needs) {
        JobTerms terms = new JobTerms(JobTerms.DEFAULT_LANE, 0, "", group, "", false, 0, needs);
        return new NewJob("mail", Payload.EMPTY, 0, priority, 0, 0, 0, 0, 0, "", 0, Map.of(), Map.of(), terms);
    }

    @Test
    void theLastEndAndTheCallbackAreOneStep() {
        bed.worker(1, 2, "mail");
        JobId group = group(Bed.job("after"), CallbackOn.ALL_DONE);
        bed.submit(in(group));
        bed.submit(in(group));
        seal(group);
        bed.complete(bed.mustPick());
        assertThat(progress(group).succeeded()).isEqualTo(1);
        assertThat(callbacks()).isEmpty();

        Picked last = bed.mustPick();
        Decision decision = bed.engine.decide(
                new Command.Complete(last.lease().id(), last.lease().status().token(), Payload.EMPTY), bed.now);
        assertThat(decision.facts())
                .hasExactlyElementsOfTypes(
                        Fact.JobEnded.class, Fact.TypeSet.class, Fact.JobAdded.class, Fact.GroupChanged.class);
        decision.facts().forEach(bed::apply);
        GroupProgress done = progress(group);
        assertThat(done.state()).isEqualTo(State.DONE);
        assertThat(done.doneAt()).isEqualTo(bed.now);
        JobSpec callback = callbacks().getFirst();
        assertThat(done.callbackJob()).isEqualTo(callback.id());
        assertThat(callback.submittedAt()).isEqualTo(bed.now);
        assertThat(callback.headers())
                .containsEntry("fairlane-group", group.toString())
                .containsEntry("fairlane-group-total", "2")
                .containsEntry("fairlane-group-succeeded", "2")
                .containsEntry("fairlane-group-dead", "0");
        assertThat(bed.engine.group(group)).isNull();
    }

    @Test
    void anOpenGroupWaitsForItsSeal() {
        bed.worker(1, 1, "mail");
        JobId group = group(Bed.job("after"), CallbackOn.ALL_DONE);
        bed.submit(in(group));
        bed.complete(bed.mustPick());
        assertThat(progress(group).state()).isEqualTo(State.OPEN);
        GroupProgress answered = ((Answer.GroupIs) seal(group)).group().progress();
        assertThat(answered.state()).isEqualTo(State.DONE);
        assertThat(progress(group)).isEqualTo(answered);
        assertThat(callbacks()).hasSize(1);
    }

    @Test
    void anEmptyGroupIsDoneWhenItIsSealed() {
        JobId group = group(null, CallbackOn.ALL_DONE);
        assertThat(((Answer.GroupIs) seal(group)).group().progress().state()).isEqualTo(State.DONE);
        assertThat(seal(group)).isEqualTo(new Answer.NotInMemory(group));
    }

    @Test
    void membersThatDidNotSucceedCountAndMayForbidTheCallback() {
        bed.worker(1, 1, "mail");
        JobId group = group(Bed.job("after"), CallbackOn.ALL_SUCCEEDED);
        bed.submit(in(group));
        JobId cancelled = bed.submit(in(group));
        seal(group);
        bed.fail(bed.mustPick(), FailureClass.NON_RETRYABLE);
        bed.send(new Command.Cancel(null, cancelled));
        GroupProgress done = progress(group);
        assertThat(done.state()).isEqualTo(State.DONE);
        assertThat(done.dead()).isEqualTo(1);
        assertThat(done.cancelled()).isEqualTo(1);
        assertThat(done.callbackJob()).isNull();
        assertThat(callbacks()).isEmpty();
    }

    @Test
    void aSealedADoneAndAStrangersGroupTakeNobody() {
        JobId group = group(null, CallbackOn.ALL_DONE);
        JobId waiting = bed.submit(in(group));
        seal(group);
        int facts = bed.facts.size();
        assertThat(code(bed.send(new Command.Submit(bed.newId(), bed.tenant, in(group)))))
                .isEqualTo(RefusalCode.GROUP_SEALED);
        bed.facts
                .subList(facts, bed.facts.size())
                .forEach(fact -> assertThat(fact).isNotInstanceOf(Fact.JobAdded.class));
        bed.send(new Command.Cancel(null, waiting));
        assertThat(code(bed.send(new Command.Submit(bed.newId(), bed.tenant, in(group)))))
                .isEqualTo(RefusalCode.GROUP_NOT_FOUND);
        JobId theirs = group(null, CallbackOn.ALL_DONE);
        TenantId other = bed.putTenant("other", 10);
        assertThat(code(bed.send(new Command.Submit(bed.newId(), other, in(theirs)))))
                .isEqualTo(RefusalCode.GROUP_NOT_FOUND);
        assertThat(code(bed.send(new Command.SealGroup(other, theirs)))).isEqualTo(RefusalCode.GROUP_NOT_FOUND);
        assertThat(progress(theirs).state()).isEqualTo(State.OPEN);
    }

    @Test
    void aCallbackHasNoTimeNoKeyNoGroupAndNoReservedType() {
        JobId group = group(null, CallbackOn.ALL_DONE);
        for (NewJob bad : List.of(
                Bed.later("after", 1), Bed.keyed("after", "k", 1), Bed.notAfter("after", bed.now + 1), in(group))) {
            assertThat(code(bed.send(new Command.CreateGroup(bed.newId(), bed.tenant, "", bad, CallbackOn.ALL_DONE))))
                    .isEqualTo(RefusalCode.INVALID_ARGUMENT);
        }
        assertThat(code(bed.send(new Command.CreateGroup(
                        bed.newId(), bed.tenant, "", Bed.job("fairlane.webhook"), CallbackOn.ALL_DONE))))
                .isEqualTo(RefusalCode.RESERVED_TYPE);
    }

    /** Random life of several groups; after every step the image is the fold, before and after a restart. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void theImageIsAlwaysTheFoldOfTheMembers(long seed) {
        Random random = new Random(seed);
        Map<JobId, List<JobId>> members = new HashMap<>();
        List<JobId> groups = new ArrayList<>();
        bed.worker(1, 3, "mail");
        List<Picked> running = new ArrayList<>();
        for (int step = 0; step < 400; step++) {
            switch (random.nextInt(8)) {
                case 0 ->
                    groups.add(group(random.nextBoolean() ? Bed.job("after") : null, CallbackOn.of(random.nextInt(2))));
                case 1, 2, 3 -> {
                    if (!groups.isEmpty()) {
                        JobId group = groups.get(random.nextInt(groups.size()));
                        if (bed.send(new Command.Submit(bed.newId(), bed.tenant, in(group)))
                                instanceof Answer.Submitted taken) {
                            members.computeIfAbsent(group, _ -> new ArrayList<>())
                                    .add(taken.id());
                        }
                    }
                }
                case 4 -> {
                    if (!groups.isEmpty()) {
                        seal(groups.get(random.nextInt(groups.size())));
                    }
                }
                case 5, 6 -> {
                    Picked picked = bed.pick();
                    if (picked != null) {
                        running.add(picked);
                    }
                }
                default -> {
                    if (!running.isEmpty()) {
                        Picked one = running.removeFirst();
                        switch (random.nextInt(3)) {
                            case 0 -> bed.fail(one, FailureClass.NON_RETRYABLE);
                            case 1 ->
                                bed.send(new Command.Cancel(null, one.lease().id(), false));
                            default -> bed.complete(one);
                        }
                    }
                }
            }
            groups.forEach(group -> check(group, members.getOrDefault(group, List.of())));
            if (random.nextInt(25) == 0) {
                Engine again = new Engine(bed.config, Bed.EPOCH + step + 1);
                bed.facts.forEach(again::apply);
                assertThat(again.hardState(bed.now)).isEqualTo(bed.engine.hardState(bed.now));
            }
        }
        assertThat(groups)
                .anySatisfy(group -> assertThat(progress(group).state()).isEqualTo(State.DONE));
        long wanted = groups.stream()
                .filter(group -> progress(group).callbackJob() != null)
                .count();
        assertThat(callbacks())
                .as("one callback for each group that wanted one")
                .hasSize((int) wanted);
    }

    private void check(JobId id, List<JobId> members) {
        GroupProgress progress = progress(id);
        assertThat(progress.total()).isEqualTo(members.size());
        assertThat(progress.succeeded()).isEqualTo(count(members, JobState.SUCCEEDED));
        assertThat(progress.dead()).isEqualTo(count(members, JobState.DEAD));
        assertThat(progress.cancelled()).isEqualTo(count(members, JobState.CANCELLED));
        JobGroup inMemory = bed.engine.group(id);
        if (progress.state() == State.DONE) {
            assertThat(inMemory).isNull();
            assertThat(progress.ended()).isEqualTo(progress.total());
        } else {
            assertThat(inMemory).isNotNull();
            assertThat(inMemory.progress()).isEqualTo(progress);
        }
    }

    private int count(List<JobId> members, JobState state) {
        return (int) members.stream()
                .filter(bed.ended::containsKey)
                .filter(id -> bed.ended.get(id).status().state() == state)
                .count();
    }
}
