package dev.fairlane.core.shard;

import static dev.fairlane.core.shard.Bed.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.Notice;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.ReservedTypes;
import dev.fairlane.core.model.Resources;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.TenantRules;
import dev.fairlane.core.model.TenantRules.LaneRules;
import dev.fairlane.core.model.Tier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What tiers have beyond their weight (semantics §6). */
class TiersTest {
    private final Bed bed = new Bed();

    static TenantRules tier(Tier tier) {
        return TenantRules.NONE.inTier(tier);
    }

    static TenantRules reserving(int slots) {
        return new TenantRules(
                Tier.ENTERPRISE, 0, 0, Map.of(), Map.of("short", slots), Map.of(), List.of(), List.of(), false);
    }

    static TenantRules inFlight(int most) {
        return new TenantRules(
                Tier.STANDARD, 0, 0, Map.of("short", most), Map.of(), Map.of(), List.of(), List.of(), false);
    }

    private void submit(TenantId tenant, int count) {
        submit(tenant, "work", count);
    }

    private void submit(TenantId tenant, String type, int count) {
        for (int i = 0; i < count; i++) {
            bed.submit(tenant, Bed.job(type));
        }
    }

    /** It has had a job, so it is known which workers can run its jobs. */
    private TenantId tenantWithSixReserved() {
        TenantId big = bed.putTenant("big", 1_000, reserving(6));
        submit(big, 1);
        bed.complete(bed.mustPick());
        return big;
    }

    @Test
    void freeTenantsTogetherHoldFivePercentOfThePoolAtMost() {
        bed.worker(1, 100, "work");
        TenantId a = bed.putTenant("a", 1, tier(Tier.FREE));
        TenantId b = bed.putTenant("b", 1, tier(Tier.FREE));
        submit(a, 50);
        submit(b, 50);
        Map<TenantId, Integer> picked = bed.pickAllByTenant();
        assertThat(picked.get(a) + picked.get(b)).isEqualTo(5);
        assertThat(picked.get(a)).isBetween(2, 3);
        bed.worker(2, 100, "work");
        picked = bed.pickAllByTenant();
        assertThat(picked.get(a) + picked.get(b)).as("more workers came").isEqualTo(5);
    }

    @Test
    void inASmallPoolTheyHaveOneSlot() {
        bed.worker(1, 4, "work");
        submit(bed.putTenant("a", 1, tier(Tier.FREE)), 5);
        Picked picked = bed.mustPick();
        assertThat(bed.pick()).isNull();
        bed.complete(picked);
        bed.mustPick();
    }

    @Test
    void allFreeTenantsTogetherAreOneChildOfWeightOne() {
        FairWorld world = new FairWorld(101);
        TenantId standard = world.tenant("standard", 10, 5, 100 * Bed.MILLI, 200);
        List<TenantId> free = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            TenantId id = world.tenant("free-" + i, 1, 5, 100 * Bed.MILLI, 10);
            world.bed.setRules(id, tier(Tier.FREE));
            free.add(id);
        }
        world.run(Bed.MINUTE);
        Map<TenantId, Double> shares = world.run(Bed.MINUTE);
        // an eleventh would be theirs by weight, five of 101 slots are by the slice
        assertThat(free.stream().mapToDouble(shares::get).sum()).isCloseTo(5 / 101.0, within(0.01));
        for (TenantId id : free) {
            assertThat(shares.get(id)).isCloseTo(5 / 101.0 / 20, within(0.001));
        }
        assertThat(shares.get(standard)).isGreaterThan(0.9);
    }

    @Test
    void aTenantThatLeavesTheFreeTierCompetesByItsOwnWeightAtOnce() {
        bed.worker(1, 40, "work");
        TenantId a = bed.putTenant("a", 10, tier(Tier.FREE));
        submit(a, 50);
        submit(bed.tenant, 50);
        assertThat(bed.pickAllByTenant()).containsEntry(a, 2);
        bed.setRules(a, tier(Tier.STANDARD));
        bed.worker(2, 40, "work");
        assertThat(bed.pickAllByTenant().get(a)).isGreaterThan(20);
        assertThat(bed.engine.shares(a, bed.now).getFirst().running()).isGreaterThan(22);
        bed.setRules(a, tier(Tier.FREE));
        bed.worker(3, 40, "work");
        assertThat(bed.pickAllByTenant()).doesNotContainKey(a);
    }

    @Test
    void aProTenantHasOnePercentOfTheTimeOfASmallPoolToo() {
        FairWorld world = new FairWorld(10);
        TenantId pro = world.tenant("pro", 100, 5, 100 * Bed.MILLI, 20);
        world.bed.setRules(pro, tier(Tier.PRO));
        List<TenantId> large = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            large.add(world.tenant("large-" + i, 1_000, 5, 100 * Bed.MILLI, 5));
        }
        world.run(2 * Bed.MINUTE);
        Map<TenantId, Double> shares = world.run(10 * Bed.MINUTE);
        // a tenth of a percent would be its by weight, and a tenth of a slot is none
        assertThat(shares.get(pro)).isBetween(0.01, 0.014);
        for (TenantId id : large) {
            assertThat(shares.get(id)).isCloseTo(0.0099, within(0.0005));
        }
        assertThat(world.bed.engine.shares(pro, world.bed.now).getFirst().weight())
                .as("its own")
                .isEqualTo(100);
    }

    @Test
    void aPromiseThatIsTakenBackIsNoLongerKept() {
        FairWorld world = new FairWorld(10);
        TenantId pro = world.tenant("pro", 100, 5, 100 * Bed.MILLI, 20);
        world.bed.setRules(pro, tier(Tier.PRO));
        for (int i = 0; i < 50; i++) {
            world.tenant("large-" + i, 1_000, 5, 100 * Bed.MILLI, 5);
        }
        world.run(Bed.MINUTE);
        world.bed.setRules(pro, tier(Tier.STANDARD));
        world.run(2 * Bed.MINUTE);
        assertThat(world.run(10 * Bed.MINUTE).get(pro)).isCloseTo(100 / 50_100.0, within(0.0005));
    }

    @Test
    void otherPromisesAreKeptWhenTenantsGoDownToTheFreeTier() {
        FairWorld world = new FairWorld(10);
        List<TenantId> pros = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            TenantId id = world.tenant("pro-" + i, 100, 5, 100 * Bed.MILLI, 20);
            world.bed.setRules(id, tier(Tier.PRO));
            pros.add(id);
        }
        for (int i = 0; i < 100; i++) {
            world.tenant("large-" + i, 1_000, 5, 100 * Bed.MILLI, 5);
        }
        world.run(Bed.MINUTE);
        for (TenantId gone : pros.subList(0, 2)) {
            world.bed.setRules(gone, tier(Tier.FREE));
            world.run(Bed.MINUTE);
        }
        // somebody who comes has the weights reckoned again
        world.tenant("late", 10, 5, 100 * Bed.MILLI, 5);
        world.run(Bed.MINUTE);
        Map<TenantId, Double> shares = world.run(10 * Bed.MINUTE);
        assertThat(shares.get(pros.getLast())).isBetween(0.01, 0.014);
        assertThat(shares.get(pros.getFirst())).isLessThan(0.001);
    }

    @Test
    void promisesThatDoNotFitAreKeptInPart() {
        FairWorld world = new FairWorld(10);
        List<TenantId> pros = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            TenantId id = world.tenant("pro-" + i, 1, 5, 100 * Bed.MILLI, 5);
            world.bed.setRules(id, tier(Tier.PRO));
            pros.add(id);
        }
        TenantId large = world.tenant("large", 100_000, 5, 100 * Bed.MILLI, 50);
        world.run(2 * Bed.MINUTE);
        Map<TenantId, Double> shares = world.run(10 * Bed.MINUTE);
        assertThat(shares.get(large)).isGreaterThan(0.19);
        for (TenantId id : pros) {
            assertThat(shares.get(id)).isBetween(0.006, 0.0085);
        }
    }

    @Test
    void reservedSlotsAreForNobodyElse() {
        bed.worker(1, 20, "work");
        TenantId big = tenantWithSixReserved();
        submit(bed.tenant, 50);
        assertThat(bed.pickAllByTenant()).isEqualTo(Map.of(bed.tenant, 14));
        assertThat(bed.engine.explain(bed.submit(Bed.job("work")), bed.now).reasons())
                .containsExactly(WaitReason.KEPT_SLOTS);
        submit(big, 10);
        assertThat(bed.pickAllByTenant()).isEqualTo(Map.of(big, 6));
    }

    @Test
    void idleSlotsOfWorkersThatCannotRunAJobAreNotKeptForIt() {
        bed.worker(1, 20, "work");
        bed.worker(2, 32, "other");
        TenantId big = tenantWithSixReserved();
        submit(bed.tenant, 50);
        assertThat(bed.pickAllByTenant()).isEqualTo(Map.of(bed.tenant, 14));
        submit(big, 10);
        assertThat(bed.pickAllByTenant()).isEqualTo(Map.of(big, 6));
        submit(bed.tenant, "other", 40);
        assertThat(bed.pickAllByTenant())
                .as("nothing is kept where the reserving tenant has no jobs")
                .isEqualTo(Map.of(bed.tenant, 32));
    }

    @Test
    void aFreeTenantHasNoReservationWhateverItsRulesSay() {
        bed.worker(1, 20, "work");
        bed.putTenant("free", 1, reserving(6).inTier(Tier.FREE));
        submit(bed.tenant, 50);
        assertThat(bed.pickAllByTenant()).isEqualTo(Map.of(bed.tenant, 20));
    }

    @Test
    void aReservationIsGoneWhenItsTenantGoesDownToTheFreeTier() {
        bed.worker(1, 20, "work");
        TenantId big = bed.putTenant("big", 1_000, reserving(6));
        submit(bed.tenant, 50);
        assertThat(bed.pickAllByTenant()).isEqualTo(Map.of(bed.tenant, 14));
        bed.setRules(big, reserving(6).inTier(Tier.FREE));
        assertThat(bed.pickAllByTenant()).isEqualTo(Map.of(bed.tenant, 6));
    }

    @Test
    void slotsAreKeptOnceForWorkersThatStandInForEachOther() {
        bed.worker(1, 10, "work");
        bed.worker(2, 10, "work", "other");
        TenantId big = tenantWithSixReserved();
        submit(bed.tenant, 50);
        submit(bed.tenant, "other", 50);
        assertThat(bed.pickAllByTenant()).isEqualTo(Map.of(bed.tenant, 14));
        submit(big, 10);
        assertThat(bed.pickAllByTenant()).isEqualTo(Map.of(big, 6));
    }

    @Test
    void aTenantThatNeverSubmittedHasItsSlotsKeptWithEveryKindOfWorkers() {
        bed.worker(1, 20, "work");
        bed.worker(2, 5, "other");
        TenantId big = bed.putTenant("big", 1_000, reserving(6));
        submit(bed.tenant, 50);
        submit(bed.tenant, "other", 50);
        // four fifths of the few at most
        assertThat(bed.pickAllByTenant()).isEqualTo(Map.of(bed.tenant, 14 + 1));
        submit(big, 10);
        assertThat(bed.pickAllByTenant())
                .as("it has what it reserved, and needs no more elsewhere")
                .isEqualTo(Map.of(big, 6, bed.tenant, 4));
    }

    @Test
    void theServersOwnWorkersAddNothingToWhatTenantsArePromised() {
        bed.worker(1, 20, "work");
        bed.worker(2, 400, ReservedTypes.WEBHOOK);
        TenantId free = bed.putTenant("free", 1, tier(Tier.FREE));
        submit(free, 10);
        assertThat(bed.pickAllByTenant()).isEqualTo(Map.of(free, 1));
        assertThat(bed.engine
                        .explain(bed.submit(free, Bed.job("work")), bed.now)
                        .reasons())
                .containsExactly(WaitReason.FREE_SLICE);
        assertThat(bed.engine.shares(free, bed.now).getFirst().fairSlots()).isEqualTo(20);
    }

    @Test
    void aTenantsOwnWorkersAddNothingToWhatItIsPromisedAndUseNothingUp() {
        bed.worker(1, 40, "work");
        TenantId free = bed.putTenant("free", 1, tier(Tier.FREE));
        bed.worker(2, free, 60, "work");
        submit(free, 100);
        assertThat(bed.pickAllByTenant()).isEqualTo(Map.of(free, 60 + 2));
        bed.engine.drainSession(2);
        assertThat(bed.pickAllByTenant()).isEmpty();
    }

    @Test
    void jobsOnOwnWorkersUseUpNoReservation() {
        bed.worker(1, 20, "work");
        TenantId big = bed.putTenant("big", 1_000, reserving(6));
        bed.worker(2, big, 6, "work");
        submit(big, 6);
        assertThat(bed.pickAllByTenant()).isEqualTo(Map.of(big, 6));
        submit(bed.tenant, 50);
        assertThat(bed.pickAllByTenant()).isEqualTo(Map.of(bed.tenant, 14));
        submit(big, 10);
        assertThat(bed.pickAllByTenant()).isEqualTo(Map.of(big, 6));
    }

    @Test
    void aWorkerThatComesBackHasItsJobsCountedAsBefore() {
        TenantId free = bed.putTenant("free", 1, tier(Tier.FREE));
        bed.worker(1, 40, "work");
        bed.worker(2, free, 60, "work");
        submit(free, 60);
        List<Picked> held = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            held.add(bed.mustPick());
        }
        List<Picked> own =
                held.stream().filter(job -> job.lease().session() == 2).toList();
        assertThat(own).hasSize(60);
        Engine again = new Engine(bed.config, Bed.EPOCH + 1);
        bed.facts.forEach(again::apply);
        bed.engine = again;
        bed.worker(3, 40, "work");
        submit(free, 10);
        assertThat(bed.pick()).as("nobody knows where they run").isNull();
        bed.worker(4, free, 60, "work");
        long[] ids = own.stream().mapToLong(job -> job.lease().id().lo()).toArray();
        long[] tokens =
                own.stream().mapToLong(job -> job.lease().status().token()).toArray();
        assertThat(bed.engine.renew(4, ids, tokens, ids.length, bed.now).isEmpty())
                .isTrue();
        assertThat(bed.pickAllByTenant()).isEqualTo(Map.of(free, 2));
        held.forEach(bed::complete);
        assertThat(bed.pickAllByTenant()).isEqualTo(Map.of(free, 8));
    }

    @Test
    void headroomIsKeptForEachKindOfWorkers() {
        PoolRules pool =
                new PoolRules("short", 10 * SECOND, 50, 5, 30 * SECOND, 0, SECOND, 10, new Resources(1_000, 1_024, 1));
        Bed tight = new Bed(ResourcesTest.withPool(pool));
        tight.worker(1, 20, "work");
        tight.worker(2, 100, "other");
        for (int i = 0; i < 30; i++) {
            tight.submit(Bed.job("work"));
        }
        int taken = 0;
        while (tight.pick() != null) {
            taken++;
        }
        assertThat(taken).isEqualTo(18);
    }

    @Test
    void reservationsCountAsHeldEvenWhenIdle() {
        bed.worker(1, 100, "work");
        TenantId big = bed.putTenant("big", 10, reserving(40));
        submit(big, 1);
        bed.complete(bed.mustPick());
        submit(bed.tenant, 200);
        assertThat(bed.pickAllByTenant()).isEqualTo(Map.of(bed.tenant, 60));
        bed.engine.drainSession(1);
        bed.worker(2, 100, "work");
        bed.now += 10 * SECOND;
        submit(big, 200);
        // v is 40 s for its idle slots against 60 s: of 160 slots that is worth 7 more, where 60 s against none would
        // be 20
        assertThat(bed.pickAllByTenant().get(big)).isBetween(82, 85);
    }

    @Test
    void reservationsStayWithinEightyPercentOfThePool() {
        TenantId a = bed.putTenant("a", 1_000, reserving(30));
        TenantId b = bed.putTenant("b", 1_000, reserving(10));
        submit(a, 1);
        submit(b, 1);
        bed.worker(1, 10, "work");
        assertThat(bed.notices()).contains(Notice.Kind.GUARANTEES_SCALED);
        bed.complete(bed.mustPick());
        bed.complete(bed.mustPick());
        submit(bed.tenant, 20);
        assertThat(bed.pickAllByTenant().get(bed.tenant)).isBetween(2, 3);
        bed.worker(2, 90, "work");
        assertThat(bed.notices()).contains(Notice.Kind.GUARANTEES_WHOLE);
    }

    @Test
    void aProTenantHasOnePercentOfThePoolWhileItHasBacklog() {
        bed.worker(1, 1_000, "work");
        List<TenantId> enterprise = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            enterprise.add(bed.putTenant("e-" + i, 1_000, tier(Tier.ENTERPRISE)));
        }
        TenantId pro = bed.putTenant("pro", 100, tier(Tier.PRO));
        enterprise.forEach(tenant -> submit(tenant, 40));
        submit(pro, 40);
        // two thousandths would be its share by weight
        assertThat(bed.pickAllByTenant().get(pro)).isBetween(10, 11);
    }

    @Test
    void guaranteesOfManyAreScaledDown() {
        bed.worker(1, 200, "work");
        for (int i = 0; i < 150; i++) {
            submit(bed.putTenant("pro-" + i, 100, tier(Tier.PRO)), 5);
        }
        assertThat(bed.notices()).contains(Notice.Kind.GUARANTEES_SCALED);
        submit(bed.tenant, 10);
        assertThat(bed.pickAllByTenant().values().stream()
                        .mapToInt(i -> i)
                        .max()
                        .orElse(0))
                .isLessThanOrEqualTo(3);
    }

    @Test
    void headroomIsForThoseWhoHoldLessThanTheirShare() {
        PoolRules pool =
                new PoolRules("short", 10 * SECOND, 50, 5, 30 * SECOND, 0, SECOND, 10, new Resources(1_000, 1_024, 1));
        Bed tight = new Bed(ResourcesTest.withPool(pool));
        tight.worker(1, 100, "work");
        TenantId late = tight.putTenant("late", 10);
        for (int i = 0; i < 200; i++) {
            tight.submit(Bed.job("work"));
        }
        int first = 0;
        while (tight.pick() != null) {
            first++;
        }
        assertThat(first).isEqualTo(90);
        for (int i = 0; i < 20; i++) {
            tight.submit(late, Bed.job("work"));
        }
        int second = 0;
        for (Picked next = tight.pick(); next != null; next = tight.pick()) {
            assertThat(next.lease().tenant()).isEqualTo(late);
            second++;
        }
        assertThat(second).isEqualTo(10);
    }

    @Test
    void noMoreOfATenantRunThanItsRulesAllowAndAChangeCountsAtOnce() {
        bed.worker(1, 100, "work");
        bed.setRules(bed.tenant, inFlight(7));
        submit(bed.tenant, 50);
        assertThat(bed.pickAllByTenant()).isEqualTo(Map.of(bed.tenant, 7));
        bed.setRules(bed.tenant, inFlight(9));
        assertThat(bed.pickAllByTenant()).isEqualTo(Map.of(bed.tenant, 2));
        bed.setRules(bed.tenant, inFlight(3));
        assertThat(bed.pickAllByTenant()).isEmpty();
        bed.setRules(bed.tenant, TenantRules.NONE);
        assertThat(bed.pickAllByTenant()).isEqualTo(Map.of(bed.tenant, 41));
    }

    @Test
    void lanesShareByTheirWeightsAndAgeByTheirOwnTimes() {
        bed.worker(1, 40, "work");
        bed.setRules(
                bed.tenant,
                new TenantRules(
                        Tier.STANDARD,
                        0,
                        0,
                        Map.of(),
                        Map.of(),
                        Map.of("heavy", new LaneRules(30, List.of())),
                        List.of(),
                        List.of(),
                        false));
        for (int i = 0; i < 100; i++) {
            bed.submit(Bed.inLane("work", "heavy", JobNeeds.NONE));
            bed.submit(Bed.job("work"));
        }
        Map<String, Integer> lanes = new HashMap<>();
        for (Picked next = bed.pick(); next != null; next = bed.pick()) {
            lanes.merge(next.lease().spec().terms().lane(), 1, Integer::sum);
        }
        assertThat(lanes).isEqualTo(Map.of("heavy", 30, "default", 10));
    }
}
