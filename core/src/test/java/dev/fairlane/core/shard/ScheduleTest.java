package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Answer.ScheduleOutcome;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.ScheduleProgress;
import dev.fairlane.core.model.ScheduleRules;
import dev.fairlane.core.model.ScheduleRules.Catchup;
import dev.fairlane.core.model.ScheduleRules.Overlap;
import dev.fairlane.core.model.TenantRules;
import dev.fairlane.core.model.Tier;
import dev.fairlane.core.model.TimeRule;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Every tick is dealt with once, in the step that makes its job. */
class ScheduleTest {
    private static final long MINUTE = Bed.MINUTE;

    private final Bed bed = new Bed();

    private ScheduleName id(String name) {
        return new ScheduleName(bed.tenant, name);
    }

    private static ScheduleRules every(long micros) {
        return ScheduleRules.at(new TimeRule.Every(micros, false)).jittered(0);
    }

    /** A little before the next tick: timers are never early and up to a millisecond late. */
    private Answer put(String name, ScheduleRules rules) {
        Answer answer = bed.send(new Command.PutSchedule(id(name), rules, Bed.job("tick"), false));
        bed.now += 2 * Bed.MILLI;
        return answer;
    }

    private ScheduleProgress progress(String name) {
        return Objects.requireNonNull(bed.engine.schedule(id(name))).progress();
    }

    private List<JobSpec> runs() {
        return bed.facts.stream()
                .filter(fact -> fact instanceof Fact.JobAdded)
                .map(fact -> ((Fact.JobAdded) fact).spec())
                .toList();
    }

    private void finish() {
        bed.complete(bed.mustPick());
    }

    @Test
    void theJobAndTheStepPastItsTickAreOneDecision() {
        long begun = bed.now;
        put("s", every(MINUTE));
        bed.pass(MINUTE - Bed.SECOND);
        assertThat(runs()).isEmpty();
        bed.now += 2 * Bed.SECOND;
        Decision decision = bed.engine.decide(new Command.Tick(id("s")), bed.now);
        assertThat(decision.facts())
                .hasExactlyElementsOfTypes(Fact.TypeSet.class, Fact.JobAdded.class, Fact.ScheduleMoved.class);
        decision.facts().forEach(bed::apply);
        assertThat(bed.engine.decide(new Command.Tick(id("s")), bed.now).facts())
                .as("the same tick does not come again")
                .isEmpty();
        ScheduleProgress progress = progress("s");
        assertThat(progress.cursor()).isEqualTo(begun + MINUTE);
        assertThat(progress.fired()).isEqualTo(1);
        JobSpec run = runs().getFirst();
        assertThat(progress.open()).containsExactly(run.id());
        assertThat(run.headers())
                .containsEntry("fairlane-schedule", "s")
                .containsEntry(
                        "fairlane-scheduled-at",
                        Instant.ofEpochSecond((begun + MINUTE) / 1_000_000).toString());
        assertThat(run.tags()).containsEntry("schedule", "s");
    }

    @Test
    void ticksComeInTheirTimeAndOnce() {
        bed.worker(1, 1, "tick");
        put("s", every(MINUTE));
        for (int i = 1; i <= 10; i++) {
            bed.pass(MINUTE);
            assertThat(runs()).hasSize(i);
            finish();
        }
        assertThat(progress("s").fired()).isEqualTo(10);
        assertThat(progress("s").skipped()).isZero();
    }

    @Test
    void sayingTheSameAgainChangesNothing() {
        put("s", every(MINUTE));
        int facts = bed.facts.size();
        Answer again = put("s", every(MINUTE));
        assertThat(((Answer.ScheduleIs) again).outcome()).isEqualTo(ScheduleOutcome.UNCHANGED);
        assertThat(bed.facts).hasSize(facts);
        Answer tried = bed.send(new Command.PutSchedule(id("s"), every(2 * MINUTE), Bed.job("tick"), true));
        assertThat(((Answer.ScheduleIs) tried).outcome()).isEqualTo(ScheduleOutcome.CHANGED);
        assertThat(bed.facts).as("a dry run").hasSize(facts);
    }

    @Test
    void anotherRuleCountsFromNowAndAnotherJobChangesNoTick() {
        put("s", every(MINUTE));
        bed.pass(30 * Bed.SECOND);
        bed.send(new Command.PutSchedule(id("s"), every(MINUTE), Bed.job("other"), false));
        bed.pass(30 * Bed.SECOND);
        assertThat(runs()).extracting(JobSpec::type).containsExactly("other");
        bed.pass(30 * Bed.SECOND);
        put("s", every(2 * MINUTE));
        bed.pass(119 * Bed.SECOND);
        assertThat(progress("s").fired() + progress("s").skipped()).isEqualTo(1);
        bed.pass(Bed.SECOND);
        assertThat(progress("s").fired() + progress("s").skipped()).isEqualTo(2);
    }

    @Test
    void whileARunIsOpenATickIsSkipped() {
        bed.worker(1, 1, "tick");
        put("s", every(MINUTE));
        bed.pass(MINUTE);
        bed.pass(MINUTE);
        bed.pass(MINUTE);
        assertThat(runs()).hasSize(1);
        assertThat(progress("s").skipped()).isEqualTo(2);
        finish();
        assertThat(progress("s").open()).isEmpty();
        bed.pass(MINUTE);
        assertThat(runs()).hasSize(2);
    }

    @Test
    void oneTickWaitsForTheOpenRun() {
        bed.worker(1, 1, "tick");
        put("s", every(MINUTE).overlapping(Overlap.BUFFER_ONE));
        bed.pass(MINUTE);
        bed.pass(MINUTE);
        bed.pass(MINUTE);
        assertThat(runs()).hasSize(1);
        assertThat(progress("s").skipped()).isEqualTo(1);
        finish();
        bed.pass(1);
        assertThat(runs()).hasSize(2);
        assertThat(progress("s").buffered()).isZero();
        assertThat(progress("s").fired()).isEqualTo(2);
        assertThat(progress("s").lastTick()).isEqualTo(progress("s").cursor() - MINUTE);
    }

    @Test
    void theRunBeforeIsCancelled() {
        bed.worker(1, 2, "tick");
        put("s", every(5 * Bed.SECOND).overlapping(Overlap.CANCEL_PREVIOUS));
        bed.pass(5 * Bed.SECOND);
        bed.pass(5 * Bed.SECOND);
        assertThat(runs()).hasSize(2);
        assertThat(bed.state(runs().getFirst().id())).isEqualTo(JobState.CANCELLED);
        assertThat(progress("s").open()).containsExactly(runs().getLast().id());
        Picked running = bed.mustPick();
        bed.start(running);
        bed.pass(5 * Bed.SECOND);
        assertThat(Objects.requireNonNull(bed.engine.job(running.lease().id()))
                        .status()
                        .cancelRequested())
                .isTrue();
        assertThat(runs()).hasSize(3);
        assertThat(progress("s").open()).hasSize(2);
    }

    @Test
    void runsMayMeetWhereTheyAreAllowedTo() {
        put("s", every(MINUTE).overlapping(Overlap.ALLOW));
        for (int i = 0; i < Schedule.MAX_OPEN_RUNS + 5; i++) {
            bed.pass(MINUTE);
        }
        assertThat(runs()).hasSize(Schedule.MAX_OPEN_RUNS);
        assertThat(progress("s").skipped()).isZero();
    }

    @Test
    void missedTicksAreLeftOutUnlessTheyAreToBeMadeUpFor() {
        put("none", every(MINUTE));
        put("latest", every(MINUTE).catching(Catchup.LATEST, 60));
        bed.now += 10 * MINUTE + 59 * Bed.SECOND;
        bed.pass(0);
        assertThat(progress("none").fired()).as("less than a minute late").isEqualTo(1);
        assertThat(progress("none").missed()).isEqualTo(9);
        assertThat(progress("latest").fired()).isEqualTo(1);
        put("hourly", every(60 * MINUTE));
        put("hourly-latest", every(60 * MINUTE).catching(Catchup.LATEST, 60));
        bed.now += 62 * MINUTE;
        bed.pass(0);
        assertThat(progress("hourly").fired()).isZero();
        assertThat(progress("hourly").missed()).isEqualTo(1);
        assertThat(progress("hourly-latest").fired()).isEqualTo(1);
    }

    @Test
    void allMissedTicksAreMadeUpForInOrderAndAtAPace() {
        bed.worker(1, 100, "tick");
        put("s", every(MINUTE).catching(Catchup.ALL, 60).overlapping(Overlap.ALLOW));
        long begun = bed.now;
        bed.now += 30 * MINUTE;
        bed.pass(0);
        assertThat(runs()).hasSize(1);
        for (int i = 2; i <= 30; i++) {
            bed.pass(Bed.SECOND + 10 * Bed.MILLI);
            assertThat(runs().size()).isLessThanOrEqualTo(i);
        }
        bed.pass(2 * Bed.SECOND);
        assertThat(progress("s").fired()).isEqualTo(30);
        assertThat(progress("s").missed()).isZero();
        assertThat(runs())
                .extracting(run -> run.headers().get("fairlane-scheduled-at"))
                .containsExactlyElementsOf(java.util.stream.IntStream.rangeClosed(1, 30)
                        .mapToObj(i -> Instant.ofEpochSecond((begun + i * MINUTE) / 1_000_000)
                                .toString())
                        .toList());
    }

    @Test
    void caughtUpTicksFollowEachOtherWhereRunsMustNotMeet() {
        bed.worker(1, 1, "tick");
        put("s", every(MINUTE).catching(Catchup.ALL, 6_000));
        bed.now += 5 * MINUTE;
        bed.pass(0);
        for (int i = 1; i <= 5; i++) {
            assertThat(runs()).hasSize(i);
            finish();
            bed.pass(Bed.SECOND);
        }
        assertThat(progress("s").fired()).isEqualTo(5);
        assertThat(progress("s").skipped()).isZero();
    }

    @Test
    void aYearOfSecondsIsOverInAMoment() {
        put("s", every(Bed.SECOND).catching(Catchup.LATEST, 60));
        bed.now += 365 * 24 * 60 * MINUTE;
        bed.pass(0);
        assertThat(runs()).hasSize(1);
        assertThat(progress("s").cursor()).isGreaterThan(bed.now - 2 * Bed.SECOND);
        assertThat(progress("s").missed()).isEqualTo(DueTicks.MAX_COUNTED - 1);
    }

    @Test
    void theClockNeverMakesATickComeTwice() {
        bed.worker(1, 1, "tick");
        put("s", every(MINUTE));
        bed.pass(10 * MINUTE);
        int before = runs().size();
        finish();
        long cursor = progress("s").cursor();
        bed.now -= 8 * MINUTE;
        bed.pass(0);
        bed.pass(7 * MINUTE);
        assertThat(runs()).hasSize(before);
        bed.pass(2 * MINUTE);
        assertThat(progress("s").cursor()).isEqualTo(cursor + MINUTE);
        assertThat(runs()).hasSize(before + 1);
    }

    @Test
    void anIntervalMayCountFromTheEndOfTheRunBefore() {
        bed.worker(1, 1, "tick");
        put("s", ScheduleRules.at(new TimeRule.Every(MINUTE, true)).jittered(0));
        bed.pass(MINUTE);
        assertThat(runs()).hasSize(1);
        bed.pass(9 * Bed.SECOND);
        finish();
        bed.pass(59 * Bed.SECOND);
        assertThat(runs()).hasSize(1);
        bed.pass(Bed.SECOND + 2 * Bed.MILLI);
        assertThat(runs()).hasSize(2);
        assertThat(progress("s").skipped() + progress("s").missed()).isZero();
    }

    @Test
    void onceIsOnceHoweverLate() {
        put("s", ScheduleRules.at(new TimeRule.Once(bed.now + MINUTE)));
        bed.send(new Command.PauseSchedule(id("s"), true, "me", "later"));
        bed.pass(60 * MINUTE);
        assertThat(runs()).isEmpty();
        bed.send(new Command.PauseSchedule(id("s"), false, "me", ""));
        bed.pass(1);
        assertThat(runs()).hasSize(1);
        bed.pass(60 * MINUTE);
        assertThat(runs()).hasSize(1);
        assertThat(Objects.requireNonNull(bed.engine.schedule(id("s"))).done()).isTrue();
        assertThat(refusal(put("past", ScheduleRules.at(new TimeRule.Once(bed.now - 1)))))
                .isEqualTo(RefusalCode.INVALID_ARGUMENT);
    }

    @Test
    void ticksDuringAPauseAreLeftOut() {
        put("s", every(MINUTE).catching(Catchup.ALL, 60));
        bed.send(new Command.PauseSchedule(id("s"), true, "me", "moving"));
        bed.pass(10 * MINUTE);
        bed.send(new Command.PauseSchedule(id("s"), false, "me", ""));
        bed.pass(1);
        assertThat(runs()).isEmpty();
        bed.pass(MINUTE);
        assertThat(runs()).hasSize(1);
    }

    @Test
    void aDeadRunPausesTheSchedule() {
        bed.worker(1, 1, "tick");
        put("s", every(MINUTE).pausing());
        bed.pass(MINUTE);
        bed.fail(bed.mustPick(), FailureClass.NON_RETRYABLE);
        ScheduleProgress.Pause pause = progress("s").pause();
        assertThat(pause).isNotNull();
        assertThat(pause.why()).contains(runs().getFirst().id().toString());
        bed.pass(10 * MINUTE);
        assertThat(runs()).hasSize(1);
    }

    @Test
    void aScheduleBeginsAndEndsWhenItShould() {
        bed.worker(1, 1, "tick");
        long start = bed.now + 10 * MINUTE;
        put("s", every(MINUTE).within(start, start + 2 * MINUTE, 0));
        put("two", every(MINUTE).within(0, 0, 2));
        for (int i = 0; i < 20; i++) {
            bed.pass(MINUTE);
            while (bed.pick() instanceof Picked picked) {
                bed.complete(picked);
            }
        }
        assertThat(progress("s").fired()).isEqualTo(3);
        assertThat(progress("two").fired()).isEqualTo(2);
        assertThat(Objects.requireNonNull(bed.engine.schedule(id("two"))).done())
                .isTrue();
    }

    @Test
    void jitterIsLaterOnlyAndTheSameEverywhere() {
        Schedule schedule = Schedule.made(
                id("s"), ScheduleRules.at(new TimeRule.Every(60 * MINUTE, false)), Bed.job("tick"), bed.now);
        long tick = bed.now + 60 * MINUTE;
        long other = tick + 60 * MINUTE;
        assertThat(schedule.fireAt(tick)).isBetween(tick, tick + MINUTE).isEqualTo(schedule.fireAt(tick));
        assertThat(schedule.fireAt(other) - other).isNotEqualTo(schedule.fireAt(tick) - tick);
        Schedule often = Schedule.made(
                id("s"), ScheduleRules.at(new TimeRule.Every(10 * Bed.SECOND, false)), Bed.job("tick"), bed.now);
        assertThat(often.fireAt(tick)).isBetween(tick, tick + Bed.SECOND);
    }

    @Test
    void aRunByHandDoesNotTouchTheTicks() {
        put("s", every(MINUTE));
        long cursor = progress("s").cursor();
        bed.send(new Command.PauseSchedule(id("s"), true, "me", ""));
        Answer answer = bed.send(new Command.TriggerSchedule(id("s"), List.of()));
        assertThat(answer).isInstanceOf(Answer.Submitted.class);
        assertThat(progress("s").cursor()).isEqualTo(cursor);
        assertThat(progress("s").triggered()).isEqualTo(1);
        assertThat(progress("s").open()).hasSize(1);
    }

    @Test
    void whatHasNoRoomWaitsAndWhatIsRefusedIsCounted() {
        bed.setRules(
                bed.tenant,
                new TenantRules(Tier.ENTERPRISE, 0, 1, Map.of(), Map.of(), Map.of(), List.of(), List.of(), false));
        bed.submit("other");
        put("s", every(60 * MINUTE));
        bed.pass(60 * MINUTE);
        bed.pass(5 * Bed.SECOND);
        assertThat(progress("s").fired() + progress("s").refused()).isZero();
        assertThat(bed.engine.oldestDueTickMicros(bed.now)).isBetween(5 * Bed.SECOND, 6 * Bed.SECOND);
        bed.worker(1, 1, "other");
        finish();
        bed.pass(2 * Bed.SECOND);
        assertThat(progress("s").fired()).isEqualTo(1);
        assertThat(bed.engine.oldestDueTickMicros(bed.now)).isZero();
    }

    @Test
    void aDeletedScheduleLeavesItsRunsAlone() {
        bed.worker(1, 1, "tick");
        put("s", every(MINUTE));
        bed.pass(MINUTE);
        bed.send(new Command.DeleteSchedule(id("s")));
        put("s", every(MINUTE));
        finish();
        assertThat(progress("s").endedAt()).as("the run of another life").isZero();
        bed.pass(MINUTE);
        assertThat(progress("s").fired()).isEqualTo(1);
        assertThat(refusal(bed.send(new Command.DeleteSchedule(id("none"))))).isEqualTo(RefusalCode.SCHEDULE_NOT_FOUND);
    }

    @Test
    void aTemplateHasNoTimeAndNoKey() {
        NewJob timed = Bed.later("tick", MINUTE);
        assertThat(refusal(bed.send(new Command.PutSchedule(id("s"), every(MINUTE), timed, false))))
                .isEqualTo(RefusalCode.INVALID_ARGUMENT);
        NewJob keyed = Bed.keyed("tick", "k", 1);
        assertThat(refusal(bed.send(new Command.PutSchedule(id("s"), every(MINUTE), keyed, false))))
                .isEqualTo(RefusalCode.INVALID_ARGUMENT);
        NewJob large = NewJob.of("tick", new Payload(new byte[(int) Schedule.MAX_BYTES_PER_TENANT + 1], Payload.JSON));
        assertThat(refusal(bed.send(new Command.PutSchedule(id("s"), every(MINUTE), large, false))))
                .isEqualTo(RefusalCode.SCHEDULE_LIMIT);
        assertThat(bed.engine.schedules(null, null, 10)).isEmpty();
    }

    @Test
    void aRestartGoesOnWhereItWas() {
        bed.worker(1, 1, "tick");
        put("s", every(MINUTE).overlapping(Overlap.BUFFER_ONE));
        bed.pass(MINUTE);
        bed.pass(MINUTE);
        Engine again = new Engine(bed.config, Bed.EPOCH + 1);
        bed.facts.forEach(again::apply);
        assertThat(again.hardState(bed.now).schedules())
                .isEqualTo(bed.engine.hardState(bed.now).schedules());
        assertThat(again.nextTimerAt()).isLessThanOrEqualTo(bed.now + MINUTE);
    }

    private static RefusalCode refusal(Answer answer) {
        return ((Answer.Refused) answer).refusal().code();
    }
}
