package dev.fairlane.core.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.JobTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A blocked lane is given from by nobody, loses nothing, and is there again when its last block is off. */
class BlockProperty {
    private static final int SLOTS = 200;
    private static final int TENANTS = 3;
    private static final List<String> TYPES = List.of("a", "b", "c");
    private static final int REASONS = 3;

    private final long[] queuedAt = new long[SLOTS];
    private final Lane[] laneOf = new Lane[SLOTS];
    private final WaitingJobs jobs = new WaitingJobs() {
        @Override
        public long queuedAt(int slot) {
            return queuedAt[slot];
        }

        @Override
        public long sequence(int slot) {
            return slot;
        }
    };
    private final FairTree tree = new FairTree(0, ShareRules.of(EngineConfig.DEFAULT), jobs, new Lanes());
    private final int[] accountBlocks = new int[TENANTS];
    private final int[][] laneBlocks = new int[TENANTS][TYPES.size()];
    private final List<View> views = new ArrayList<>();
    private final List<Account> held = new ArrayList<>();
    private final Set<Integer> free = new TreeSet<>();
    private long now = 1;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whatIsGivenIsWhatIsNotBlocked(long seed) {
        Random random = new Random(seed);
        for (int slot = 0; slot < SLOTS; slot++) {
            free.add(slot);
        }
        openViews();
        for (int step = 0; step < 20_000; step++) {
            now += random.nextInt(1_000);
            switch (random.nextInt(10)) {
                case 0, 1, 2 -> enqueue(random);
                case 3, 4 -> pick();
                case 5 -> release(random);
                case 6 -> blockLane(random);
                case 7 -> blockAccount(random);
                case 8 -> removeAny(random);
                default -> reopen(random);
            }
            check();
        }
        for (int tenant = 0; tenant < TENANTS; tenant++) {
            for (int type = 0; type < TYPES.size(); type++) {
                tree.unblock(lane(tenant, type), -1, now);
                laneBlocks[tenant][type] = 0;
            }
            tree.unblock(tree.account(tenant, 1), -1, now);
            accountBlocks[tenant] = 0;
        }
        while (free.size() < SLOTS) {
            int before = free.size();
            pick();
            assertThat(free.size()).as("every job comes out in the end").isGreaterThan(before);
        }
        assertThat(tree.waiting()).isZero();
    }

    private void openViews() {
        views.add(tree.openView(View.ALL_TENANTS, Set.of("a", "b", "c"), now));
        views.add(tree.openView(View.ALL_TENANTS, Set.of("a"), now));
        views.add(tree.openView(1, Set.of("b", "c"), now));
        views.forEach(view -> tree.serve(view, true));
    }

    private void reopen(Random random) {
        if (random.nextInt(5) == 0) {
            views.forEach(view -> tree.closeView(view, now));
            views.clear();
            openViews();
        }
    }

    private Lane lane(int tenant, int type) {
        return tree.lane(tenant, 1 + tenant, JobTerms.DEFAULT_LANE, TYPES.get(type));
    }

    private void enqueue(Random random) {
        if (!free.isEmpty()) {
            int slot = free.iterator().next();
            free.remove(slot);
            Lane lane = lane(random.nextInt(TENANTS), random.nextInt(TYPES.size()));
            queuedAt[slot] = now;
            laneOf[slot] = lane;
            tree.enqueue(lane, slot, slot % 10, now);
        }
    }

    private void removeAny(Random random) {
        int slot = random.nextInt(SLOTS);
        if (laneOf[slot] != null) {
            take(slot);
        }
    }

    private void take(int slot) {
        tree.remove(laneOf[slot], slot, slot % 10, now);
        laneOf[slot] = null;
        free.add(slot);
    }

    private void pick() {
        View view = tree.nextView(now);
        if (view != null) {
            int slot = tree.head(view, now);
            Lane lane = laneOf[slot];
            assertThat(blocked(lane)).isFalse();
            take(slot);
            tree.acquire(lane.account(), now);
            held.add(lane.account());
        }
    }

    private void release(Random random) {
        if (!held.isEmpty()) {
            tree.release(held.remove(random.nextInt(held.size())), 1, now);
        }
    }

    private void blockLane(Random random) {
        int tenant = random.nextInt(TENANTS);
        int type = random.nextInt(TYPES.size());
        int reason = 1 << random.nextInt(REASONS);
        if (random.nextInt(3) == 0) {
            tree.block(lane(tenant, type), reason, now);
            laneBlocks[tenant][type] |= reason;
        } else {
            tree.unblock(lane(tenant, type), reason, now);
            laneBlocks[tenant][type] &= ~reason;
        }
    }

    private void blockAccount(Random random) {
        int tenant = random.nextInt(TENANTS);
        int reason = 1 << random.nextInt(REASONS);
        Account account = tree.account(tenant, 1 + tenant);
        if (random.nextInt(4) == 0) {
            tree.block(account, reason, now);
            accountBlocks[tenant] |= reason;
        } else {
            tree.unblock(account, reason, now);
            accountBlocks[tenant] &= ~reason;
        }
    }

    private boolean blocked(Lane lane) {
        int tenant = lane.account().tenant();
        return (accountBlocks[tenant] | laneBlocks[tenant][TYPES.indexOf(lane.type())]) != 0;
    }

    private void check() {
        boolean any = false;
        int waiting = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            if (laneOf[slot] != null) {
                waiting++;
                any |= !blocked(laneOf[slot]);
            }
        }
        assertThat(tree.waiting()).isEqualTo(waiting);
        assertThat(tree.nextView(now) != null).isEqualTo(any);
    }
}
