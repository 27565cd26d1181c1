package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.ScheduleProgress;
import dev.fairlane.core.model.ScheduleRules;
import dev.fairlane.core.model.ScheduleRules.Catchup;
import dev.fairlane.core.model.ScheduleRules.Overlap;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TimeRule;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the lateness of ticks says is how late the node was, not what their schedule asked for. */
class TickLatenessTest {
    private static final long SECOND = 1_000_000;
    private static final NodeStatus.Pickups NONE = new NodeStatus.Pickups(List.of(), 0);

    private final NodeRig rig = new NodeRig();
    private final Tenant tenant = rig.tenant("acme", 10);
    private final ScheduleName id = new ScheduleName(tenant.id(), "s");

    private static ScheduleRules everyTenSeconds() {
        return ScheduleRules.at(new TimeRule.Every(10 * SECOND, false)).jittered(0);
    }

    private void put(ScheduleRules rules) {
        rig.settled(rig.node
                .schedules()
                .put(new Command.PutSchedule(id, rules, NewJob.of("tick", Payload.EMPTY), false), null));
    }

    private ScheduleProgress progress() {
        return rig.settled(rig.node.schedules().get(id)).orElseThrow().progress();
    }

    private NodeStatus.Pickups lateness() {
        rig.advance(2 * SECOND);
        return rig.node
                .status()
                .schedules()
                .latenessMicros()
                .getOrDefault(new NodeStatus.LatenessOf("acme", "s"), NONE);
    }

    private static long count(NodeStatus.Pickups lateness) {
        return lateness.counts().stream().mapToLong(Long::longValue).sum();
    }

    @Test
    void aTickThatTheNodeDealsWithLateIsLate() {
        put(everyTenSeconds());
        rig.advance(11 * SECOND);
        assertThat(count(lateness())).isOne();
        assertThat(lateness().sumMicros()).isLessThan(SECOND / 10);
        rig.settled(rig.node.cancel(null, progress().open().getFirst(), null));
        rig.skip(10 * SECOND);
        rig.settle();
        assertThat(count(lateness())).isEqualTo(2);
        assertThat(lateness().sumMicros()).isBetween(4 * SECOND, 8 * SECOND);
    }

    @Test
    void aTickThatWaitedForTheRunBeforeItIsNot() {
        put(everyTenSeconds().overlapping(Overlap.BUFFER_ONE));
        rig.advance(27 * SECOND);
        JobId first = progress().open().getFirst();
        rig.settled(rig.node.cancel(null, first, null));
        rig.advance(SECOND);
        assertThat(progress().fired()).as("the second waited seven seconds").isEqualTo(2);
        assertThat(count(lateness())).isOne();
        assertThat(lateness().sumMicros()).isLessThan(SECOND / 10);
    }

    @Test
    void ticksThatAreMadeUpForAreNot() {
        put(everyTenSeconds().overlapping(Overlap.ALLOW).catching(Catchup.ALL, 60));
        rig.skip(300 * SECOND);
        rig.start();
        rig.advance(90 * SECOND);
        assertThat(progress().fired()).isGreaterThanOrEqualTo(38);
        assertThat(count(lateness())).as("those that came in time").isBetween(2L, 8L);
        assertThat(lateness().sumMicros()).isLessThan(SECOND);
    }

    @Test
    void norIsTheOneThatStandsForAllThatWereMissed() {
        put(everyTenSeconds()
                .overlapping(Overlap.ALLOW)
                .catching(Catchup.LATEST, 60)
                .within(0, rig.node.now() + 30 * SECOND, 0));
        rig.skip(300 * SECOND);
        rig.start();
        rig.advance(5 * SECOND);
        assertThat(progress().fired()).isOne();
        assertThat(count(lateness())).isZero();
    }
}
