package dev.fairlane.core.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.Resources;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.TenantRules;
import dev.fairlane.core.model.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** At every level the sum of v × w grows exactly by slot-time and minimum charges, while nobody comes or goes. */
class ConservationProperty {
    private static final int TENANTS = 6;
    private static final List<String> LANES = List.of("default", "batch");
    private static final List<JobNeeds> NEEDS = List.of(
            JobNeeds.NONE,
            new JobNeeds("user", "", "", 1, Resources.NONE, List.of()),
            new JobNeeds("", "", "", 1, new Resources(2_500, 0, 0), List.of()));

    private record Run(Queue queue, long since) {}

    private final SlotJobs jobs = new SlotJobs(100_000, slot -> 5);
    private final ShareRules rules = ShareRules.of(EngineConfig.DEFAULT);
    private final FairTree tree = new FairTree(0, PoolRules.DEFAULTS.getFirst(), rules, jobs, new Queues(), down -> {});
    private final List<Queue> queueOf = new ArrayList<>();
    private final List<Run> running = new ArrayList<>();
    private long now = 1_000;
    private double owed;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void whatIsUsedIsCharged(long seed) {
        Random random = new Random(seed);
        tree.openCrew(Crew.ALL_TENANTS, Set.of("work"), Set.of(), new Serving(), 100, now);
        for (int round = 0; round < 400; round++) {
            for (int tenant = 0; tenant < TENANTS; tenant++) {
                for (String lane : LANES) {
                    for (JobNeeds needs : NEEDS) {
                        submit(tenant, lane, needs);
                    }
                }
            }
        }
        double before = sum(false);
        double lanesBefore = sum(true);
        for (int step = 0; step < 5_000; step++) {
            if (random.nextInt(3) > 0) {
                pass(random.nextInt(40_000));
            } else if (running.size() < 40 && random.nextBoolean()) {
                pick();
            } else if (!running.isEmpty()) {
                release(random);
            }
        }
        assertThat(sum(false) - before).isCloseTo(owed, within(owed * 1e-9));
        assertThat(sum(true) - lanesBefore).isCloseTo(owed, within(owed * 1e-9));
    }

    private final class Serving implements Crew.Listener {
        @Override
        public void opened(View view) {
            tree.serve(view, true);
        }

        @Override
        public void closed(View view) {}

        @Override
        public void judged(View view, long at) {}
    }

    private static Tenant tenant(int number) {
        Tier tier = number < 2 ? Tier.FREE : number < 5 ? Tier.STANDARD : Tier.PRO;
        return new Tenant(new TenantId(number), "t" + number, 1 + number, 0, TenantRules.NONE.inTier(tier));
    }

    private void submit(int tenant, String lane, JobNeeds needs) {
        Queue queue = tree.queue(tenant(tenant), lane, "work", needs, now);
        int slot = queueOf.size();
        jobs.queued(slot, now);
        queueOf.add(queue);
        tree.joined(queue);
        tree.enqueue(queue, slot, 5, now);
    }

    private void pass(long micros) {
        for (Run run : running) {
            owed += (double) micros * run.queue.requirement().size() / Requirement.SLOT;
        }
        now += micros;
    }

    private void pick() {
        if (tree.next(now) != null) {
            int slot = tree.head();
            Queue queue = queueOf.get(slot);
            tree.remove(queue, slot, 5, now);
            tree.acquire(queue, false, now);
            running.add(new Run(queue, now));
        }
    }

    private void release(Random random) {
        Run run = running.remove(random.nextInt(running.size()));
        tree.release(run.queue, false, now - run.since, now);
        owed += Math.max(0.0, rules.minChargeMicros() - (now - run.since))
                * run.queue.requirement().size()
                / Requirement.SLOT;
    }

    /** Of the root's children, or of all lanes. */
    private double sum(boolean ofLanes) {
        double[] sum = {0};
        for (Account account : tree.accounts()) {
            if (ofLanes) {
                account.forEachLane(lane ->
                        sum[0] += lane.node().virtualAt(now) * lane.node().weight());
            } else if (account.node().parent == null) {
                sum[0] += account.node().virtualAt(now) * account.node().weight();
            }
        }
        Node free = tree.freeGroup();
        if (!ofLanes && free != null) {
            sum[0] += free.virtualAt(now) * free.weight();
        }
        return sum[0];
    }
}
