package dev.fairlane.core.model;

/**
 * A rule that submits jobs by the clock.
 *
 * @param job what a tick submits; it has no time, no key and no group
 * @param anchor what intervals are counted from
 * @param changedAt when its rules or its job last changed
 * @param progress how far it is; the rest changes by hand only
 */
public record Schedule(
        ScheduleName id,
        ScheduleRules rules,
        NewJob job,
        long anchor,
        long createdAt,
        long changedAt,
        ScheduleProgress progress) {
    public static final long NEVER = TimeRule.NEVER;
    public static final int MAX_PER_TENANT = 100_000;
    /** Of the payloads of a tenant's schedules, which are in memory. */
    public static final long MAX_BYTES_PER_TENANT = 64L << 20;

    /** Of all tenants together. */
    public static final int MAX = 1_000_000;

    public static final long MAX_BYTES = 512L << 20;

    public static final int MAX_OPEN_RUNS = 100;

    public static final String NAME_HEADER = "fairlane-schedule";
    public static final String TICK_HEADER = "fairlane-scheduled-at";
    public static final String TAG = "schedule";

    /** A tick that is later than this counts as missed. */
    public static final long GRACE_MICROS = 60_000_000;

    private static final int USUAL_FRACTION = 10;

    /** A tick that is later than this bounds no jitter. */
    private static final long JITTER_LOOKS_AHEAD = USUAL_FRACTION * ScheduleRules.MAX_JITTER;

    private static final long MILLI = 1_000;

    public Schedule with(ScheduleProgress newer) {
        return new Schedule(id, rules, job, anchor, createdAt, changedAt, newer);
    }

    /** The first tick of its rule after a time, whether it is paused or not; {@link #NEVER} when there is none. */
    public long tickAfter(long after) {
        long start = rules.startAt();
        long from = start > 0 ? Math.max(after, start - 1) : after;
        long tick;
        if (rules.time() instanceof TimeRule.Every every && every.fromCompletion() && progress.endedAt() > 0) {
            tick = Math.max(from + 1, progress.endedAt() + every.micros());
        } else {
            tick = rules.time().next(from, start > 0 ? start : anchor);
        }
        return rules.endAt() > 0 && tick > rules.endAt() ? NEVER : tick;
    }

    /** The tick to be dealt with next, or {@link #NEVER}: done, or waiting for the end of a run. */
    public long nextTick() {
        boolean waits = fromCompletion() && !progress.open().isEmpty();
        return waits || over() ? NEVER : tickAfter(progress.cursor());
    }

    public boolean fromCompletion() {
        return rules.time() instanceof TimeRule.Every every && every.fromCompletion();
    }

    public boolean once() {
        return rules.time() instanceof TimeRule.Once;
    }

    /** There will be no further tick. */
    public boolean done() {
        boolean waits = fromCompletion() && !progress.open().isEmpty();
        if (over()) {
            return true;
        }
        return rules.time().known() && progress.buffered() == 0 && !waits && nextTick() == NEVER;
    }

    /** It had all the runs it may have. */
    public boolean over() {
        return rules.maxRuns() > 0 && progress.fired() >= rules.maxRuns();
    }

    /** Runs that are left to it. */
    public long runsLeft() {
        return rules.maxRuns() == 0 ? Long.MAX_VALUE : Math.max(0, rules.maxRuns() - progress.fired());
    }

    /**
     * When a tick is to be dealt with: never before it, later by its jitter. The same schedule and tick have the same jitter wherever
     * it is asked for.
     */
    public long fireAt(long tick) {
        long most = jitter(tick);
        if (most < MILLI) {
            return tick;
        }
        long bits = mix(mix(id.tenant().number() * 31L + id.name().hashCode()) ^ tick);
        return tick + Long.remainderUnsigned(bits, most / MILLI + 1) * MILLI;
    }

    /**
     * Most that a tick may come later: what the rules say, or up to a minute and a tenth of the time to the next tick; in any case less than
     * to the next tick, which would otherwise overtake it.
     */
    private long jitter(long tick) {
        long asked = rules.jitterMicros();
        if (asked == 0) {
            return 0;
        }
        long room = switch (rules.time()) {
            case TimeRule.Once _ -> NEVER;
            case TimeRule.Every every -> every.micros();
            case TimeRule.InZone zoned -> zoned.nextBy(tick, tick + JITTER_LOOKS_AHEAD) - tick;
        };
        if (asked == ScheduleRules.USUAL_JITTER) {
            return once() ? 0 : Math.min(ScheduleRules.MAX_JITTER, room / USUAL_FRACTION);
        }
        return Math.min(asked, room - 1);
    }

    /** SplitMix64. */
    private static long mix(long bits) {
        long z = bits + 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    /**
     * What it would be with these rules and this job instead. Ticks of another rule count from now on, and so do those of a schedule that was
     * done and gets more to do: nobody waits for what would have come in between.
     */
    public Schedule revised(ScheduleRules newRules, NewJob newJob, long now) {
        if (rules.ticksAs(newRules)) {
            Schedule same = new Schedule(id, newRules, newJob, anchor, createdAt, now, progress);
            return done() && !same.done() ? same.with(progress.movedTo(now, now)) : same;
        }
        ScheduleProgress from = progress.movedTo(now, now);
        return new Schedule(id, newRules, newJob, now, createdAt, now, from);
    }

    public static Schedule made(ScheduleName id, ScheduleRules rules, NewJob job, long now) {
        return new Schedule(id, rules, job, now, now, now, ScheduleProgress.begun(now, now));
    }
}
