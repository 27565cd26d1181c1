package dev.fairlane.server.admit;

import dev.fairlane.core.model.CronTicks;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.ScheduleRules;
import dev.fairlane.core.model.ScheduleRules.Catchup;
import dev.fairlane.core.model.ScheduleRules.Overlap;
import dev.fairlane.core.model.TimeRule;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.v1.ScheduleSpec;
import dev.fairlane.server.fault.Refused;
import java.time.ZoneId;
import java.util.List;

/** Checks what a schedule is to be, field by field. */
public final class ScheduleCheck {
    private static final int TEMPLATE_BYTES = 64 << 10;
    private static final int DESCRIPTION_LENGTH = 1_024;
    private static final long MAX_RUNS = 1_000_000_000_000L;
    private static final int ZONE_LENGTH = 64;

    private ScheduleCheck() {}

    /** A name that can stand in an address: 1 to 128 of letters, digits and {@code ._-}. */
    public static String name(String name) {
        boolean good = !name.isEmpty() && name.length() <= Limits.NAME_LENGTH;
        for (int i = 0; good && i < name.length(); i++) {
            char c = name.charAt(i);
            good = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || "._-".indexOf(c) >= 0;
        }
        if (!good) {
            throw Refused.invalid("name", "expected 1 to " + Limits.NAME_LENGTH + " of letters, digits and ._-");
        }
        return name;
    }

    /** @throws Refused with the name of the field that is wrong */
    public static ScheduleRules rules(ScheduleSpec spec) {
        long start = JobCheck.time("start", spec.getStartMicros());
        long end = JobCheck.time("end", spec.getEndMicros());
        if (end > 0 && end < start) {
            throw Refused.invalid("end", "expected a time after start");
        }
        int perMinute = spec.getCatchupPerMinute() == 0
                ? ScheduleRules.CATCHUP_PER_MINUTE
                : (int) JobCheck.between(
                        "catchup_per_minute", spec.getCatchupPerMinute(), 1, ScheduleRules.MAX_CATCHUP_PER_MINUTE);
        return new ScheduleRules(
                time(spec),
                one("catchup", spec.getCatchup(), Catchup.values()),
                perMinute,
                one("overlap", spec.getOverlap(), Overlap.values()),
                spec.hasJitterMs()
                        ? JobCheck.between("jitter_ms", spec.getJitterMs(), 0, ScheduleRules.MAX_JITTER / 1_000) * 1_000
                        : ScheduleRules.USUAL_JITTER,
                spec.getPauseOnFailure(),
                start,
                end,
                JobCheck.between("max_runs", spec.getMaxRuns(), 0, MAX_RUNS),
                Text.line("description", spec.getDescription(), DESCRIPTION_LENGTH));
    }

    private static TimeRule time(ScheduleSpec spec) {
        int rules = (spec.getCron().isEmpty() ? 0 : 1)
                + (spec.getEveryMs() == 0 ? 0 : 1)
                + (spec.getAtMicros() == 0 ? 0 : 1);
        if (rules != 1) {
            throw Refused.invalid("cron", "expected one of cron, every_ms and at, but there are " + rules);
        }
        boolean zoned = !spec.getCron().isEmpty();
        if (!zoned) {
            absent("zone", spec.getZone());
            absent("dst_gap", spec.getDstGap());
            absent("dst_overlap", spec.getDstOverlap());
        }
        if (spec.getFromCompletion() && spec.getEveryMs() == 0) {
            throw Refused.invalid("from_completion", "expected it with every_ms only");
        }
        if (zoned) {
            return new TimeRule.InZone(
                    CronText.parse("cron", spec.getCron()),
                    spec.getCron().strip(),
                    zone(spec.getZone()),
                    one("dst_gap", spec.getDstGap(), CronTicks.Gap.values()),
                    one("dst_overlap", spec.getDstOverlap(), CronTicks.Overlap.values()));
        }
        if (spec.getEveryMs() != 0) {
            long micros = JobCheck.between(
                            "every_ms",
                            spec.getEveryMs(),
                            ScheduleRules.MIN_EVERY / 1_000,
                            ScheduleRules.MAX_EVERY / 1_000)
                    * 1_000;
            return new TimeRule.Every(micros, spec.getFromCompletion());
        }
        return new TimeRule.Once(JobCheck.time("at", spec.getAtMicros()));
    }

    private static void absent(String field, String text) {
        if (!text.isEmpty()) {
            throw Refused.invalid(field, "expected it with cron only");
        }
    }

    private static String zone(String zone) {
        if (zone.isEmpty()) {
            return "UTC";
        }
        if (zone.length() > ZONE_LENGTH || !ZoneId.getAvailableZoneIds().contains(zone)) {
            throw Refused.invalid("zone", "expected an IANA zone like Europe/Berlin or UTC");
        }
        return zone;
    }

    /** The first stands for what is not said. */
    private static <E extends Enum<E>> E one(String field, String text, E[] values) {
        return text.isEmpty() ? values[0] : RulesCheck.one(field, text, values);
    }

    /** It stays in memory as long as the schedule, so it is small. @param job as the edge checked it */
    public static NewJob template(dev.fairlane.protocol.v1.NewJob asked, NewJob job) {
        if (!asked.getPayloadRef().isEmpty()) {
            throw Refused.invalid("job.payload_ref", "the payload of a schedule must be in the call");
        }
        int bytes = job.payload().bytes().length;
        if (bytes > TEMPLATE_BYTES) {
            throw Refused.over(
                    ErrorCode.PAYLOAD_TOO_LARGE,
                    "job.payload",
                    "expected at most " + TEMPLATE_BYTES + " bytes in a schedule, but got " + bytes,
                    TEMPLATE_BYTES,
                    bytes);
        }
        List<String> out = List.of(
                job.runAt() > 0 ? "run_at" : "",
                job.delayMicros() > 0 ? "delay_ms" : "",
                job.notAfter() > 0 ? "not_after" : "",
                job.idempotencyKey().isEmpty() ? "" : "idempotency_key",
                job.terms().group().isEmpty() ? "" : "group");
        for (String field : out) {
            if (!field.isEmpty()) {
                throw Refused.invalid("job." + field, "expected none, since every tick submits a job of its own");
            }
        }
        return job;
    }
}
