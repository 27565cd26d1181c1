package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Cron;
import dev.fairlane.core.model.CronTicks;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.ScheduleProgress;
import dev.fairlane.core.model.ScheduleRules;
import dev.fairlane.core.model.ScheduleRules.Catchup;
import dev.fairlane.core.model.ScheduleRules.Overlap;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TimeRule;
import dev.fairlane.journal.JobPage;
import dev.fairlane.journal.JobQuery;
import dev.fairlane.journal.Retention;
import dev.fairlane.journal.memory.InMemoryStore;
import dev.fairlane.runtime.NodeRig.TestWorker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Months of many schedules on a node that is killed again and again, also with commits on their way, and whose clock jumps: every tick
 * has made its job, none has made two, and none was early. Where missed ticks are not made up for, those left out fell into a time in
 * which the node was down or its clock jumped, or met a run that was open.
 */
class ScheduleMonthsProperty {
    private static final long SECOND = 1_000_000;
    private static final long HOUR = 3_600 * SECOND;
    private static final long DAY = 24 * HOUR;
    /** A timer is up to a tick of its wheel late. */
    private static final long TIMER_LATE_AT_MOST = 1_024;

    private static final long CLOCKS_COMPARED_WITHIN = 361 * SECOND;

    private static final List<String> ZONES = List.of(
            "UTC",
            "Europe/Berlin",
            "America/New_York",
            "Australia/Lord_Howe",
            "Asia/Kathmandu",
            "Africa/Casablanca",
            "Pacific/Apia");

    private SplittableRandom random = new SplittableRandom();
    private NodeRig rig = new NodeRig();
    private TestWorker worker = new TestWorker();
    private final Map<String, Schedule> made = new HashMap<>();
    private final Map<String, NavigableMap<Long, JobView>> runs = new HashMap<>();
    private long notedAt;
    private int kills;
    private int jumps;
    private int leftOut;
    private long seenAt;
    private long steadyAt;
    /** Begins and ends of times that passed without the node's doing. */
    private final TreeMap<Long, Long> gaps = new TreeMap<>();

    /** {@code -Dfairlane.schedules=1000 -Dfairlane.schedule-days=150} plays the whole of it. */
    private static int setting(String name, int usual) {
        return Integer.getInteger(name, usual);
    }

    @ParameterizedTest
    @CsvSource({"1", "2"})
    void everyTickMakesItsJobOnce(long seed) {
        int schedules = setting("fairlane.schedules", 30);
        int days = setting("fairlane.schedule-days", 150);
        random = new SplittableRandom(seed);
        rig = new NodeRig(config(), InMemoryStore.SEGMENT_ROWS);
        Tenant tenant = rig.tenant("acme", 10);
        worker = rig.worker("w", 1_000, "tick");
        for (int i = 0; i < schedules; i++) {
            make(tenant, "s" + i, days);
        }
        seenAt = rig.node.now();
        long end = seenAt + days * DAY;
        while (rig.node.now() < end) {
            step(end);
        }
        catchUp();
        int ticks = check(rig.node.now());
        assertThat(ticks).isGreaterThan(schedules * days / 2);
        assertThat(kills).isGreaterThan(10);
        System.out.println(schedules + " schedules, " + ticks + " runs, " + leftOut + " ticks left out by their rules, "
                + kills + " kills, " + jumps + " jumps, " + gaps.size() + " gaps");
    }

    /** History is kept for days, not months: what was there is noted here. */
    private static NodeConfig config() {
        return NodeConfig.named("n1")
                .withStall(36_500 * DAY)
                .withRetention(new Retention(Duration.ofDays(6), Duration.ofDays(6), Duration.ofHours(25), 0));
    }

    private void make(Tenant tenant, String name, int days) {
        ScheduleName id = new ScheduleName(tenant.id(), name);
        ScheduleRules rules = ScheduleRules.at(rule())
                .catching(
                        random.nextInt(5) == 0 ? Catchup.of(random.nextInt(2)) : Catchup.ALL,
                        ScheduleRules.MAX_CATCHUP_PER_MINUTE)
                .overlapping(random.nextInt(3) == 0 ? Overlap.of(random.nextInt(4)) : Overlap.ALLOW)
                .jittered(random.nextInt(3) == 0 ? ScheduleRules.USUAL_JITTER : 0);
        Answer answer = rig.settled(rig.node
                .schedules()
                .put(new Command.PutSchedule(id, bounded(rules, days), NewJob.of("tick", Payload.EMPTY), false), null));
        made.put(name, ((Answer.ScheduleIs) answer).schedule());
    }

    /** Some begin later, end sooner, or have only so many runs; those where every tick is a run, so that it is known which are. */
    private ScheduleRules bounded(ScheduleRules rules, int days) {
        long now = rig.node.now();
        boolean everyTickRuns = rules.catchup() == Catchup.ALL && rules.overlap() == Overlap.ALLOW;
        return switch (random.nextInt(12)) {
            case 0 -> rules.within(now + random.nextLong(20 * DAY), 0, 0);
            case 1 -> rules.within(0, now + random.nextLong(days * DAY / 2, days * DAY), 0);
            case 2 -> everyTickRuns ? rules.within(0, 0, random.nextLong(1, 100)) : rules;
            default -> rules;
        };
    }

    private TimeRule rule() {
        if (random.nextInt(10) < 3) {
            return new TimeRule.Every(SECOND * random.nextLong(24 * 3_600, 72 * 3_600), false);
        }
        long minutes = 1L << random.nextInt(60);
        int hours = random.nextInt(20) == 0 ? 1 | 1 << 6 | 1 << 12 | 1 << 18 : 1 << random.nextInt(24);
        boolean weekly = random.nextInt(4) == 0;
        Cron cron = new Cron(
                1,
                minutes,
                hours,
                weekly ? 0 : Cron.ALL_DAYS,
                Cron.ALL_MONTHS,
                weekly ? random.nextInt(1, 128) : 0,
                0,
                0,
                0);
        return new TimeRule.InZone(
                cron,
                "",
                ZONES.get(random.nextInt(ZONES.size())),
                CronTicks.Gap.of(random.nextInt(2)),
                CronTicks.Overlap.of(random.nextInt(3)));
    }

    private void step(long end) {
        int event = random.nextInt(400);
        if (event < 4 || rig.node.now() - notedAt > DAY) {
            note();
        }
        switch (event) {
            case 0 -> jump(random.nextLong(2 * DAY));
            case 1 -> jump(-random.nextLong(2 * HOUR));
            case 2, 3 -> kill();
            default -> {}
        }
        long now = rig.node.now();
        long planned = Math.max(1, Math.min(Math.min(nextDue(), end) - now, DAY));
        rig.skip(planned);
        rig.settle();
        work();
        now = rig.node.now();
        // A node that is ahead of the store counts slower, and hears of a jump when it next compares the clocks.
        steadyAt = event < 4 ? seenAt + CLOCKS_COMPARED_WITHIN : steadyAt;
        if (seenAt < steadyAt || now - seenAt > planned + SECOND) {
            gaps.merge(seenAt - TIMER_LATE_AT_MOST, now, Math::max);
        }
        seenAt = now;
    }

    private void jump(long micros) {
        jumps++;
        rig.jumpStoreClock(micros);
    }

    private long nextDue() {
        CompletableFuture<Outlook> outlook = rig.node.outlook();
        rig.settle();
        return outlook.join().nextDueAt();
    }

    /** Some of what was decided last is on its way and never arrives. */
    private void kill() {
        kills++;
        if (random.nextBoolean()) {
            rig.holdCommits();
            rig.skip(Math.max(1, Math.min(nextDue() - rig.node.now(), DAY)));
            while (rig.node.turn()) {}
            rig.loseCommits();
        }
        rig.skip(random.nextLong(random.nextInt(4) == 0 ? DAY : 10 * SECOND));
        rig.start();
        worker = rig.worker("w", 1_000, "tick");
        work();
    }

    private void work() {
        while (!worker.leases.isEmpty()) {
            List<LeaseRef> held = worker.leases.stream()
                    .map(lease -> new LeaseRef(lease.spec().id(), lease.status().token()))
                    .toList();
            worker.leases.clear();
            held.forEach(worker::succeed);
            rig.settle();
        }
    }

    /** What was missed last is made up for. */
    private void catchUp() {
        for (int i = 0; i < 600; i++) {
            rig.skip(SECOND);
            rig.settle();
            work();
        }
    }

    private int check(long now) {
        note();
        int total = 0;
        for (Schedule schedule : made.values()) {
            String name = schedule.id().name();
            NavigableMap<Long, JobView> found = runs.getOrDefault(name, new TreeMap<>());
            List<Long> expected = ticks(schedule, now);
            ScheduleProgress progress = rig.settled(rig.node.schedules().get(schedule.id()))
                    .orElseThrow()
                    .progress();
            assertThat(expected).as("%s has no tick that is none", name).containsAll(found.keySet());
            found.forEach((tick, run) -> assertThat(run.spec().submittedAt())
                    .as("%s was early", name)
                    .isGreaterThanOrEqualTo(tick));
            assertThat(progress.fired()).as(name).isEqualTo(found.size());
            long left = progress.skipped() + progress.missed() + (progress.buffered() > 0 ? 1 : 0);
            assertThat(found.size() + left).as("%s %s", name, progress).isEqualTo(expected.size());
            expected.removeAll(found.keySet());
            if (schedule.rules().catchup() == Catchup.ALL) {
                assertThat(progress.missed()).as(name).isZero();
            }
            if (progress.skipped() == 0) {
                assertThat(expected)
                        .as("%s %s of %s left these out", name, progress, schedule.rules())
                        .allMatch(tick -> tick == progress.buffered() || inGap(schedule, tick));
            }
            total += found.size();
            leftOut += (int) left;
        }
        return total;
    }

    /** Being late explains it. */
    private boolean inGap(Schedule schedule, long tick) {
        long due = schedule.fireAt(tick);
        // They may lie in each other: after a kill the next node's clock begins at what is durable.
        return schedule.rules().catchup() != Catchup.ALL
                && gaps.headMap(due, true).values().stream().anyMatch(end -> end >= due);
    }

    private List<Long> ticks(Schedule schedule, long now) {
        List<Long> ticks = new ArrayList<>();
        long most = schedule.rules().maxRuns() == 0
                ? Long.MAX_VALUE
                : schedule.rules().maxRuns();
        for (long tick = schedule.tickAfter(schedule.createdAt());
                tick != Schedule.NEVER && schedule.fireAt(tick) <= now && ticks.size() < most;
                tick = schedule.tickAfter(tick)) {
            ticks.add(tick);
        }
        return ticks;
    }

    /** Every job that is new, by schedule and tick. */
    private void note() {
        notedAt = rig.node.now();
        JobId before = null;
        boolean news = true;
        while (news) {
            JobQuery query = new JobQuery(null, Set.of(), "", before, 1_000);
            JobPage page = rig.settled(rig.node.list(query, Position.NONE));
            news = false;
            for (JobView job : page.jobs()) {
                news |= note(job);
            }
            before = page.next();
            news &= before != null;
        }
    }

    private boolean note(JobView job) {
        String name = job.spec().headers().get(Schedule.NAME_HEADER);
        Instant tick = Instant.parse(job.spec().headers().get(Schedule.TICK_HEADER));
        JobView other = runs.computeIfAbsent(name, _ -> new TreeMap<>())
                .putIfAbsent(tick.getEpochSecond() * SECOND + tick.getNano() / 1_000, job);
        assertThat(other == null || other.spec().id().equals(job.spec().id()))
                .as("one job for %s of %s, but %s and %s", tick, name, job, other)
                .isTrue();
        return other == null;
    }
}
