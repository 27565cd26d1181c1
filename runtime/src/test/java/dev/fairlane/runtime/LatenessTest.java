package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.TenantId;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Schedules of several tenants keep apart, and there are never more histograms than the bounds say. */
class LatenessTest {
    private final Lateness lateness = new Lateness();

    private void add(int tenant, String schedule) {
        lateness.add(new ScheduleName(new TenantId(tenant), schedule), 5_000);
    }

    private Map<NodeStatus.LatenessOf, NodeStatus.Pickups> copy() {
        return lateness.copy(tenant -> "t" + tenant.number());
    }

    private static long count(NodeStatus.Pickups pickups) {
        return pickups.counts().stream().mapToLong(Long::longValue).sum();
    }

    @Test
    void theSameNameOfTwoTenantsIsTwoSchedules() {
        add(1, "nightly");
        add(2, "nightly");
        add(2, "nightly");
        assertThat(copy().get(new NodeStatus.LatenessOf("t1", "nightly")))
                .satisfies(pickups -> assertThat(count(pickups)).isEqualTo(1));
        assertThat(copy().get(new NodeStatus.LatenessOf("t2", "nightly")))
                .satisfies(pickups -> assertThat(count(pickups)).isEqualTo(2));
    }

    @Test
    void whatIsTooMuchIsCountedTogether() {
        for (int tenant = 1; tenant <= 300; tenant++) {
            for (int schedule = 0; schedule < 60; schedule++) {
                add(tenant, "s" + schedule);
            }
        }
        Map<NodeStatus.LatenessOf, NodeStatus.Pickups> copy = copy();
        assertThat(copy).hasSizeLessThanOrEqualTo(Lateness.MAX_SCHEDULES + Lateness.MAX_TENANTS + 1);
        assertThat(copy.get(new NodeStatus.LatenessOf("t1", "(other)")))
                .satisfies(pickups -> assertThat(count(pickups)).isEqualTo(60 - Lateness.MAX_OF_TENANT));
        assertThat(copy).containsKey(new NodeStatus.LatenessOf("(other)", "(other)"));
        assertThat(copy.values().stream().mapToLong(LatenessTest::count).sum()).isEqualTo(300 * 60);
    }

    @Test
    void whatIsGoneMakesRoom() {
        for (int schedule = 0; schedule < Lateness.MAX_OF_TENANT; schedule++) {
            add(1, "s" + schedule);
        }
        lateness.keep(id -> !id.name().equals("s7"));
        assertThat(copy()).doesNotContainKey(new NodeStatus.LatenessOf("t1", "s7"));
        add(1, "late");
        add(1, "later");
        assertThat(copy())
                .containsKeys(new NodeStatus.LatenessOf("t1", "late"), new NodeStatus.LatenessOf("t1", "(other)"));
    }
}
