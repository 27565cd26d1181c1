package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.ScheduleRules;
import dev.fairlane.core.model.ScheduleRules.Catchup;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.TenantRules;
import dev.fairlane.core.model.Tier;
import dev.fairlane.core.model.TimeRule;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What one tenant has due does not stand before what another has. */
class PromotionTurnsTest {
    private static final int MANY = Integer.getInteger("fairlane.crowd", 100_000);
    private static final int PORTION = 1_000;

    private final Bed bed = new Bed();
    private final TenantId crowd = bed.putTenant("crowd", 10);
    private final TenantId modest = bed.putTenant("modest", 10);

    private void portion() {
        bed.engine.dueTimers(bed.now, PORTION, bed::send);
    }

    private void crowdDueIn(long micros) {
        for (int i = 0; i < MANY; i++) {
            bed.submit(crowd, Bed.later("mail", micros));
        }
    }

    @Test
    void aJobDueWithAnothersCrowdIsInTheFirstPortion() {
        crowdDueIn(Bed.SECOND);
        JobId one = bed.submit(modest, Bed.later("mail", Bed.SECOND));
        bed.now += Bed.SECOND + 2 * Bed.MILLI;
        portion();
        assertThat(bed.state(one)).isEqualTo(JobState.QUEUED);
    }

    @Test
    void aJobDueBehindAnothersCrowdIsInTheNextPortion() {
        crowdDueIn(Bed.SECOND);
        JobId one = bed.submit(modest, Bed.later("mail", 2 * Bed.SECOND));
        bed.pass(Bed.SECOND + 2 * Bed.MILLI);
        for (int tenth = 0; tenth < 10; tenth++) {
            assertThat(bed.state(one)).isEqualTo(JobState.SCHEDULED);
            bed.pass(Bed.SECOND / 10);
        }
        for (int turn = 0; turn < 3; turn++) {
            bed.now += 10 * Bed.MILLI;
            portion();
        }
        assertThat(bed.state(one)).isEqualTo(JobState.QUEUED);
        assertThat(bed.engine.oldestDueMicros(bed.now)).as("the crowd waits").isGreaterThan(Bed.SECOND);
    }

    @Test
    void aRetryIsNotHeldUpByAnothersCrowd() {
        bed.worker(1, 1, "call");
        JobId retried = bed.submit(modest, Bed.job("call"));
        bed.fail(bed.mustPick(), FailureClass.APP_ERROR);
        long dueAt = bed.engine.job(retried).status().dueAt();
        crowdDueIn(1_000);
        bed.now = dueAt + 2 * Bed.MILLI;
        portion();
        assertThat(bed.state(retried)).isEqualTo(JobState.QUEUED);
    }

    @Test
    void promotionStaysWithinItsRateAndAllAreQueued() {
        crowdDueIn(Bed.SECOND);
        bed.pass(Bed.SECOND + 2 * Bed.MILLI);
        int perSecond = bed.config.room().promotionsPerSecond();
        int[] queued = {0};
        for (int fiftieth = 1; fiftieth < 50 * MANY / perSecond + 50; fiftieth++) {
            bed.now += Bed.SECOND / 50;
            while (bed.engine.dueTimers(bed.now, PORTION, command -> {
                        queued[0]++;
                        bed.send(command);
                    })
                    > 0) {}
            assertThat(queued[0]).isLessThanOrEqualTo(perSecond / 50 * fiftieth);
        }
        assertThat(bed.facts.stream()
                        .filter(fact -> fact instanceof Fact.JobChanged changed
                                && changed.status().state() == JobState.QUEUED)
                        .count())
                .isEqualTo(MANY);
    }

    @Test
    void ticksThatFindNoRoomHoldUpNobodysJobsNorTicks() {
        bed.setRules(
                crowd, new TenantRules(Tier.FREE, 10, 0, Map.of(), Map.of(), Map.of(), List.of(), List.of(), false));
        ScheduleRules hourly = ScheduleRules.at(new TimeRule.Every(Bed.HOUR, false))
                .jittered(0)
                .catching(Catchup.LATEST, 60);
        int schedules = 30_000;
        for (int i = 0; i < schedules; i++) {
            bed.send(new Command.PutSchedule(new ScheduleName(crowd, "s" + i), hourly, Bed.job("tick"), false));
        }
        ScheduleName other = new ScheduleName(modest, "s");
        bed.send(new Command.PutSchedule(other, hourly, Bed.job("tick"), false));
        JobId one = bed.submit(modest, Bed.later("mail", Bed.HOUR));
        bed.now += Bed.HOUR + 61 * Bed.SECOND;
        int asked = 0;
        for (int turn = 0; turn < 6; turn++) {
            asked += bed.engine.dueTimers(bed.now, PORTION, bed::send);
            bed.now += 10 * Bed.MILLI;
        }
        assertThat(asked).isPositive();
        assertThat(bed.state(one)).isEqualTo(JobState.QUEUED);
        assertThat(bed.engine.schedule(other).progress().fired()).isOne();
        for (int tenth = 0; tenth < 100; tenth++) {
            bed.pass(Bed.SECOND / 10);
        }
        int[] commands = {0};
        for (int tenth = 0; tenth < 100; tenth++) {
            bed.now += Bed.SECOND / 10;
            while (bed.engine.dueTimers(bed.now, PORTION, command -> {
                        commands[0]++;
                        bed.send(command);
                    })
                    > 0) {}
        }
        assertThat(commands[0])
                .as("asked in ten seconds, of which a hundred find room")
                .isLessThan(schedules);
        long fired = bed.engine.schedules(crowd, null, schedules).stream()
                .filter(schedule -> schedule.progress().fired() > 0)
                .count();
        assertThat(fired).as("at ten a second").isBetween(150L, 260L);
    }
}
