package dev.fairlane.core.shard;

import static dev.fairlane.core.shard.Bed.MINUTE;
import static dev.fairlane.core.shard.Bed.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Why a job waits, as it is told (semantics §6). */
class WaitsTest {
    private final Bed bed = new Bed();

    private WaitingJob why(JobId id) {
        return bed.engine.explain(id, bed.now);
    }

    private Set<WaitReason> reasons(JobId id) {
        return why(id).reasons();
    }

    @Test
    void whenOthersHaveTheSlotsItIsForFairShare() {
        bed.worker(1, 4, "work");
        TenantId other = bed.putTenant("other", 10);
        for (int i = 0; i < 4; i++) {
            bed.submit(other, Bed.job("work"));
        }
        assertThat(bed.pickAll()).hasSize(4);
        JobId below = bed.submit("work");
        assertThat(reasons(below)).containsExactly(WaitReason.FAIR_SHARE);
        JobId own = bed.submit(other, Bed.job("work"));
        assertThat(reasons(own)).as("its tenant has every slot itself").containsExactly(WaitReason.NO_ROOM);
    }

    @Test
    void aTenantThatHasItsShareWaitsForOthers() {
        bed.worker(1, 4, "work");
        TenantId other = bed.putTenant("other", 10);
        for (int i = 0; i < 10; i++) {
            bed.submit("work");
            bed.submit(other, Bed.job("work"));
        }
        assertThat(bed.pickAll()).hasSize(4);
        assertThat(reasons(bed.submit("work"))).containsExactly(WaitReason.FAIR_SHARE);
    }

    @Test
    void asManyOfATenantRunAsMay() {
        bed.worker(1, 10, "work");
        bed.setRules(bed.tenant, TiersTest.inFlight(1));
        bed.submit("work");
        JobId waits = bed.submit("work");
        bed.pickAll();
        assertThat(reasons(waits)).containsExactly(WaitReason.TENANT_CAP);
    }

    @Test
    void asManyUseADependencyAsItBears() {
        declare("pay", List.of("stripe"), Map.of("stripe", 1));
        bed.worker(1, 10, "pay", "other");
        bed.submit("pay");
        JobId waits = bed.submit("pay");
        Picked first = bed.mustPick();
        assertThat(bed.pick()).isNull();
        assertThat(reasons(waits)).containsExactly(WaitReason.DEPENDENCY_CAP);
        bed.complete(first);
        JobId blaming = bed.submit("other");
        Picked second = bed.mustPick();
        Picked third = bed.mustPick();
        bed.fail(second.lease().id().equals(blaming) ? second : third, down());
        bed.pass(3 * SECOND);
        bed.engine.renewAll(bed.now);
        assertThat(bed.pick()).isNull();
        assertThat(bed.state(blaming)).isEqualTo(JobState.QUEUED);
        assertThat(reasons(blaming)).as("taken out of its line").containsExactly(WaitReason.DEPENDENCY_CAP);
    }

    @Test
    void aRetryHeldBackSaysWhatHoldsIt() {
        declare("pay", List.of(), Map.of());
        bed.worker(1, 10_000, "pay", "mail");
        List<JobId> paying = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            paying.add(bed.submit("pay"));
        }
        bed.pickAll().forEach(picked -> bed.fail(picked, down()));
        assertThat(reasons(paying.getFirst())).containsExactly(WaitReason.NOT_DUE);
        bed.pass(5 * SECOND);
        assertThat(reasons(paying.getLast())).containsExactly(WaitReason.BREAKER);
    }

    @Test
    void aRetryBeyondTheBudgetSaysSo() {
        declare("mail", List.of(), Map.of());
        bed.worker(1, 10_000, "mail");
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            ids.add(bed.submit("mail"));
        }
        bed.now += 2 * MINUTE;
        bed.pickAll().forEach(picked -> bed.fail(picked, FailureClass.RESOURCE_VIOLATION));
        bed.now += 2 * MINUTE;
        bed.pass(0);
        assertThat(bed.pickAll()).hasSize(60);
        JobId last = ids.stream()
                .filter(id -> bed.state(id) == JobState.RETRY_WAIT)
                .findFirst()
                .orElseThrow();
        assertThat(reasons(last)).containsExactly(WaitReason.RETRY_BUDGET);
    }

    @Test
    void aDueJobThatIsNotQueuedYetIsNotCalledNotDue() {
        JobId id = bed.submit(Bed.later("work", 10 * SECOND));
        assertThat(reasons(id)).containsExactly(WaitReason.NOT_DUE);
        bed.now += 10 * SECOND;
        assertThat(reasons(id)).containsExactly(WaitReason.PROMOTION);
        bed.pass(SECOND);
        assertThat(reasons(id)).containsExactly(WaitReason.NO_WORKER);
    }

    @Test
    void aPausedJobWaitsForNothingElse() {
        bed.worker(1, 1, "work");
        TenantId other = bed.putTenant("other", 10);
        bed.submit(other, Bed.job("work"));
        bed.mustPick();
        JobId id = bed.submit("work");
        bed.send(new Command.Pause(null, id, true));
        assertThat(reasons(id)).containsExactly(WaitReason.JOB_PAUSED);
    }

    @Test
    void aheadCountsTheWholeLane() {
        bed.submit("a");
        bed.submit("b");
        bed.now += SECOND;
        JobId job = bed.submit("a");
        JobId other = bed.submit(Bed.inLane("a", "elsewhere", JobNeeds.NONE));
        bed.submit("b");
        bed.submit(Bed.priority("c", 1));
        assertThat(why(job).ahead()).as("a, b and the urgent c").isEqualTo(3);
        assertThat(why(job).laneWaiting()).isEqualTo(5);
        assertThat(why(other).ahead()).isZero();
    }

    @Test
    void aCapSaysHowManyGoAtOnceAndHowManyOfItsKindAreBeforeIt() {
        bed.worker(1, 100, "a", "b");
        bed.setRules(bed.tenant, LimitsTest.limits(LimitsTest.atOnce("k", 2)));
        bed.apply(new Fact.TypeSet(new JobType(bed.tenant, "b", "short", 0, 0, bed.now, LimitsTest.maxInFlight(3), 0)));
        for (int i = 0; i < 5; i++) {
            bed.submit(Bed.needing("a", LimitsTest.key("k")));
            bed.submit("b");
        }
        bed.pickAll();
        WaitingJob ofKey = why(bed.submit(Bed.needing("a", LimitsTest.key("k"))));
        assertThat(ofKey.reasons()).containsExactly(WaitReason.KEY_CAP);
        assertThat(ofKey.cap()).isEqualTo(2);
        assertThat(ofKey.aheadAtCap()).isEqualTo(3);
        assertThat(ofKey.ahead()).isEqualTo(5);
        WaitingJob ofType = why(bed.submit("b"));
        assertThat(ofType.reasons()).containsExactly(WaitReason.TYPE_CAP);
        assertThat(ofType.cap()).isEqualTo(3);
        assertThat(ofType.aheadAtCap()).isEqualTo(2);
    }

    @Test
    void strandedJobsThatCameLatelyDoNotHideOldOnes() {
        TenantId old = bed.putTenant("old", 10);
        for (int i = 0; i < 20; i++) {
            bed.submit("new-" + i);
        }
        bed.submit(old, Bed.job("old"));
        long then = bed.now;
        bed.now += MINUTE;
        for (int i = 0; i < 20; i++) {
            bed.submit("newer-" + i);
        }
        assertThat(bed.engine.findStranded(100, then)).hasSize(21);
        assertThat(bed.engine.findStranded(100, then - 1)).isEmpty();
        assertThat(bed.engine.findStranded(100, bed.now)).hasSize(41);
    }

    private void declare(String type, List<String> dependencies, Map<String, Integer> caps) {
        bed.send(new Command.PutType(bed.tenant, type, "short", 50, Bed.HOUR, GuardsTest.rules(dependencies, caps, 0)));
    }

    private static Failure down() {
        return new Failure(FailureClass.DEPENDENCY, "503", "", 0, "stripe", "");
    }
}
