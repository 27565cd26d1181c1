package dev.fairlane.journal;

import static dev.fairlane.journal.FieldReader.BYTES;
import static dev.fairlane.journal.FieldReader.FIXED64;
import static dev.fairlane.journal.FieldReader.GROUP;
import static dev.fairlane.journal.FieldReader.VARINT;

import dev.fairlane.core.model.Cron;
import dev.fairlane.core.model.CronTicks;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.ScheduleProgress;
import dev.fairlane.core.model.ScheduleRules;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.TimeRule;
import dev.fairlane.journal.FieldReader.SpecParts;
import dev.fairlane.journal.stored.CronFields;
import dev.fairlane.journal.stored.Entry;
import dev.fairlane.journal.stored.RunFields;
import dev.fairlane.journal.stored.ScheduleFields;
import dev.fairlane.journal.stored.ScheduleKey;
import dev.fairlane.journal.stored.SchedulePauseFields;
import dev.fairlane.journal.stored.TicksFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Schedules as fields and back. */
final class ScheduleCodec {
    private static final int USUAL_PRIORITY = 10;
    private static final JobId NO_ID = JobId.of(0, 0, 0, 0, 0);
    private static final CronTicks.Gap[] GAPS = CronTicks.Gap.values();
    private static final CronTicks.Overlap[] TWICE = CronTicks.Overlap.values();
    private static final ScheduleRules.Catchup[] CATCHUPS = ScheduleRules.Catchup.values();
    private static final ScheduleRules.Overlap[] OVERLAPS = ScheduleRules.Overlap.values();

    private ScheduleCodec() {}

    // ---- facts

    static void write(FieldWriter writer, Schedule schedule) throws IOException {
        key(writer, schedule.id(), 0);
        definition(writer, Entry.SCHEDULE_FIELD_NUMBER, schedule);
        progress(writer, Entry.TICKS_FIELD_NUMBER, schedule.progress());
    }

    static void write(FieldWriter writer, ScheduleName id, ScheduleProgress progress) throws IOException {
        key(writer, id, 0);
        progress(writer, Entry.TICKS_FIELD_NUMBER, progress);
    }

    static void writeGone(FieldWriter writer, ScheduleName id, long at) throws IOException {
        key(writer, id, at);
    }

    private static void key(FieldWriter writer, ScheduleName id, long goneAt) throws IOException {
        writer.open(Entry.SCHEDULE_KEY_FIELD_NUMBER);
        writer.number(ScheduleKey.TENANT_FIELD_NUMBER, id.tenant().number());
        writer.name(ScheduleKey.NAME_FIELD_NUMBER, id.name());
        writer.time(ScheduleKey.GONE_AT_FIELD_NUMBER, goneAt);
        writer.shut(Entry.SCHEDULE_KEY_FIELD_NUMBER);
    }

    /** What a fact says of one schedule. */
    static final class Parts {
        private final ScheduleName id;
        private final long goneAt;
        private @Nullable Definition definition;
        private @Nullable ScheduleProgress progress;

        private Parts(ScheduleName id, long goneAt) {
            this.id = id;
            this.goneAt = goneAt;
        }

        void definition(FieldReader reader) throws IOException {
            definition = ScheduleCodec.definition(reader, Entry.SCHEDULE_FIELD_NUMBER);
        }

        void progress(FieldReader reader) throws IOException {
            progress = ScheduleCodec.progress(reader, Entry.TICKS_FIELD_NUMBER);
        }

        Fact fact() throws IOException {
            if (progress == null) {
                if (definition != null) {
                    throw FieldReader.malformed("a schedule without its progress");
                }
                return new Fact.ScheduleGone(id, goneAt);
            }
            return definition == null
                    ? new Fact.ScheduleMoved(id, progress)
                    : new Fact.ScheduleSet(definition.with(id, progress));
        }
    }

    static Parts of(@Nullable Parts parts) throws IOException {
        if (parts == null) {
            throw FieldReader.malformed("a schedule without a name");
        }
        return parts;
    }

    static Parts key(FieldReader reader) throws IOException {
        int tenant = 0;
        String name = "";
        long goneAt = 0;
        int field = Entry.SCHEDULE_KEY_FIELD_NUMBER;
        for (int tag = reader.next(field); tag != 0; tag = reader.next(field)) {
            switch (tag) {
                case ScheduleKey.TENANT_FIELD_NUMBER << 3 | VARINT -> tenant = reader.in.readUInt32();
                case ScheduleKey.NAME_FIELD_NUMBER << 3 | VARINT -> name = reader.name();
                case ScheduleKey.GONE_AT_FIELD_NUMBER << 3 | VARINT -> goneAt = reader.time();
                default -> throw FieldReader.unknown("schedule key", tag);
            }
        }
        return new Parts(new ScheduleName(new TenantId(tenant), name), goneAt);
    }

    // ---- what it is

    /** A schedule but for its name and progress. */
    record Definition(ScheduleRules rules, NewJob job, long anchor, long createdAt, long changedAt) {
        Schedule with(ScheduleName id, ScheduleProgress progress) {
            return new Schedule(id, rules, job, anchor, createdAt, changedAt, progress);
        }
    }

    static void definition(FieldWriter writer, int field, Schedule schedule) throws IOException {
        ScheduleRules rules = schedule.rules();
        writer.open(field);
        switch (rules.time()) {
            case TimeRule.InZone zoned -> cron(writer, zoned);
            case TimeRule.Every every -> {
                writer.longNumber(ScheduleFields.EVERY_MICROS_FIELD_NUMBER, every.micros());
                writer.flag(ScheduleFields.FROM_COMPLETION_FIELD_NUMBER, every.fromCompletion());
            }
            case TimeRule.Once once -> writer.time(ScheduleFields.ONCE_AT_FIELD_NUMBER, once.at());
        }
        writer.number(ScheduleFields.CATCHUP_FIELD_NUMBER, rules.catchup().ordinal());
        writer.number(ScheduleFields.CATCHUP_PER_MINUTE_FIELD_NUMBER, rules.catchupPerMinute());
        writer.number(ScheduleFields.OVERLAP_FIELD_NUMBER, rules.overlap().ordinal());
        writer.longNumber(ScheduleFields.JITTER_MICROS_FIELD_NUMBER, rules.jitterMicros() + 1);
        writer.flag(ScheduleFields.PAUSE_ON_FAILURE_FIELD_NUMBER, rules.pauseOnFailure());
        writer.time(ScheduleFields.START_AT_FIELD_NUMBER, rules.startAt());
        writer.time(ScheduleFields.END_AT_FIELD_NUMBER, rules.endAt());
        writer.longNumber(ScheduleFields.MAX_RUNS_FIELD_NUMBER, rules.maxRuns());
        writer.text(ScheduleFields.DESCRIPTION_FIELD_NUMBER, rules.description());
        writer.spec(ScheduleFields.JOB_FIELD_NUMBER, spec(schedule.id().tenant(), schedule.job()));
        writer.time(ScheduleFields.ANCHOR_FIELD_NUMBER, schedule.anchor());
        writer.time(ScheduleFields.CREATED_AT_FIELD_NUMBER, schedule.createdAt());
        writer.time(ScheduleFields.CHANGED_AT_FIELD_NUMBER, schedule.changedAt());
        writer.shut(field);
    }

    static Definition definition(FieldReader reader, int field) throws IOException {
        TimeRule time = null;
        long every = 0;
        boolean fromCompletion = false;
        ScheduleRules.Catchup catchup = ScheduleRules.Catchup.NONE;
        int perMinute = 0;
        ScheduleRules.Overlap overlap = ScheduleRules.Overlap.SKIP;
        long jitter = 0;
        boolean pauseOnFailure = false;
        long startAt = 0;
        long endAt = 0;
        long maxRuns = 0;
        String description = "";
        SpecParts job = null;
        long anchor = 0;
        long createdAt = 0;
        long changedAt = 0;
        for (int tag = reader.next(field); tag != 0; tag = reader.next(field)) {
            switch (tag) {
                case ScheduleFields.CRON_FIELD_NUMBER << 3 | GROUP -> time = cron(reader);
                case ScheduleFields.EVERY_MICROS_FIELD_NUMBER << 3 | VARINT -> every = reader.in.readUInt64();
                case ScheduleFields.ONCE_AT_FIELD_NUMBER << 3 | VARINT -> time = new TimeRule.Once(reader.time());
                case ScheduleFields.FROM_COMPLETION_FIELD_NUMBER << 3 | VARINT -> fromCompletion = reader.in.readBool();
                case ScheduleFields.CATCHUP_FIELD_NUMBER << 3 | VARINT -> catchup = reader.of(CATCHUPS, "catch-up");
                case ScheduleFields.CATCHUP_PER_MINUTE_FIELD_NUMBER << 3 | VARINT -> perMinute = reader.in.readUInt32();
                case ScheduleFields.OVERLAP_FIELD_NUMBER << 3 | VARINT -> overlap = reader.of(OVERLAPS, "overlap");
                case ScheduleFields.JITTER_MICROS_FIELD_NUMBER << 3 | VARINT -> jitter = reader.in.readUInt64();
                case ScheduleFields.PAUSE_ON_FAILURE_FIELD_NUMBER << 3 | VARINT ->
                    pauseOnFailure = reader.in.readBool();
                case ScheduleFields.START_AT_FIELD_NUMBER << 3 | VARINT -> startAt = reader.time();
                case ScheduleFields.END_AT_FIELD_NUMBER << 3 | VARINT -> endAt = reader.time();
                case ScheduleFields.MAX_RUNS_FIELD_NUMBER << 3 | VARINT -> maxRuns = reader.in.readUInt64();
                case ScheduleFields.DESCRIPTION_FIELD_NUMBER << 3 | BYTES -> description = reader.text();
                case ScheduleFields.JOB_FIELD_NUMBER << 3 | GROUP -> job = reader.spec(ScheduleFields.JOB_FIELD_NUMBER);
                case ScheduleFields.ANCHOR_FIELD_NUMBER << 3 | VARINT -> anchor = reader.time();
                case ScheduleFields.CREATED_AT_FIELD_NUMBER << 3 | VARINT -> createdAt = reader.time();
                case ScheduleFields.CHANGED_AT_FIELD_NUMBER << 3 | VARINT -> changedAt = reader.time();
                default -> throw FieldReader.unknown("schedule", tag);
            }
        }
        if (every > 0) {
            time = new TimeRule.Every(every, fromCompletion);
        }
        if (time == null || job == null) {
            throw FieldReader.malformed("a schedule without a rule or a job");
        }
        ScheduleRules rules = new ScheduleRules(
                time, catchup, perMinute, overlap, jitter - 1, pauseOnFailure, startAt, endAt, maxRuns, description);
        return new Definition(rules, job(job), anchor, createdAt, changedAt);
    }

    private static JobSpec spec(TenantId tenant, NewJob job) {
        return new JobSpec(
                NO_ID,
                tenant,
                job.type(),
                "",
                job.priority() < 0 ? USUAL_PRIORITY : job.priority(),
                job.payload(),
                job.payloadVersion(),
                0,
                0,
                0,
                job.maxAttempts(),
                job.timeLimitMicros(),
                "",
                0,
                job.tags(),
                job.headers(),
                job.terms());
    }

    private static NewJob job(SpecParts parts) {
        return new NewJob(
                parts.type,
                new Payload(parts.payload, parts.payloadType),
                parts.payloadVersion,
                parts.priority == USUAL_PRIORITY ? -1 : parts.priority,
                0,
                0,
                0,
                parts.maxAttempts,
                parts.timeLimit,
                "",
                0,
                parts.tags,
                parts.headers,
                parts.terms);
    }

    private static void cron(FieldWriter writer, TimeRule.InZone zoned) throws IOException {
        Cron cron = zoned.cron();
        writer.open(ScheduleFields.CRON_FIELD_NUMBER);
        writer.fixed(CronFields.SECONDS_FIELD_NUMBER, cron.seconds());
        writer.fixed(CronFields.MINUTES_FIELD_NUMBER, cron.minutes());
        writer.number(CronFields.HOURS_FIELD_NUMBER, cron.hours());
        writer.number(CronFields.DAYS_FIELD_NUMBER, cron.days());
        writer.number(CronFields.MONTHS_FIELD_NUMBER, cron.months());
        writer.number(CronFields.WEEKDAYS_FIELD_NUMBER, cron.weekdays());
        writer.number(CronFields.FROM_END_FIELD_NUMBER, cron.fromEnd());
        writer.number(CronFields.NEAREST_FIELD_NUMBER, cron.nearest());
        writer.longNumber(CronFields.NTH_FIELD_NUMBER, cron.nth());
        writer.text(CronFields.TEXT_FIELD_NUMBER, zoned.text());
        writer.name(CronFields.ZONE_FIELD_NUMBER, zoned.zone());
        writer.number(CronFields.GAP_FIELD_NUMBER, zoned.gap().ordinal());
        writer.number(CronFields.OVERLAP_FIELD_NUMBER, zoned.overlap().ordinal());
        writer.shut(ScheduleFields.CRON_FIELD_NUMBER);
    }

    private static TimeRule cron(FieldReader reader) throws IOException {
        long seconds = 0;
        long minutes = 0;
        int hours = 0;
        int days = 0;
        int months = 0;
        int weekdays = 0;
        int fromEnd = 0;
        int nearest = 0;
        long nth = 0;
        String text = "";
        String zone = "";
        CronTicks.Gap gap = CronTicks.Gap.SKIP;
        CronTicks.Overlap overlap = CronTicks.Overlap.FIRST;
        int field = ScheduleFields.CRON_FIELD_NUMBER;
        for (int tag = reader.next(field); tag != 0; tag = reader.next(field)) {
            switch (tag) {
                case CronFields.SECONDS_FIELD_NUMBER << 3 | FIXED64 -> seconds = reader.in.readFixed64();
                case CronFields.MINUTES_FIELD_NUMBER << 3 | FIXED64 -> minutes = reader.in.readFixed64();
                case CronFields.HOURS_FIELD_NUMBER << 3 | VARINT -> hours = reader.in.readUInt32();
                case CronFields.DAYS_FIELD_NUMBER << 3 | VARINT -> days = reader.in.readUInt32();
                case CronFields.MONTHS_FIELD_NUMBER << 3 | VARINT -> months = reader.in.readUInt32();
                case CronFields.WEEKDAYS_FIELD_NUMBER << 3 | VARINT -> weekdays = reader.in.readUInt32();
                case CronFields.FROM_END_FIELD_NUMBER << 3 | VARINT -> fromEnd = reader.in.readUInt32();
                case CronFields.NEAREST_FIELD_NUMBER << 3 | VARINT -> nearest = reader.in.readUInt32();
                case CronFields.NTH_FIELD_NUMBER << 3 | VARINT -> nth = reader.in.readUInt64();
                case CronFields.TEXT_FIELD_NUMBER << 3 | BYTES -> text = reader.text();
                case CronFields.ZONE_FIELD_NUMBER << 3 | VARINT -> zone = reader.name();
                case CronFields.GAP_FIELD_NUMBER << 3 | VARINT -> gap = reader.of(GAPS, "gap");
                case CronFields.OVERLAP_FIELD_NUMBER << 3 | VARINT -> overlap = reader.of(TWICE, "overlap");
                default -> throw FieldReader.unknown("cron", tag);
            }
        }
        try {
            Cron cron = new Cron(seconds, minutes, hours, days, months, weekdays, fromEnd, nearest, nth);
            return new TimeRule.InZone(cron, text, zone, gap, overlap);
        } catch (IllegalArgumentException e) {
            throw FieldReader.malformed("a cron expression that names nothing");
        }
    }

    // ---- how far it is

    static void progress(FieldWriter writer, int field, ScheduleProgress progress) throws IOException {
        writer.open(field);
        writer.time(TicksFields.CURSOR_FIELD_NUMBER, progress.cursor());
        writer.longNumber(TicksFields.FIRED_FIELD_NUMBER, progress.fired());
        writer.longNumber(TicksFields.SKIPPED_FIELD_NUMBER, progress.skipped());
        writer.longNumber(TicksFields.MISSED_FIELD_NUMBER, progress.missed());
        writer.longNumber(TicksFields.REFUSED_FIELD_NUMBER, progress.refused());
        writer.longNumber(TicksFields.TRIGGERED_FIELD_NUMBER, progress.triggered());
        writer.time(TicksFields.BUFFERED_FIELD_NUMBER, progress.buffered());
        writer.time(TicksFields.LAST_TICK_FIELD_NUMBER, progress.lastTick());
        writer.time(TicksFields.LAST_FIRED_AT_FIELD_NUMBER, progress.lastFiredAt());
        if (progress.lastJob() != null) {
            run(writer, TicksFields.LAST_JOB_FIELD_NUMBER, progress.lastJob());
        }
        writer.time(TicksFields.ENDED_AT_FIELD_NUMBER, progress.endedAt());
        for (JobId open : progress.open()) {
            run(writer, TicksFields.OPEN_FIELD_NUMBER, open);
        }
        writer.text(TicksFields.PROBLEM_FIELD_NUMBER, progress.problem());
        ScheduleProgress.Pause pause = progress.pause();
        if (pause != null) {
            writer.open(TicksFields.PAUSE_FIELD_NUMBER);
            writer.text(SchedulePauseFields.BY_FIELD_NUMBER, pause.by());
            writer.text(SchedulePauseFields.WHY_FIELD_NUMBER, pause.why());
            writer.time(SchedulePauseFields.AT_FIELD_NUMBER, pause.at());
            writer.shut(TicksFields.PAUSE_FIELD_NUMBER);
        }
        writer.time(TicksFields.CHANGED_AT_FIELD_NUMBER, progress.changedAt());
        writer.shut(field);
    }

    private static void run(FieldWriter writer, int field, JobId id) throws IOException {
        writer.open(field);
        writer.fixed(RunFields.HI_FIELD_NUMBER, id.hi());
        writer.fixed(RunFields.LO_FIELD_NUMBER, id.lo());
        writer.shut(field);
    }

    static ScheduleProgress progress(FieldReader reader, int field) throws IOException {
        long cursor = 0;
        long fired = 0;
        long skipped = 0;
        long missed = 0;
        long refused = 0;
        long triggered = 0;
        long buffered = 0;
        long lastTick = 0;
        long lastFiredAt = 0;
        JobId lastJob = null;
        long endedAt = 0;
        List<JobId> open = new ArrayList<>();
        String problem = "";
        ScheduleProgress.Pause pause = null;
        long changedAt = 0;
        for (int tag = reader.next(field); tag != 0; tag = reader.next(field)) {
            switch (tag) {
                case TicksFields.CURSOR_FIELD_NUMBER << 3 | VARINT -> cursor = reader.time();
                case TicksFields.FIRED_FIELD_NUMBER << 3 | VARINT -> fired = reader.in.readUInt64();
                case TicksFields.SKIPPED_FIELD_NUMBER << 3 | VARINT -> skipped = reader.in.readUInt64();
                case TicksFields.MISSED_FIELD_NUMBER << 3 | VARINT -> missed = reader.in.readUInt64();
                case TicksFields.REFUSED_FIELD_NUMBER << 3 | VARINT -> refused = reader.in.readUInt64();
                case TicksFields.TRIGGERED_FIELD_NUMBER << 3 | VARINT -> triggered = reader.in.readUInt64();
                case TicksFields.BUFFERED_FIELD_NUMBER << 3 | VARINT -> buffered = reader.time();
                case TicksFields.LAST_TICK_FIELD_NUMBER << 3 | VARINT -> lastTick = reader.time();
                case TicksFields.LAST_FIRED_AT_FIELD_NUMBER << 3 | VARINT -> lastFiredAt = reader.time();
                case TicksFields.LAST_JOB_FIELD_NUMBER << 3 | GROUP ->
                    lastJob = run(reader, TicksFields.LAST_JOB_FIELD_NUMBER);
                case TicksFields.ENDED_AT_FIELD_NUMBER << 3 | VARINT -> endedAt = reader.time();
                case TicksFields.OPEN_FIELD_NUMBER << 3 | GROUP -> open.add(run(reader, TicksFields.OPEN_FIELD_NUMBER));
                case TicksFields.PROBLEM_FIELD_NUMBER << 3 | BYTES -> problem = reader.text();
                case TicksFields.PAUSE_FIELD_NUMBER << 3 | GROUP -> pause = pause(reader);
                case TicksFields.CHANGED_AT_FIELD_NUMBER << 3 | VARINT -> changedAt = reader.time();
                default -> throw FieldReader.unknown("ticks", tag);
            }
        }
        return new ScheduleProgress(
                cursor,
                fired,
                skipped,
                missed,
                refused,
                triggered,
                buffered,
                lastTick,
                lastFiredAt,
                lastJob,
                endedAt,
                List.copyOf(open),
                problem,
                pause,
                changedAt);
    }

    private static JobId run(FieldReader reader, int field) throws IOException {
        long hi = 0;
        long lo = 0;
        for (int tag = reader.next(field); tag != 0; tag = reader.next(field)) {
            switch (tag) {
                case RunFields.HI_FIELD_NUMBER << 3 | FIXED64 -> hi = reader.in.readFixed64();
                case RunFields.LO_FIELD_NUMBER << 3 | FIXED64 -> lo = reader.in.readFixed64();
                default -> throw FieldReader.unknown("run", tag);
            }
        }
        return new JobId(hi, lo);
    }

    private static ScheduleProgress.Pause pause(FieldReader reader) throws IOException {
        String by = "";
        String why = "";
        long at = 0;
        int field = TicksFields.PAUSE_FIELD_NUMBER;
        for (int tag = reader.next(field); tag != 0; tag = reader.next(field)) {
            switch (tag) {
                case SchedulePauseFields.BY_FIELD_NUMBER << 3 | BYTES -> by = reader.text();
                case SchedulePauseFields.WHY_FIELD_NUMBER << 3 | BYTES -> why = reader.text();
                case SchedulePauseFields.AT_FIELD_NUMBER << 3 | VARINT -> at = reader.time();
                default -> throw FieldReader.unknown("pause", tag);
            }
        }
        return new ScheduleProgress.Pause(by, why, at);
    }
}
