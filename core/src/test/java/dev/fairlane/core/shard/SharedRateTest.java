package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.ScheduleRules;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.TimeRule;
import org.junit.jupiter.api.Test;

/** Ticks of schedules and promotions of due jobs: one rate for both, half of it sure for each. */
class SharedRateTest {
    private static final int RATE = 1_000;
    private static final int AT_ONCE = RATE / 50;
    private static final int SECONDS = 5;

    private final Bed bed = new Bed(promoting());
    private final TenantId jobs = bed.putTenant("jobs", 10);
    private final TenantId schedules = bed.putTenant("schedules", 10);
    private int promotions;
    private int ticks;

    private static EngineConfig promoting() {
        EngineConfig.Room room = EngineConfig.DEFAULT.room();
        return EngineConfig.DEFAULT.withRoom(new EngineConfig.Room(room.openJobs(), room.openJobsPerTenant(), RATE));
    }

    private void manyDueJobs() {
        for (int i = 0; i < 2 * RATE * SECONDS; i++) {
            bed.submit(jobs, Bed.later("mail", Bed.MILLI));
        }
    }

    private void schedules(int count) {
        ScheduleRules rules =
                ScheduleRules.at(new TimeRule.Every(Bed.SECOND, false)).jittered(0);
        for (int i = 0; i < count; i++) {
            bed.send(new Command.PutSchedule(new ScheduleName(schedules, "s" + i), rules, Bed.job("tick"), false));
        }
    }

    /** Counts what is done in the seconds after the first tick. */
    private void run() {
        bed.pass(3 * Bed.SECOND / 2);
        for (int step = 0; step < SECONDS * 100; step++) {
            bed.now += 10 * Bed.MILLI;
            while (bed.engine.dueTimers(bed.now, 100, this::count) > 0) {}
        }
    }

    private void count(Command command) {
        switch (command) {
            case Command.Promote _ -> promotions++;
            case Command.Tick _ -> ticks++;
            default -> {}
        }
        bed.send(command);
    }

    @Test
    void togetherTheyStayWithinTheRateAndEachHasHalf() {
        manyDueJobs();
        schedules(2 * RATE);
        run();
        assertThat(promotions + ticks).isBetween(RATE * SECONDS * 99 / 100, RATE * SECONDS + AT_ONCE);
        assertThat(promotions).isGreaterThan(RATE * SECONDS * 49 / 100);
        assertThat(ticks).isGreaterThan(RATE * SECONDS * 49 / 100);
    }

    @Test
    void whatTicksDoNotNeedJobsHave() {
        manyDueJobs();
        int few = AT_ONCE / 2;
        schedules(few);
        run();
        assertThat(ticks).isEqualTo(few * SECONDS);
        assertThat(promotions).isBetween((RATE - few) * SECONDS * 99 / 100, (RATE - few) * SECONDS + AT_ONCE);
    }

    @Test
    void jobsAloneHaveTheWholeRate() {
        manyDueJobs();
        run();
        assertThat(promotions).isBetween(RATE * SECONDS * 99 / 100, RATE * SECONDS + AT_ONCE);
    }

    @Test
    void ticksAloneHaveTheWholeRate() {
        schedules(2 * RATE);
        run();
        assertThat(ticks).isBetween(RATE * SECONDS * 99 / 100, RATE * SECONDS + AT_ONCE);
    }

    @Test
    void theSmallestRateIsSharedToo() {
        SharedRate rate = new SharedRate(1);
        rate.fill(1);
        rate.one().take();
        rate.other().take();
        assertThat(rate.one().has(true)).isFalse();
        assertThat(rate.one().refilledAt(false)).isEqualTo(2_000_001);
        rate.fill(2_000_001);
        assertThat(rate.one().has(false)).isTrue();
        assertThat(rate.other().has(false)).isTrue();
        rate.one().take();
        assertThat(rate.one().has(false)).isFalse();
        assertThat(rate.one().has(true)).as("while the other has nothing to do").isTrue();
    }
}
