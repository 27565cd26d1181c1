package dev.fairlane.core.shard;

import static dev.fairlane.core.shard.Bed.MINUTE;
import static dev.fairlane.core.shard.Bed.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.Resources;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.WorkerOffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jobs that demand resources and tags (semantics §6). */
class ResourcesTest {
    /** One CPU and two GB count as one slot. */
    private static final PoolRules POOL = new PoolRules(
            "short", 10 * SECOND, 50, 5, 1_000_000 * SECOND, 0, SECOND, 0, new Resources(1_000, 2_048, 1));

    private final Bed bed = new Bed(withPool(POOL));

    static EngineConfig withPool(PoolRules pool) {
        return EngineConfig.DEFAULT.withPools(List.of(pool));
    }

    private static JobNeeds demand(int cpus, int gigabytes) {
        return new JobNeeds("", "", "", 1, new Resources(cpus * 1_000, gigabytes * 1_024, 0), List.of());
    }

    private static JobNeeds tags(String... tags) {
        return new JobNeeds("", "", "", 1, Resources.NONE, List.of(tags));
    }

    private void worker(int session, int slots, int cpus, int gigabytes, String... tags) {
        bed.engine.openSession(
                session,
                new WorkerOffer(
                        "worker-" + session,
                        null,
                        List.of("work"),
                        Map.of("short", slots),
                        new Resources(cpus * 1_000, gigabytes * 1_024, 0),
                        List.of(tags)),
                bed.now);
    }

    @Test
    void theWorkedExampleOfDominantResourceFairness() {
        TenantId memory = bed.putTenant("memory", 10);
        TenantId cpu = bed.putTenant("cpu", 10);
        worker(1, 50, 9, 18);
        for (int i = 0; i < 20; i++) {
            bed.submit(memory, Bed.needing("work", demand(1, 4)));
            bed.submit(cpu, Bed.needing("work", demand(3, 1)));
        }
        assertThat(bed.pickAllByTenant()).isEqualTo(Map.of(memory, 3, cpu, 2));
        assertThat(bed.engine.shares(memory, bed.now).getFirst().heldSlots()).isEqualTo(6);
        assertThat(bed.engine.shares(cpu, bed.now).getFirst().heldSlots()).isEqualTo(6);
    }

    @Test
    void theSameOverSeveralWorkersAndAsJobsEnd() {
        TenantId memory = bed.putTenant("memory", 10);
        TenantId cpu = bed.putTenant("cpu", 10);
        for (int session = 1; session <= 3; session++) {
            worker(session, 50, 9, 18);
        }
        List<Picked> running = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            bed.submit(memory, Bed.needing("work", demand(1, 4)));
            bed.submit(cpu, Bed.needing("work", demand(3, 1)));
        }
        for (int second = 0; second < 50; second++) {
            for (Picked next = bed.pick(); next != null; next = bed.pick()) {
                running.add(next);
            }
            assertThat(cpus(running, memory, cpu)).isLessThanOrEqualTo(27);
            bed.now += SECOND;
            bed.complete(running.removeFirst());
            bed.complete(running.removeFirst());
        }
        double held = bed.engine.shares(memory, bed.now).getFirst().slotSeconds();
        double other = bed.engine.shares(cpu, bed.now).getFirst().slotSeconds();
        assertThat(held / other).isBetween(0.85, 1.15);
    }

    private static int cpus(List<Picked> running, TenantId one, TenantId three) {
        return running.stream()
                .mapToInt(picked -> picked.lease().tenant().equals(one) ? 1 : 3)
                .sum();
    }

    @Test
    void whatFitsNowDoesNotWaitForWhatDoesNot() {
        TenantId other = bed.putTenant("other", 10);
        worker(1, 10, 4, 8);
        bed.submit(Bed.needing("work", demand(3, 1)));
        assertThat(bed.pickAllByTenant()).containsEntry(bed.tenant, 1);
        bed.submit(Bed.needing("work", demand(2, 1)));
        bed.submit(other, Bed.job("work"));
        bed.submit(other, Bed.needing("work", demand(1, 1)));
        assertThat(bed.pickAllByTenant()).isEqualTo(Map.of(other, 2));
    }

    @Test
    void aWorkerThatSaysNothingOfResourcesIsBoundedByItsSlotsOnly() {
        bed.worker(1, 2, "work");
        for (int i = 0; i < 3; i++) {
            bed.submit(Bed.needing("work", demand(64, 500)));
        }
        assertThat(bed.pickAllByTenant()).isEqualTo(Map.of(bed.tenant, 2));
    }

    @Test
    void aJobGoesOnlyToAWorkerWithAllItsTags() {
        worker(1, 5, 8, 8, "gpu");
        JobId both = bed.submit(Bed.needing("work", tags("eu", "gpu")));
        JobId one = bed.submit(Bed.needing("work", tags("gpu")));
        assertThat(bed.mustPick().lease().id()).isEqualTo(one);
        assertThat(bed.pick()).isNull();
        assertThat(bed.engine.explain(both, bed.now).reasons()).containsExactly(WaitReason.NO_WORKER);
        assertThat(bed.engine.findStranded(10, bed.now)).hasSize(1);
        worker(2, 5, 8, 8, "eu", "gpu");
        assertThat(bed.engine.findStranded(10, bed.now)).isEmpty();
        Picked picked = bed.mustPick();
        assertThat(picked.lease().id()).isEqualTo(both);
        assertThat(picked.lease().session()).isEqualTo(2);
    }

    @Test
    void aJobTooBigForEveryWorkerIsToldApartFromOneThatWaitsForRoom() {
        worker(1, 5, 4, 8);
        JobId tooBig = bed.submit(Bed.needing("work", demand(5, 1)));
        bed.submit(Bed.needing("work", demand(3, 1)));
        assertThat(bed.pickAllByTenant()).isEqualTo(Map.of(bed.tenant, 1));
        JobId waits = bed.submit(Bed.needing("work", demand(4, 1)));
        assertThat(bed.pick()).isNull();
        assertThat(bed.engine.explain(tooBig, bed.now).reasons()).containsExactly(WaitReason.NO_WORKER);
        assertThat(bed.engine.explain(waits, bed.now).reasons()).containsExactly(WaitReason.NO_ROOM);
    }

    @Test
    void smallJobsCannotStarveABigOne() {
        TenantId small = bed.putTenant("small", 10);
        worker(1, 20, 8, 64);
        worker(2, 20, 8, 64);
        List<Picked> running = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            bed.submit(small, Bed.needing("work", demand(1, 1)));
        }
        for (Picked next = bed.pick(); next != null; next = bed.pick()) {
            running.add(next);
        }
        // the small ones were there first and end one by one
        JobId big = bed.submit(Bed.needing("work", demand(6, 1)));
        long waited = 0;
        while (waited < 3 * MINUTE) {
            for (Picked next = bed.pick(); next != null; next = bed.pick()) {
                if (next.lease().id().equals(big)) {
                    assertThat(waited).isGreaterThanOrEqualTo(BigJobs.PATIENCE_MICROS);
                    return;
                }
                running.add(next);
            }
            bed.pass(SECOND);
            waited += SECOND;
            bed.engine.renewAll(bed.now);
            bed.complete(running.removeFirst());
        }
        assertThat(waited).as("the big job ran").isLessThan(3 * MINUTE);
    }

    /** A worker of the pools short and medium, in which the type "more" is. */
    private static Bed twoPools(int cpus) {
        Bed two = new Bed();
        two.apply(new Fact.TypeSet(
                new JobType(two.tenant, "more", "medium", 0, 0, two.now, LimitsTest.maxInFlight(0), 0)));
        two.engine.openSession(
                1,
                new WorkerOffer(
                        "worker",
                        null,
                        List.of("work", "more"),
                        Map.of("short", 20, "medium", 20),
                        new Resources(cpus * 1_000, 65_536, 0),
                        List.of()),
                two.now);
        return two;
    }

    @Test
    void smallJobsOfAnotherPoolCannotStarveABigOneEither() {
        Bed two = twoPools(8);
        List<Picked> running = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            two.submit(Bed.needing("work", demand(1, 1)));
        }
        for (Picked next = two.pick(); next != null; next = two.pick()) {
            running.add(next);
        }
        assertThat(running).hasSize(8);
        JobId big = two.submit(Bed.needing("more", demand(6, 1)));
        for (int second = 0; second < 180; second++) {
            for (Picked next = two.pick(); next != null; next = two.pick()) {
                if (next.lease().id().equals(big)) {
                    two.complete(next);
                    assertThat(two.pick()).as("the others go on").isNotNull();
                    return;
                }
                running.add(next);
            }
            two.pass(SECOND);
            two.engine.renewAll(two.now);
            two.complete(running.removeFirst());
            if (second == 32) {
                two.submit(Bed.job("work"));
                Picked plain = two.mustPick();
                assertThat(plain.lease().spec().terms().needs().demand())
                        .as("what takes nothing of the worker's resources goes on")
                        .isEqualTo(Resources.NONE);
                two.complete(plain);
            }
        }
        assertThat(two.state(big)).as("the big job").isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void poolsThatShareAWorkersResourcesTakeTurns() {
        Bed two = twoPools(1);
        for (int i = 0; i < 20; i++) {
            two.submit(Bed.needing("work", demand(1, 1)));
            two.submit(Bed.needing("more", demand(1, 1)));
        }
        Map<String, Integer> ran = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            Picked next = two.mustPick();
            ran.merge(next.lease().spec().pool(), 1, Integer::sum);
            two.complete(next);
        }
        assertThat(ran).isEqualTo(Map.of("short", 10, "medium", 10));
    }

    @Test
    void aReconnectingWorkerKeepsWhatItsJobsTake() {
        worker(1, 10, 4, 8);
        bed.submit(Bed.needing("work", demand(3, 1)));
        Picked picked = bed.mustPick();
        bed.engine.closeSession(1);
        worker(2, 10, 4, 8);
        bed.engine.renew(
                2,
                new long[] {picked.lease().id().lo()},
                new long[] {picked.lease().status().token()},
                1,
                bed.now);
        bed.submit(Bed.needing("work", demand(2, 1)));
        assertThat(bed.pick()).isNull();
        bed.complete(picked);
        bed.mustPick();
    }

    @Test
    void tooManyDifferentDemandsAreRefused() {
        int most = submitDifferent(KeyLimits.MAX_REQUIREMENTS);
        assertThat(most).isBetween(KeyLimits.MAX_REQUIREMENTS / 2, KeyLimits.MAX_REQUIREMENTS - 1);
        assertThat(ask(bed.tenant, millis(most + 1))).isInstanceOfSatisfying(Answer.Refused.class, refused -> {
            assertThat(refused.refusal().code()).isEqualTo(RefusalCode.NODE_FULL);
            assertThat(refused.refusal().present()).isEqualTo(most);
        });
        bed.submit(Bed.job("work"));
        bed.submit(Bed.needing("work", millis(5)));

        TenantId other = bed.putTenant("other", 10);
        for (int i = 0; i < 10; i++) {
            assertThat(ask(other, millis(10_000 + i))).as("another's").isInstanceOf(Answer.Submitted.class);
        }
    }

    private static JobNeeds millis(int cpuMillis) {
        return new JobNeeds("", "", "", 1, new Resources(cpuMillis, 0, 0), List.of());
    }

    private Answer ask(TenantId tenant, JobNeeds needs) {
        return bed.send(new Command.Submit(bed.newId(), tenant, Bed.needing("work", needs)));
    }

    /** How many were taken. */
    private int submitDifferent(int tries) {
        int taken = 0;
        for (int i = 1; i <= tries; i++) {
            taken += ask(bed.tenant, millis(i)) instanceof Answer.Submitted ? 1 : 0;
        }
        return taken;
    }

    @Test
    void whoEndedItsJobsMayDemandOtherThings() {
        int most = submitDifferent(KeyLimits.MAX_REQUIREMENTS);
        List<JobId> all = bed.engine.hardState(bed.now).jobs().stream()
                .map(job -> job.id())
                .toList();
        assertThat(all).hasSize(most);
        all.forEach(id -> bed.send(new Command.Cancel(null, id)));
        assertThat(ask(bed.tenant, millis(77_777))).isInstanceOf(Answer.Submitted.class);
        assertThat(bed.engine.hardState(bed.now).jobs()).hasSize(1);
    }

    @Test
    void whatFarJobsDemandCountsUntilTheyEnd() {
        int taken = 0;
        List<Fact.JobAdded> far = new ArrayList<>();
        for (int i = 1; i <= 2 * KeyLimits.MAX_REQUIREMENTS; i++) {
            NewJob later = new NewJob(
                    "work",
                    Payload.EMPTY,
                    0,
                    -1,
                    0,
                    Bed.HOUR,
                    0,
                    0,
                    0,
                    "",
                    0,
                    Map.of(),
                    Map.of(),
                    new JobTerms(JobTerms.DEFAULT_LANE, 0, "", "", "", false, 0, millis(i)));
            if (bed.send(new Command.Submit(bed.newId(), bed.tenant, later)) instanceof Answer.Submitted) {
                taken++;
                far.add((Fact.JobAdded) bed.facts.getLast());
                assertThat(bed.engine.depart(far.getLast().spec(), far.getLast().status(), bed.now))
                        .isTrue();
            }
        }
        assertThat(taken).isLessThan(KeyLimits.MAX_REQUIREMENTS);
        for (Fact.JobAdded job : far) {
            bed.engine.arrive(job.spec(), job.status(), false);
            bed.send(new Command.Cancel(null, job.id()));
        }
        assertThat(submitDifferent(KeyLimits.MAX_REQUIREMENTS)).isEqualTo(taken);
    }
}
