package dev.fairlane.journal;

import dev.fairlane.core.model.Cron;
import dev.fairlane.core.model.CronTicks;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.ScheduleProgress;
import dev.fairlane.core.model.ScheduleRules;
import dev.fairlane.core.model.TimeRule;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Schedules of all kinds, sensible or not. */
final class GeneratedSchedules {
    private final GeneratedFacts facts;
    private final RandomGenerator random;

    GeneratedSchedules(GeneratedFacts facts, RandomGenerator random) {
        this.facts = facts;
        this.random = random;
    }

    Schedule schedule() {
        JobSpec spec = facts.spec();
        NewJob job = new NewJob(
                spec.type(),
                spec.payload(),
                spec.payloadVersion(),
                random.nextInt(11) - 1,
                0,
                0,
                0,
                spec.maxAttempts(),
                spec.timeLimitMicros(),
                "",
                0,
                spec.tags(),
                spec.headers(),
                spec.terms());
        return new Schedule(
                new ScheduleName(spec.tenant(), facts.text()), rules(), job, time(), time(), time(), progress());
    }

    private ScheduleRules rules() {
        return new ScheduleRules(
                rule(),
                ScheduleRules.Catchup.of(random.nextInt(3)),
                1 + random.nextInt(6_000),
                ScheduleRules.Overlap.of(random.nextInt(4)),
                random.nextInt(1_000) - 1,
                random.nextBoolean(),
                time(),
                time(),
                random.nextInt(5),
                facts.text());
    }

    private TimeRule rule() {
        return switch (random.nextInt(3)) {
            case 0 -> new TimeRule.Every(1 + random.nextInt(1_000_000), random.nextBoolean());
            case 1 -> new TimeRule.Once(1 + time());
            default ->
                new TimeRule.InZone(
                        new Cron(
                                1 | random.nextLong() & Cron.ALL_60,
                                2 | random.nextLong() & Cron.ALL_60,
                                4 | random.nextInt() & Cron.ALL_HOURS,
                                2 | random.nextInt() & Cron.ALL_DAYS,
                                2 | random.nextInt() & Cron.ALL_MONTHS,
                                random.nextInt() & Cron.ALL_WEEKDAYS,
                                random.nextInt() & Integer.MAX_VALUE,
                                random.nextInt(),
                                random.nextLong() >>> 22),
                        facts.text(),
                        facts.text(),
                        CronTicks.Gap.of(random.nextInt(2)),
                        CronTicks.Overlap.of(random.nextInt(3)));
        };
    }

    ScheduleProgress progress() {
        List<JobId> open = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            open.add(facts.id());
        }
        return new ScheduleProgress(
                time(),
                random.nextInt(5),
                random.nextInt(5),
                random.nextInt(5),
                random.nextInt(5),
                random.nextInt(5),
                time(),
                time(),
                time(),
                random.nextBoolean() ? facts.id() : null,
                time(),
                List.copyOf(open),
                facts.text(),
                random.nextBoolean() ? new ScheduleProgress.Pause(facts.text(), facts.text(), time()) : null,
                time());
    }

    private long time() {
        return random.nextInt(3) == 0 ? 0 : 1_790_000_000_000_000L + random.nextInt(2_000_000_000);
    }
}
