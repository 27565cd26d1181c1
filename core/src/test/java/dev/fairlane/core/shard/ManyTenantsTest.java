package dev.fairlane.core.shard;

import static dev.fairlane.core.shard.Bed.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.Notice;
import dev.fairlane.core.model.TenantId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What looks at all tenants does so a portion at a time, and misses nobody. */
class ManyTenantsTest {
    private static final int TENANTS = Standings.PORTION * 2 + 100;

    private final Bed bed = new Bed();
    private final List<TenantId> tenants = new ArrayList<>();

    private void putTenants() {
        for (int i = 0; i < TENANTS; i++) {
            tenants.add(bed.putTenant("t-" + i, 10));
        }
    }

    @Test
    void tenantsMayGetTheirFirstJobsInTheOrderOfTheirNumbers() {
        bed.worker(1, 1, "work");
        for (int i = 1; i <= 5_000; i++) {
            TenantId tenant = bed.putTenant("t-" + i, 10);
            bed.submit(tenant, Bed.job("work"));
            bed.complete(bed.mustPick());
            bed.engine.stats(bed.now);
        }
        assertThat(bed.ended).hasSize(5_000);
    }

    @Test
    void tenantsWithoutJobsAreCountedToo() {
        TenantCounts counts = new TenantCounts();
        for (int tenant = 0; tenant < 5_000; tenant++) {
            assertThat(counts.completed(tenant)).isZero();
            counts.addOpen(tenant, 1);
            counts.addCompleted(tenant);
            assertThat(counts.completed(tenant)).isEqualTo(1);
            assertThat(counts.completed(tenant + 1)).isZero();
        }
    }

    @Test
    void theBusiestAreFoundAfterAFewLooksAndToldWithTheirPresentNumbers() {
        putTenants();
        TenantId last = tenants.getLast();
        bed.submit(last, Bed.job("work"));
        bed.engine.stats(bed.now);
        bed.engine.stats(bed.now);
        bed.engine.stats(bed.now);
        assertThat(bed.engine.stats(bed.now).tenants()).singleElement().satisfies(stats -> {
            assertThat(stats.tenant()).isEqualTo(last);
            assertThat(stats.waiting()).isEqualTo(1);
        });
        bed.submit(last, Bed.job("work"));
        assertThat(bed.engine.stats(bed.now).tenants())
                .singleElement()
                .satisfies(stats -> assertThat(stats.waiting()).isEqualTo(2));
    }

    @Test
    void theJobThatWaitsLongestIsFoundAndForgottenWhenItIsGone() {
        putTenants();
        bed.worker(1, 1, "old");
        long first = bed.now;
        // the account made last
        for (int i = 0; i < TENANTS; i++) {
            bed.submit(tenants.get(i), Bed.job(i == TENANTS - 1 ? "old" : "work"));
            bed.now += i == TENANTS - 2 ? -SECOND : 0;
        }
        for (int look = 0; look < 3; look++) {
            bed.engine.stats(bed.now);
        }
        assertThat(bed.engine.stats(bed.now).pools().getFirst().oldestQueuedAt())
                .isEqualTo(first - SECOND);
        bed.complete(bed.mustPick());
        for (int look = 0; look < 3; look++) {
            bed.engine.stats(bed.now);
        }
        assertThat(bed.engine.stats(bed.now).pools().getFirst().oldestQueuedAt())
                .isEqualTo(first);
    }

    @Test
    void tenantsWithManyQueuesAreLookedAtInSmallerPortions() {
        int types = 10;
        int count = StrandedSearch.PORTION / types;
        long first = bed.now;
        for (int i = 0; i < count; i++) {
            TenantId tenant = bed.putTenant("t-" + i, 10);
            bed.now = i == count - 1 ? first - SECOND : first;
            for (int type = 0; type < types; type++) {
                bed.submit(tenant, Bed.job("work-" + type));
            }
        }
        bed.now = first;
        assertThat(oldestQueuedAt()).as("the last is not seen yet").isEqualTo(first);
        assertThat(oldestQueuedAt()).isEqualTo(first - SECOND);
        assertThat(bed.engine.findStranded(count * types, bed.now))
                .as("not through")
                .isNull();
        assertThat(bed.engine.findStranded(count * types, bed.now)).hasSize(count * types);
    }

    private void makeAccounts() {
        putTenants();
        bed.worker(1, 1, "work");
        for (TenantId tenant : tenants) {
            bed.submit(tenant, Bed.job("work"));
            bed.complete(bed.mustPick());
        }
    }

    private long oldestQueuedAt() {
        return bed.engine.stats(bed.now).pools().getFirst().oldestQueuedAt();
    }

    @Test
    void asLongAsJobsWaitTheOldestIsNeverNone() {
        makeAccounts();
        bed.worker(2, 1, "old");
        long first = bed.now;
        bed.submit(tenants.getLast(), Bed.job("old"));
        bed.now += SECOND;
        bed.submit(tenants.get(TENANTS - 2), Bed.job("nobody's"));
        while (oldestQueuedAt() != first) {}
        bed.complete(bed.mustPick());
        for (int look = 0; look < 2 * TENANTS / Standings.PORTION; look++) {
            assertThat(oldestQueuedAt()).isBetween(first, first + SECOND);
        }
        assertThat(oldestQueuedAt()).isEqualTo(first + SECOND);
    }

    @Test
    void jobsForWhichAWorkerCameWhileOthersWereLookedAtAreNotStranded() {
        makeAccounts();
        bed.submit(tenants.getFirst(), Bed.job("late"));
        bed.submit(tenants.get(1), Bed.job("gone"));
        bed.submit(tenants.get(2), Bed.job("rare"));
        assertThat(bed.engine.findStranded(10, bed.now)).as("not through").isNull();
        bed.worker(2, 1, "late");
        bed.worker(3, 1, "gone");
        bed.complete(bed.mustPick());
        bed.complete(bed.mustPick());
        bed.engine.closeSession(3);
        bed.submit(tenants.getFirst(), Bed.job("late"));
        assertThat(bed.engine.findStranded(10, bed.now))
                .singleElement()
                .satisfies(stranded -> assertThat(stranded.type()).isEqualTo("rare"));
    }

    @Test
    void jobsThatNobodyCanRunAreFoundWhenAllTenantsHaveBeenLookedAt() {
        putTenants();
        bed.worker(1, 1, "work");
        for (TenantId tenant : tenants) {
            bed.submit(tenant, Bed.job("work"));
        }
        bed.submit(tenants.getLast(), Bed.job("rare"));
        int looks = 1;
        List<Stranded> found = bed.engine.findStranded(10, bed.now);
        while (found == null) {
            looks++;
            found = bed.engine.findStranded(10, bed.now);
        }
        assertThat(looks).isGreaterThan(1);
        assertThat(found).singleElement().satisfies(stranded -> {
            assertThat(stranded.tenant()).isEqualTo(tenants.getLast());
            assertThat(stranded.type()).isEqualTo("rare");
        });
    }

    @Test
    void whatIsNoticedBeyondTheBoundIsCounted() {
        Notices notices = new Notices();
        for (int i = 0; i < Notices.MOST + 7; i++) {
            notices.add(Notice.Kind.TYPE_QUARANTINED, i, "", "", "");
        }
        List<Notice> told = new ArrayList<>();
        notices.drain(told::add);
        assertThat(told).hasSize(Notices.MOST);
        assertThat(told.getLast().tenant().number()).isEqualTo(Notices.MOST + 6);
        assertThat(notices.dropped()).isEqualTo(7);
    }

    @Test
    void howManyAreAheadIsCountedAtFirstAndThenEstimated() {
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            ids.add(bed.submit("work"));
            bed.now += 10;
        }
        assertThat(bed.engine.explain(ids.get(0), bed.now).ahead()).isZero();
        assertThat(bed.engine.explain(ids.get(999), bed.now).ahead()).isEqualTo(999);
        assertThat(bed.engine.explain(ids.get(2_500), bed.now).ahead()).isBetween(2_400, 2_600);
        assertThat(bed.engine.explain(ids.get(4_999), bed.now).ahead()).isEqualTo(4_999);
    }

    @Test
    void theOnlyLaneOfATenantCanBePausedByItself() {
        bed.worker(1, 2, "work");
        bed.submit("work");
        bed.send(new Command.SetGate(Gate.Kind.LANE, bed.tenant, "default", true, "ops", "test"));
        assertThat(bed.pick()).isNull();
        bed.submit(Bed.inLane("work", "other", JobNeeds.NONE));
        assertThat(bed.mustPick().lease().spec().terms().lane()).isEqualTo("other");
        assertThat(bed.pick()).isNull();
        bed.send(new Command.SetGate(Gate.Kind.LANE, bed.tenant, "default", false, "ops", "test"));
        assertThat(bed.mustPick().lease().spec().terms().lane()).isEqualTo("default");
    }
}
