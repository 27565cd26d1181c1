package dev.fairlane.core.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A lane that is alone needs no node; when it gets a sibling, nothing that counts is lost. */
class SoleLaneTest {
    private static final long SECOND = 1_000_000;

    private final SlotJobs jobs = new SlotJobs(1_000, slot -> 5);
    private final FairTree tree = new FairTree(
            0, PoolRules.DEFAULTS.getFirst(), ShareRules.of(EngineConfig.DEFAULT), jobs, new Queues(), down -> {});
    private final List<Queue> queueOf = new ArrayList<>();
    private long now = SECOND;

    @BeforeEach
    void serve() {
        tree.openCrew(
                Crew.ALL_TENANTS,
                Set.of("work"),
                Set.of(),
                new Crew.Listener() {
                    @Override
                    public void opened(View view) {
                        tree.serve(view, true);
                    }

                    @Override
                    public void closed(View view) {}

                    @Override
                    public void judged(View view, long at) {}
                },
                100,
                now);
    }

    private Queue submit(int tenant, String lane) {
        Queue queue =
                tree.queue(new Tenant(new TenantId(tenant), "t" + tenant, 10, 0), lane, "work", JobNeeds.NONE, now);
        int slot = queueOf.size();
        jobs.queued(slot, now);
        queueOf.add(queue);
        tree.joined(queue);
        tree.enqueue(queue, slot, 5, now);
        return queue;
    }

    private Queue pick() {
        assertThat(tree.next(now)).isNotNull();
        int slot = tree.head();
        Queue queue = queueOf.get(slot);
        tree.remove(queue, slot, 5, now);
        tree.acquire(queue, false, now);
        return queue;
    }

    @Test
    void hasTheNodeOfItsTenantUntilItGetsASibling() {
        Queue first = submit(1, "default");
        assertThat(first.lane().node()).isSameAs(first.account().node());
        submit(1, "default");
        pick();
        now += SECOND;
        Queue second = submit(1, "other");
        Node account = first.account().node();
        assertThat(first.lane().node()).isNotSameAs(account);
        assertThat(first.lane().node().running()).isEqualTo(1);
        assertThat(first.lane().node().waiting()).isEqualTo(1);
        assertThat(second.lane().node().waiting()).isEqualTo(1);
        assertThat(account.running()).isEqualTo(1);
        assertThat(account.waiting()).isEqualTo(2);
        // it holds a slot, the other none
        assertThat(pick()).isSameAs(second);
        assertThat(pick()).isSameAs(first);
        assertThat(tree.next(now)).isNull();
    }

    @Test
    void whatItsTenantIsOwedStays() {
        // one holds what there is, the other waits and is owed
        for (int i = 0; i < 20; i++) {
            submit(1, "default");
        }
        for (int i = 0; i < 10; i++) {
            pick();
        }
        Queue owed = submit(2, "default");
        Queue fresh = submit(3, "default");
        now += 600 * SECOND;
        double before = tree.deficit(owed.account().node(), now);
        double virtual = owed.account().node().virtualAt(now);
        submit(2, "other");
        assertThat(owed.account().node().virtualAt(now)).isEqualTo(virtual);
        assertThat(tree.deficit(owed.account().node(), now)).isEqualTo(before);
        assertThat(pick().account().tenant()).isEqualTo(2);
        assertThat(pick()).isSameAs(fresh);
        assertThat(pick().account().tenant()).isEqualTo(2);
        assertThat(pick().account().tenant()).isEqualTo(1);
    }
}
