package dev.fairlane.core.shard;

import static dev.fairlane.core.shard.Bed.HOUR;
import static dev.fairlane.core.shard.Bed.MILLI;
import static dev.fairlane.core.shard.Bed.MINUTE;
import static dev.fairlane.core.shard.Bed.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Semantics §6 in virtual time: due shares of slot-time within one point in any minute after the first. */
class FairShareProperty {
    private static final double POINT = 0.01;

    private static void assertShares(FairWorld world, int minutes, Map<TenantId, Double> due) {
        for (int minute = 0; minute < minutes; minute++) {
            Map<TenantId, Double> shares = world.run(MINUTE);
            due.forEach((tenant, share) -> assertThat(shares.get(tenant)).isCloseTo(share, within(POINT)));
        }
    }

    @Test
    void equalWeightsShareEquallyWhateverTheLengthOfTheirJobs() {
        FairWorld world = new FairWorld(100);
        TenantId quick = world.tenant("quick", 10, 5, 10 * MILLI, 200);
        TenantId slow = world.tenant("slow", 10, 5, 10 * SECOND, 200);
        world.run(MINUTE);
        assertShares(world, 3, Map.of(quick, 0.5, slow, 0.5));
    }

    @Test
    void fiftyMillisecondsAgainstAnHour() {
        FairWorld world = new FairWorld(100);
        TenantId quick = world.tenant("quick", 10, 5, 50 * MILLI, 200);
        TenantId slow = world.tenant("slow", 10, 5, HOUR, 200);
        Map<TenantId, Double> shares = world.run(MINUTE);
        assertThat(shares.get(quick)).isCloseTo(0.5, within(POINT));
        assertShares(world, 3, Map.of(quick, 0.5, slow, 0.5));
    }

    @Test
    void weightsOneTenHundred() {
        FairWorld world = new FairWorld(111);
        TenantId one = world.tenant("one", 1, 5, 300 * MILLI, 200);
        TenantId ten = world.tenant("ten", 10, 5, 300 * MILLI, 200);
        TenantId hundred = world.tenant("hundred", 100, 5, 300 * MILLI, 300);
        world.run(MINUTE);
        assertShares(world, 5, Map.of(one, 1 / 111.0, ten, 10 / 111.0, hundred, 100 / 111.0));
    }

    @Test
    void markingEverythingUrgentGainsNothing() {
        FairWorld world = new FairWorld(20);
        TenantId urgent = world.tenant("urgent", 10, 0, 100 * MILLI, 100);
        TenantId modest = world.tenant("modest", 10, 9, 100 * MILLI, 100);
        world.run(MINUTE);
        assertShares(world, 3, Map.of(urgent, 0.5, modest, 0.5));
    }

    @Test
    void aDumpOfManyJobsDelaysOthersByOneJobLengthAtMost() {
        FairWorld world = new FairWorld(10);
        TenantId flood = world.tenant("flood", 10, 0, 100 * MILLI, 0);
        List<TenantId> small = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            small.add(world.tenant("small-" + i, 10, 5, 20 * MILLI, 0));
        }
        world.submit(flood, 20_000, 0);
        world.run(30 * SECOND);
        for (int second = 0; second < 60; second++) {
            for (TenantId tenant : small) {
                world.submit(tenant, 1, 9);
            }
            world.run(SECOND);
        }
        for (TenantId tenant : small) {
            assertThat(world.longestWait.get(tenant)).isLessThanOrEqualTo(200 * MILLI);
        }
    }

    @Test
    void nobodyStarvesAmongManyTenantsOnFewSlots() {
        FairWorld world = new FairWorld(3);
        List<TenantId> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            all.add(world.tenant("t-" + i, 10, i % 10, (i % 7 + 1) * 10 * MILLI, 3));
        }
        world.run(2 * MINUTE);
        Map<TenantId, Double> shares = world.run(10 * MINUTE);
        for (TenantId tenant : all) {
            assertThat(shares.get(tenant)).isCloseTo(1 / 200.0, within(0.05 / 200));
        }
    }

    @Test
    void anOldUnimportantJobRunsBehindAnEndlessStreamOfUrgentOnesOfItsTenant() {
        FairWorld world = new FairWorld(1);
        TenantId tenant = world.tenant("busy", 10, 0, 10 * SECOND, 5);
        world.submit(tenant, 1, 1);
        world.run(10 * MINUTE);
        assertThat(world.longestWait.get(tenant)).isBetween(5 * MINUTE, 7 * MINUTE);
    }

    @Test
    void whoIdledBringsOnlyABurstAndWhoUsedMoreGivesBack() {
        FairWorld world = new FairWorld(10);
        TenantId steady = world.tenant("steady", 10, 5, 50 * MILLI, 50);
        world.run(10 * MINUTE);
        TenantId late = world.tenant("late", 10, 5, 50 * MILLI, 50);
        Map<TenantId, Double> first = world.run(MINUTE);
        // ten seconds of its fair half of the slots are its due burst: at most 5 of 60 × 10 slot-seconds more than half
        assertThat(first.get(late)).isBetween(0.5, 0.5 + 50.0 / 600 + POINT);
        assertShares(world, 3, Map.of(steady, 0.5, late, 0.5));
    }

    @Test
    void aChangedWeightCountsFromThatMomentOn() {
        FairWorld world = new FairWorld(40);
        TenantId a = world.tenant("a", 10, 5, 50 * MILLI, 100);
        TenantId b = world.tenant("b", 10, 5, 50 * MILLI, 100);
        world.run(2 * MINUTE);
        world.bed.send(new Command.PutTenant("b", 30));
        world.run(MINUTE);
        assertShares(world, 3, Map.of(a, 0.25, b, 0.75));
    }

    @Test
    void aTenantThatFewWorkersCanServeGivesNewcomersElsewhereNoCredit() {
        FairWorld world = new FairWorld(20);
        world.bed.worker(2, 1, "rare");
        TenantId rare = world.tenant("rare", 10, 5, 50 * MILLI, "rare", 20);
        TenantId steady = world.tenant("steady", 10, 5, 50 * MILLI, 50);
        world.run(30 * MINUTE);
        TenantId late = world.tenant("late", 10, 5, 50 * MILLI, 50);
        Map<TenantId, Double> first = world.run(MINUTE);
        double ofTheRest = first.get(late) / (first.get(late) + first.get(steady));
        assertThat(ofTheRest).isBetween(0.45, 0.6);
        assertThat(first.get(rare)).isCloseTo(1 / 21.0, within(POINT));
    }

    @Test
    void aWorkerThatReconnectsDoesNotWipeOutWhatTenantsAreOwed() {
        double undisturbed = shareOfTheOwed(false);
        assertThat(undisturbed).isGreaterThan(0.7);
        assertThat(shareOfTheOwed(true)).isCloseTo(undisturbed, within(POINT));
    }

    /** One tenant waits for minutes while another's long jobs hold every slot; what it gets in the minute after. */
    private static double shareOfTheOwed(boolean reconnect) {
        FairWorld world = new FairWorld(10);
        world.tenant("slow", 10, 5, 5 * MINUTE, 20);
        world.run(SECOND);
        TenantId quick = world.tenant("quick", 10, 5, 50 * MILLI, 50);
        world.run(4 * MINUTE);
        if (reconnect) {
            world.reconnect();
        }
        world.run(MINUTE);
        return world.run(MINUTE).get(quick);
    }
}
