package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Cron;
import dev.fairlane.core.model.CronTicks;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobChange;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Notice;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.ScheduleProgress;
import dev.fairlane.core.model.ScheduleRules;
import dev.fairlane.core.model.ScheduleRules.Catchup;
import dev.fairlane.core.model.ScheduleRules.Overlap;
import dev.fairlane.core.model.TimeRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Schedules that were done, paused or left without their zone; and times that contradict each other. */
class ScheduleEdgesTest {
    private static final long DAY = 24 * Bed.HOUR;

    private final Bed bed = new Bed();
    private final ScheduleName id = new ScheduleName(bed.tenant, "s");

    private void put(ScheduleRules rules) {
        bed.send(new Command.PutSchedule(id, rules, Bed.job("tick"), false));
        bed.now += 2 * Bed.MILLI;
    }

    private Schedule schedule() {
        return Objects.requireNonNull(bed.engine.schedule(id));
    }

    private ScheduleProgress progress() {
        return schedule().progress();
    }

    private void finish() {
        bed.complete(bed.mustPick());
    }

    @Test
    void moreRunsForAScheduleThatWasDoneCountFromNow() {
        bed.worker(1, 1, "tick");
        ScheduleRules daily =
                ScheduleRules.at(new TimeRule.Every(DAY, false)).jittered(0).catching(Catchup.ALL, 600);
        put(daily.within(0, 0, 2));
        for (int i = 0; i < 2; i++) {
            bed.pass(DAY);
            finish();
        }
        assertThat(schedule().done()).isTrue();
        bed.pass(150 * DAY);
        put(daily.within(0, 0, 4));
        bed.pass(Bed.MINUTE);
        assertThat(progress().fired()).as("nobody waits for those in between").isEqualTo(2);
        assertThat(progress().missed()).isZero();
        bed.pass(DAY);
        assertThat(progress().fired()).isEqualTo(3);
    }

    @Test
    void aLaterEndForAScheduleThatWasDoneCountsFromNow() {
        bed.worker(1, 1, "tick");
        ScheduleRules daily =
                ScheduleRules.at(new TimeRule.Every(DAY, false)).jittered(0).catching(Catchup.LATEST, 600);
        put(daily.within(0, bed.now + DAY, 0));
        bed.pass(DAY);
        finish();
        bed.pass(10 * DAY);
        put(daily.within(0, bed.now + 10 * DAY, 0));
        bed.pass(Bed.MINUTE);
        assertThat(progress().fired()).isEqualTo(1);
        bed.pass(DAY);
        assertThat(progress().fired()).isEqualTo(2);
    }

    private void bufferOne(ScheduleRules rules) {
        bed.worker(1, 1, "tick");
        put(rules);
        bed.pass(Bed.MINUTE);
        bed.pass(Bed.MINUTE);
        assertThat(progress().buffered()).isPositive();
    }

    @Test
    void aTickThatWaitsIsLeftOutWhenThereAreNoRunsLeft() {
        ScheduleRules rules = ScheduleRules.at(new TimeRule.Every(Bed.MINUTE, false))
                .jittered(0)
                .overlapping(Overlap.BUFFER_ONE);
        bufferOne(rules);
        bed.send(new Command.PutSchedule(id, rules.within(0, 0, 1), Bed.job("tick"), false));
        finish();
        bed.pass(1);
        assertThat(progress().fired()).isEqualTo(1);
        assertThat(progress().buffered()).isZero();
        assertThat(schedule().done()).isTrue();
    }

    @Test
    void aTickThatWaitedThroughAPauseIsLeftOut() {
        bufferOne(ScheduleRules.at(new TimeRule.Every(Bed.MINUTE, false))
                .jittered(0)
                .overlapping(Overlap.BUFFER_ONE));
        bed.send(new Command.PauseSchedule(id, true, "me", ""));
        finish();
        bed.pass(10 * Bed.MINUTE);
        bed.send(new Command.PauseSchedule(id, false, "me", ""));
        bed.pass(1);
        assertThat(progress().fired()).isEqualTo(1);
        assertThat(progress().skipped()).isEqualTo(1);
        bed.pass(Bed.MINUTE);
        assertThat(progress().fired()).isEqualTo(2);
    }

    @Test
    void aScheduleWhoseZoneIsGoneIsNotDone() {
        Cron daily = new Cron(1, 1, Cron.ALL_HOURS, Cron.ALL_DAYS, Cron.ALL_MONTHS, 0, 0, 0, 0);
        ScheduleRules rules = ScheduleRules.at(
                new TimeRule.InZone(daily, "", "Gone/Nowhere", CronTicks.Gap.SKIP, CronTicks.Overlap.FIRST));
        bed.apply(new Fact.ScheduleSet(Schedule.made(id, rules, Bed.job("tick"), bed.now)));
        bed.engine.forgetNotices();
        assertThat(schedule().done()).isFalse();
        assertThat(schedule().nextTick()).isEqualTo(Schedule.NEVER);
        List<Notice.Kind> noticed = new ArrayList<>();
        bed.engine.drainNotices(notice -> noticed.add(notice.kind()));
        assertThat(noticed).containsExactly(Notice.Kind.ZONE_UNKNOWN);
    }

    @Test
    void aOneTimeTickWaitsForARunThatSomebodyTriggered() {
        bed.worker(1, 1, "tick");
        put(ScheduleRules.at(new TimeRule.Once(bed.now + Bed.MINUTE)));
        bed.send(new Command.TriggerSchedule(id, List.of()));
        Picked tried = bed.mustPick();
        bed.passSteadily(2 * Bed.MINUTE);
        assertThat(progress().fired()).isZero();
        assertThat(schedule().done()).isFalse();
        bed.complete(tried);
        bed.pass(Bed.MILLI);
        assertThat(progress().fired()).isOne();
        assertThat(progress().skipped()).isZero();
        finish();
        assertThat(schedule().done()).isTrue();
    }

    private static RefusalCode code(Answer answer) {
        return ((Answer.Refused) answer).refusal().code();
    }

    private Answer put(ScheduleName name, NewJob job) {
        ScheduleRules rules = ScheduleRules.at(new TimeRule.Every(DAY, false));
        return bed.send(new Command.PutSchedule(name, rules, job, false));
    }

    private static NewJob bytes(byte[] payload) {
        return NewJob.of("tick", new Payload(payload, Payload.JSON));
    }

    @Test
    void aNodeWithoutMemoryTakesNoMoreSchedulesAndLetsThoseThereBeChanged() {
        put(id, bytes(new byte[10]));
        bed.engine.measured(95, 0);
        assertThat(code(put(new ScheduleName(bed.tenant, "another"), Bed.job("tick"))))
                .isEqualTo(RefusalCode.NODE_FULL);
        assertThat(code(put(id, bytes(new byte[11])))).isEqualTo(RefusalCode.NODE_FULL);
        assertThat(put(id, bytes(new byte[9]))).isInstanceOf(Answer.ScheduleIs.class);
        bed.engine.measured(50, 0);
        assertThat(put(id, bytes(new byte[11]))).isInstanceOf(Answer.ScheduleIs.class);
    }

    @Test
    void theSchedulesOfAllHaveABoundAndWhoHasNoneStillFindsRoom() {
        byte[] most = new byte[(int) Schedule.MAX_BYTES_PER_TENANT];
        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            answers.add(put(new ScheduleName(bed.putTenant("t" + i, 10), "s"), bytes(most)));
        }
        assertThat(answers.subList(0, 8)).hasOnlyElementsOfType(Answer.ScheduleIs.class);
        assertThat(code(answers.getLast())).isEqualTo(RefusalCode.NODE_FULL);
        assertThat(put(id, Bed.job("tick"))).as("without a payload").isInstanceOf(Answer.ScheduleIs.class);

        bed.send(new Command.DeleteSchedule(new ScheduleName(bed.putTenant("t0", 10), "s")));
        assertThat(put(id, bytes(new byte[1_000]))).isInstanceOf(Answer.ScheduleIs.class);
    }

    private Answer submit(long delay, long runAt, long notAfter) {
        NewJob job = new NewJob("mail", Payload.EMPTY, 0, -1, runAt, delay, notAfter, 0, 0, "", 0, Map.of(), Map.of());
        return bed.send(new Command.Submit(bed.newId(), bed.tenant, job));
    }

    private static void assertInvalid(Answer answer) {
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.refusal().code()).isEqualTo(RefusalCode.INVALID_ARGUMENT));
    }

    @Test
    void aJobThatCouldOnlyExpireIsRefused() {
        assertInvalid(submit(Bed.HOUR, 0, bed.now + Bed.HOUR / 2));
        assertInvalid(submit(Bed.HOUR, 0, bed.now + Bed.HOUR));
        assertInvalid(submit(0, bed.now + Bed.HOUR, bed.now + Bed.HOUR));
        assertThat(submit(Bed.HOUR, 0, bed.now + 2 * Bed.HOUR)).isInstanceOf(Answer.Submitted.class);
        JobId id = ((Answer.Submitted) submit(Bed.HOUR, 0, 0)).id();
        assertInvalid(bed.send(new Command.Revise(
                null, id, JobChange.NOTHING.withNotAfter(bed.now + Bed.HOUR / 2), Command.ANY_REVISION, null)));
    }
}
