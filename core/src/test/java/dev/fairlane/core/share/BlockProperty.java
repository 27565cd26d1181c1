package dev.fairlane.core.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A blocked queue is given from by nobody, loses nothing, and is there again when its last block is off. */
class BlockProperty {
    private static final int SLOTS = 200;
    private static final int TENANTS = 3;
    private static final List<String> TYPES = List.of("a", "b", "c");
    private static final List<String> LANES = List.of(JobTerms.DEFAULT_LANE, "other");
    private static final int REASONS = 3;

    private final Queue[] queueOf = new Queue[SLOTS];
    private final SlotJobs jobs = new SlotJobs(SLOTS, slot -> slot % 10);
    private final FairTree tree = new FairTree(
            0, PoolRules.DEFAULTS.getFirst(), ShareRules.of(EngineConfig.DEFAULT), jobs, new Queues(), down -> {});
    private final int[] accountBlocks = new int[TENANTS];
    private final int[][] typeBlocks = new int[TENANTS][TYPES.size()];
    private final int[][] laneBlocks = new int[TENANTS][LANES.size()];
    private final int[][][] queueBlocks = new int[TENANTS][TYPES.size()][LANES.size()];
    private final List<Crew> crews = new ArrayList<>();
    private final List<Queue> held = new ArrayList<>();
    private final Set<Integer> free = new TreeSet<>();
    private long now = 1;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whatIsGivenIsWhatIsNotBlocked(long seed) {
        Random random = new Random(seed);
        for (int slot = 0; slot < SLOTS; slot++) {
            free.add(slot);
        }
        openCrews();
        for (int step = 0; step < 20_000; step++) {
            now += random.nextInt(1_000);
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> enqueue(random);
                case 3, 4 -> pick();
                case 5 -> release(random);
                case 6 -> blockQueue(random);
                case 7 -> blockAccount(random);
                case 8 -> removeAny(random);
                case 9 -> blockType(random);
                case 10 -> blockLane(random);
                default -> reopen(random);
            }
            check();
        }
        for (int tenant = 0; tenant < TENANTS; tenant++) {
            for (int type = 0; type < TYPES.size(); type++) {
                for (int lane = 0; lane < LANES.size(); lane++) {
                    tree.unblock(queue(tenant, type, lane), -1, now);
                    tree.unblock(queue(tenant, type, lane).lane(), -1, now);
                    queueBlocks[tenant][type][lane] = 0;
                    laneBlocks[tenant][lane] = 0;
                }
                tree.unblock(queue(tenant, type, 0).line(), -1, now);
                typeBlocks[tenant][type] = 0;
            }
            tree.unblock(account(tenant).node(), -1, now);
            accountBlocks[tenant] = 0;
        }
        while (free.size() < SLOTS) {
            int before = free.size();
            pick();
            assertThat(free.size()).as("every job comes out in the end").isGreaterThan(before);
        }
        assertThat(tree.waiting()).isZero();
    }

    private void openCrews() {
        open(Crew.ALL_TENANTS, Set.of("a", "b", "c"));
        open(Crew.ALL_TENANTS, Set.of("a"));
        open(1, Set.of("b", "c"));
    }

    private void open(int scope, Set<String> types) {
        Crew.Listener listener = new Crew.Listener() {
            @Override
            public void opened(View view) {
                tree.serve(view, true);
            }

            @Override
            public void closed(View view) {}

            @Override
            public void judged(View view, long at) {}
        };
        crews.add(tree.openCrew(scope, types, Set.of(), listener, 0, now));
    }

    private void reopen(Random random) {
        if (random.nextInt(5) == 0) {
            crews.forEach(crew -> tree.closeCrew(crew, now));
            crews.clear();
            openCrews();
        }
    }

    private static Tenant tenant(int tenant) {
        return new Tenant(new TenantId(tenant), "t" + tenant, 1 + tenant, 0);
    }

    private Account account(int tenant) {
        return tree.account(tenant(tenant), now);
    }

    private Queue queue(int tenant, int type, int lane) {
        return tree.queue(tenant(tenant), LANES.get(lane), TYPES.get(type), JobNeeds.NONE, now);
    }

    /** The second lane comes late, to some tenants earlier than to others. */
    private static int lane(Random random) {
        return random.nextInt(200) == 0 ? 1 : 0;
    }

    private void enqueue(Random random) {
        if (!free.isEmpty()) {
            int slot = free.iterator().next();
            free.remove(slot);
            Queue queue = queue(random.nextInt(TENANTS), random.nextInt(TYPES.size()), lane(random));
            jobs.queued(slot, now);
            queueOf[slot] = queue;
            tree.enqueue(queue, slot, slot % 10, now);
        }
    }

    private void removeAny(Random random) {
        int slot = random.nextInt(SLOTS);
        if (queueOf[slot] != null) {
            take(slot);
        }
    }

    private void take(int slot) {
        tree.remove(queueOf[slot], slot, slot % 10, now);
        queueOf[slot] = null;
        free.add(slot);
    }

    private void pick() {
        View view = tree.next(now);
        if (view != null) {
            int slot = tree.head();
            Queue queue = queueOf[slot];
            assertThat(blocked(queue)).isFalse();
            take(slot);
            tree.acquire(queue, false, now);
            held.add(queue);
        }
    }

    private void release(Random random) {
        if (!held.isEmpty()) {
            tree.release(held.remove(random.nextInt(held.size())), false, 1, now);
        }
    }

    private void blockQueue(Random random) {
        int tenant = random.nextInt(TENANTS);
        int type = random.nextInt(TYPES.size());
        int lane = lane(random);
        int reason = 1 << random.nextInt(REASONS);
        if (random.nextInt(3) == 0) {
            tree.block(queue(tenant, type, lane), reason, now);
            queueBlocks[tenant][type][lane] |= reason;
        } else {
            tree.unblock(queue(tenant, type, lane), reason, now);
            queueBlocks[tenant][type][lane] &= ~reason;
        }
    }

    private void blockLane(Random random) {
        int tenant = random.nextInt(TENANTS);
        // the only lane of a tenant is held back by itself now and then
        int lane = random.nextInt(20) == 0 ? 0 : lane(random);
        int reason = 1 << random.nextInt(REASONS);
        Lane held = queue(tenant, 0, lane).lane();
        if (random.nextInt(20) == 0) {
            tree.block(held, reason, now);
            laneBlocks[tenant][lane] |= reason;
        } else {
            tree.unblock(held, reason, now);
            laneBlocks[tenant][lane] &= ~reason;
        }
    }

    private void blockType(Random random) {
        int tenant = random.nextInt(TENANTS);
        int type = random.nextInt(TYPES.size());
        int reason = 1 << random.nextInt(REASONS);
        TypeLine line = queue(tenant, type, 0).line();
        if (random.nextInt(4) == 0) {
            tree.block(line, reason, now);
            typeBlocks[tenant][type] |= reason;
        } else {
            tree.unblock(line, reason, now);
            typeBlocks[tenant][type] &= ~reason;
        }
    }

    private void blockAccount(Random random) {
        int tenant = random.nextInt(TENANTS);
        int reason = 1 << random.nextInt(REASONS);
        Node node = account(tenant).node();
        if (random.nextInt(4) == 0) {
            tree.block(node, reason, now);
            accountBlocks[tenant] |= reason;
        } else {
            tree.unblock(node, reason, now);
            accountBlocks[tenant] &= ~reason;
        }
    }

    private boolean blocked(Queue queue) {
        int tenant = queue.account().tenant();
        int type = TYPES.indexOf(queue.type());
        int lane = LANES.indexOf(queue.name());
        return (accountBlocks[tenant]
                        | typeBlocks[tenant][type]
                        | laneBlocks[tenant][lane]
                        | queueBlocks[tenant][type][lane])
                != 0;
    }

    private void check() {
        boolean any = false;
        int waiting = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            if (queueOf[slot] != null) {
                waiting++;
                any |= !blocked(queueOf[slot]);
            }
        }
        assertThat(tree.waiting()).isEqualTo(waiting);
        assertThat(tree.next(now) != null).isEqualTo(any);
    }
}
