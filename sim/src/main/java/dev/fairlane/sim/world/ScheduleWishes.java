package dev.fairlane.sim.world;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Cron;
import dev.fairlane.core.model.CronTicks;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.ScheduleRules;
import dev.fairlane.core.model.ScheduleRules.Catchup;
import dev.fairlane.core.model.ScheduleRules.Overlap;
import dev.fairlane.core.model.TimeRule;
import dev.fairlane.sim.seen.Kinds;
import dev.fairlane.sim.seen.Request;
import dev.fairlane.sim.seen.Sighting;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Schedules that tick every few seconds through whatever breaks. At times one gets another job, is looked at, paused, resumed, told to run at
 * once or deleted. Some make jobs of which there may be one of a kind, and keep out each other's runs. After the world has healed all are
 * resumed and tick on for a while, and are then paused until their runs are at their end.
 */
final class ScheduleWishes implements Wishes {
    private static final long SECOND = 1_000_000;
    private static final int AT_MOST = 3;
    private static final List<String> ZONES = List.of("UTC", "Europe/Berlin", "Asia/Kathmandu");

    /** Types of {@link Kinds} of which no tick has to ask the store: that a look there fails, and the tick is late, would prove nothing. */
    private static final List<String> UNIQUE = List.of("single", "strict", "latest", "calm");

    /** Longer than nodes take to hear of a clock that jumped, where clocks do. */
    private static final long TICK_ON_MICROS = 25 * SECOND;

    private static final long TICK_ON_AFTER_JUMPS_MICROS = 60 * SECOND;

    private final Desk desk;
    private final Map<ScheduleName, Wanted> asked = new LinkedHashMap<>();
    private final Set<ScheduleName> left = new LinkedHashSet<>();
    private final Set<ScheduleName> stopped = new LinkedHashSet<>();
    private final Set<String> declared = new HashSet<>();
    private long healedAt;

    private record Wanted(ScheduleRules rules, String type) {}

    ScheduleWishes(Desk desk) {
        this.desk = desk;
    }

    @Override
    public void wish() {
        int dice = desk.chance.below(20);
        if (asked.size() < AT_MOST) {
            ScheduleName id = new ScheduleName(desk.mine(), "s" + desk.nextNumber());
            asked.put(id, new Wanted(someRules(), desk.chance.of(0.4) ? desk.chance.pick(UNIQUE) : "quick"));
            left.add(id);
            put(id);
        } else if (dice < 6) {
            put(some());
        } else if (dice < 10) {
            look(some());
        } else if (dice < 12) {
            stop(some());
        } else if (dice < 14) {
            resume(stopped.isEmpty() ? some() : desk.chance.pick(List.copyOf(stopped)));
        } else if (dice < 18) {
            trigger(some());
        } else if (desk.chance.of(0.3)) {
            delete(some());
        }
    }

    private ScheduleName some() {
        return desk.chance.pick(new ArrayList<>(asked.keySet()));
    }

    private ScheduleRules someRules() {
        ScheduleRules rules = ScheduleRules.at(someTime())
                .catching(desk.chance.pick(List.of(Catchup.values())), ScheduleRules.CATCHUP_PER_MINUTE)
                .overlapping(desk.chance.pick(List.of(Overlap.values())))
                .jittered(desk.chance.pick(List.of(0L, 2 * SECOND, ScheduleRules.USUAL_JITTER)));
        return desk.chance.of(0.2) ? rules.within(0, 0, desk.chance.between(1, 6)) : rules;
    }

    private TimeRule someTime() {
        int dice = desk.chance.below(10);
        if (dice < 6) {
            return new TimeRule.Every(desk.chance.between(SECOND, 5 * SECOND), false);
        }
        if (dice < 7) {
            return new TimeRule.Every(desk.chance.between(SECOND, 3 * SECOND), true);
        }
        long seconds = 0;
        for (int at = 0, step = (int) desk.chance.between(2, 7); at < 60; at += step) {
            seconds |= 1L << at;
        }
        long everyMinute = (1L << 60) - 1;
        return new TimeRule.InZone(
                new Cron(seconds, everyMinute, Cron.ALL_HOURS, Cron.ALL_DAYS, Cron.ALL_MONTHS, 0, 0, 0, 0),
                "",
                desk.chance.pick(ZONES),
                CronTicks.Gap.SKIP,
                CronTicks.Overlap.FIRST);
    }

    /** With its rules and a job that is another one each time. */
    private void put(ScheduleName id) {
        Wanted wanted = asked.get(id);
        if (wanted == null) {
            return;
        }
        String type = wanted.type();
        boolean unique = Kinds.rule(type) != null;
        if (unique && !declared.contains(type)) {
            declare(type, () -> put(id));
            return;
        }
        NewJob job = job(type, unique ? id.name() : "");
        desk.calls.ask(
                node -> node.schedules().put(new Command.PutSchedule(id, wanted.rules(), job, false), desk.author("")),
                this::told,
                answer -> {},
                () -> {});
    }

    private NewJob job(String type, String uniqueKey) {
        return new NewJob(
                type,
                Request.payload(desk.nextNumber(), 20),
                0,
                -1,
                0,
                0,
                0,
                0,
                0,
                "",
                0,
                Map.of(),
                Map.of(),
                new JobTerms(JobTerms.DEFAULT_LANE, 0, uniqueKey, "", "", false, 0));
    }

    private void declare(String type, Runnable then) {
        Command.PutType put = new Command.PutType(desk.mine(), type, PoolRules.SHORT, 0, 0, KindWishes.rules(type));
        desk.calls.ask(
                node -> node.putType(put, desk.author("")),
                (at, answer) -> {},
                answer -> {
                    if (answer instanceof Answer.TypeIs) {
                        declared.add(type);
                        then.run();
                    }
                },
                () -> {});
    }

    private void told(SimNode at, Answer answer) {
        desk.world.say(at + " answers about a schedule: " + answer);
        if (answer instanceof Answer.ScheduleIs is) {
            desk.saw(new Sighting.ScheduleAnswered(at.name, is.schedule()));
        } else if (at.tellsNews() && !isFull(answer)) {
            desk.world.observer().wrong("TicksFireOnce", "a schedule was refused: " + answer);
        }
    }

    /** A node under pressure takes no new schedules. */
    private static boolean isFull(Answer answer) {
        return answer instanceof Answer.Refused refused && refused.refusal().code() == RefusalCode.NODE_FULL;
    }

    private void look(ScheduleName id) {
        desk.calls.ask(
                node -> node.schedules().get(id),
                (at, found) -> {
                    desk.world.say(desk.name + " sees at " + at + " " + found.orElse(null));
                    found.ifPresent(schedule -> desk.saw(new Sighting.ScheduleAnswered(at.name, schedule)));
                },
                found -> {},
                () -> {});
    }

    private void stop(ScheduleName id) {
        stopped.add(id);
        pause(id, true, answer -> {});
    }

    private void resume(ScheduleName id) {
        pause(id, false, answer -> stopped.remove(id));
    }

    private void pause(ScheduleName id, boolean paused, Consumer<Answer> heard) {
        desk.calls.ask(
                node -> node.schedules()
                        .pause(new Command.PauseSchedule(id, paused, desk.name, "it is wanted so"), desk.author("")),
                (at, answer) -> {
                    desk.world.say(
                            at + " answers to the " + (paused ? "pause" : "resumption") + " of " + id + ": " + answer);
                    if (answer instanceof Answer.ScheduleIs is) {
                        desk.saw(new Sighting.ScheduleAnswered(at.name, is.schedule()));
                    }
                },
                heard,
                () -> {});
    }

    private void trigger(ScheduleName id) {
        desk.saw(new Sighting.ScheduleTriggering(id));
        desk.calls.ask(
                node -> node.schedules().trigger(id, desk.author("")),
                (at, answer) -> desk.world.say(at + " answers to a run of " + id + " by hand: " + answer),
                answer -> {},
                () -> {});
    }

    private void delete(ScheduleName id) {
        desk.saw(new Sighting.ScheduleDeleting(id));
        desk.calls.ask(
                node -> node.schedules().delete(id, desk.author("")),
                (at, answer) -> desk.world.say(at + " answers to the deletion of " + id + ": " + answer),
                answer -> {},
                () -> {});
    }

    @Override
    public void settle() {
        if (healedAt == 0) {
            healedAt = desk.world.now();
        }
        boolean jumps = desk.world.scenario().faults().containsKey(FaultKind.CLOCK_JUMP);
        long over = healedAt + (jumps ? TICK_ON_AFTER_JUMPS_MICROS : TICK_ON_MICROS);
        if (desk.world.now() > over) {
            List.copyOf(left).forEach(this::end);
        } else if (desk.world.now() < over - Desk.UNDER_WAY_MICROS) {
            List.copyOf(stopped).forEach(this::resume);
        }
    }

    private void end(ScheduleName id) {
        pause(id, true, answer -> {
            boolean over = answer instanceof Answer.ScheduleIs is
                    && is.schedule().progress().open().isEmpty();
            boolean nowhere = answer instanceof Answer.Refused refused
                    && refused.refusal().code() == RefusalCode.SCHEDULE_NOT_FOUND;
            if (over || nowhere) {
                left.remove(id);
            }
        });
    }

    @Override
    public boolean done() {
        return left.isEmpty();
    }

    @Override
    public String toString() {
        return "schedules " + left;
    }
}
