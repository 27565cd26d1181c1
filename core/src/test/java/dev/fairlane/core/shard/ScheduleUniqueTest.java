package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.ScheduleProgress;
import dev.fairlane.core.model.ScheduleRules;
import dev.fairlane.core.model.ScheduleRules.Catchup;
import dev.fairlane.core.model.ScheduleRules.Overlap;
import dev.fairlane.core.model.TimeRule;
import dev.fairlane.core.model.TypeRules;
import dev.fairlane.core.model.TypeRules.By;
import dev.fairlane.core.model.TypeRules.Conflict;
import dev.fairlane.core.model.TypeRules.During;
import dev.fairlane.core.model.TypeRules.UniqueRule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Schedules of a type that has one job of a kind. */
class ScheduleUniqueTest {
    private static final long EVERY = 5 * Bed.SECOND;

    private final Bed bed = new Bed();
    private final ScheduleName id = new ScheduleName(bed.tenant, "s");

    private void begin(During during, long period, Conflict conflict) {
        unique("tick", during, period, conflict);
        put(id, ScheduleRules.at(new TimeRule.Every(EVERY, false)).jittered(0).overlapping(Overlap.CANCEL_PREVIOUS));
        bed.now += 2 * Bed.MILLI;
    }

    private void unique(String type, During during, long period, Conflict conflict) {
        TypeRules rules = TypeRules.saying(draft -> draft.unique = new UniqueRule(By.ARGS, during, period, conflict));
        bed.send(new Command.PutType(bed.tenant, type, "short", 0, 0, rules));
    }

    private void put(ScheduleName name, ScheduleRules rules) {
        bed.send(new Command.PutSchedule(name, rules, Bed.job("tick"), false));
    }

    private ScheduleProgress progress() {
        return Objects.requireNonNull(bed.engine.schedule(id)).progress();
    }

    private List<JobSpec> runs() {
        return bed.facts.stream()
                .filter(fact -> fact instanceof Fact.JobAdded)
                .map(fact -> ((Fact.JobAdded) fact).spec())
                .toList();
    }

    @ParameterizedTest
    @EnumSource(Conflict.class)
    void aRunThatWaitsGivesWayInOneStep(Conflict conflict) {
        begin(During.QUEUED, conflict == Conflict.DEBOUNCE ? Bed.SECOND : 0, conflict);
        for (int i = 1; i <= 3; i++) {
            bed.pass(EVERY);
            assertThat(runs()).hasSize(i);
            assertThat(progress().fired()).isEqualTo(i);
            assertThat(progress().open()).containsExactly(runs().getLast().id());
        }
        assertThat(progress().refused()).isZero();
        assertThat(bed.state(runs().getFirst().id())).isEqualTo(JobState.CANCELLED);
    }

    @ParameterizedTest
    @EnumSource(Conflict.class)
    void aRunThatRunsIsToldToEndAndTheTickComesWhenItHas(Conflict conflict) {
        begin(During.RUNNING, conflict == Conflict.DEBOUNCE ? Bed.SECOND : 0, conflict);
        bed.worker(1, 2, "tick");
        bed.pass(EVERY);
        bed.pass(2 * Bed.SECOND);
        Picked running = bed.mustPick();
        bed.start(running);
        bed.pass(EVERY);
        assertThat(runs()).as("one of a kind while it runs").hasSize(1);
        assertThat(Objects.requireNonNull(bed.engine.job(running.lease().id()))
                        .status()
                        .cancelRequested())
                .isTrue();
        assertThat(progress().fired()).isEqualTo(1);
        bed.complete(running);
        bed.pass(Bed.MILLI);
        assertThat(runs()).hasSize(2);
        assertThat(progress().fired()).isEqualTo(2);
        assertThat(progress().refused()).isZero();
        assertThat(progress().open()).containsExactly(runs().getLast().id());
    }

    @Test
    void whatStandsForTheNewRunIsNotCancelled() {
        begin(During.A_TIME, Bed.HOUR, Conflict.RETURN_EXISTING);
        for (int i = 0; i < 3; i++) {
            bed.pass(EVERY);
        }
        assertThat(runs()).hasSize(1);
        assertThat(bed.state(runs().getFirst().id())).isEqualTo(JobState.QUEUED);
        assertThat(progress().fired()).isEqualTo(3);
    }

    @Test
    void forATimeTheRunThatWaitsIsReplacedOnce() {
        begin(During.A_TIME, Bed.HOUR, Conflict.REPLACE);
        for (int i = 1; i <= 3; i++) {
            bed.pass(EVERY);
            assertThat(progress().open()).containsExactly(runs().getLast().id());
        }
        assertThat(runs()).hasSize(3);
    }

    /** All that rules of types and schedules can come to, together: no step contradicts itself, no run is lost from sight. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void noCombinationContradictsItself(long seed) {
        Random random = new Random(seed);
        bed.worker(1, 3, "tick");
        List<ScheduleName> names = new ArrayList<>();
        List<Picked> held = new ArrayList<>();
        for (int step = 0; step < 600; step++) {
            switch (random.nextInt(12)) {
                case 0 -> {
                    Conflict conflict = any(random, Conflict.values());
                    During during = any(random, During.values());
                    unique("tick", during, (1 + random.nextInt(20)) * Bed.SECOND, conflict);
                }
                case 1 -> {
                    ScheduleName name = new ScheduleName(bed.tenant, "s" + random.nextInt(4));
                    names.add(name);
                    put(name, rules(random));
                }
                case 2 ->
                    names.stream()
                            .skip(names.isEmpty() ? 0 : random.nextInt(names.size()))
                            .findFirst()
                            .ifPresent(name -> about(name, random));
                case 3, 4, 5 -> {
                    Picked picked = bed.pick();
                    if (picked != null) {
                        held.add(picked);
                    }
                }
                case 6, 7 -> {
                    if (!held.isEmpty()) {
                        bed.complete(held.remove(random.nextInt(held.size())));
                    }
                }
                default -> bed.pass(random.nextLong(3 * Bed.SECOND));
            }
            check();
        }
        assertThat(runs().size()).isGreaterThan(20);
        Engine again = new Engine(bed.config, Bed.EPOCH + 1);
        bed.facts.forEach(again::apply);
        assertThat(again.hardState(bed.now).schedules())
                .isEqualTo(bed.engine.hardState(bed.now).schedules());
    }

    private void about(ScheduleName name, Random random) {
        switch (random.nextInt(6)) {
            case 0 -> bed.send(new Command.DeleteSchedule(name));
            case 1, 2 -> bed.send(new Command.PauseSchedule(name, random.nextInt(3) == 0, "me", ""));
            default -> bed.send(new Command.TriggerSchedule(name, List.of()));
        }
    }

    private ScheduleRules rules(Random random) {
        ScheduleRules rules = ScheduleRules.at(
                        new TimeRule.Every((1 + random.nextInt(5)) * Bed.SECOND, random.nextInt(4) == 0))
                .jittered(random.nextInt(2) * Bed.SECOND / 2)
                .overlapping(any(random, Overlap.values()))
                .catching(any(random, Catchup.values()), 600);
        return random.nextInt(4) == 0 ? rules.within(0, 0, 1 + random.nextInt(30)) : rules;
    }

    private static <T> T any(Random random, T[] of) {
        return of[random.nextInt(of.length)];
    }

    private void check() {
        for (var schedule : bed.engine.schedules(null, null, 10)) {
            ScheduleProgress progress = schedule.progress();
            assertThat(new HashSet<>(progress.open())).hasSameSizeAs(progress.open());
            for (JobId open : progress.open()) {
                assertThat(bed.engine.job(open))
                        .as("a run of %s that is open", schedule)
                        .isNotNull();
            }
        }
    }
}
