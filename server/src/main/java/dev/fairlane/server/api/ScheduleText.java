package dev.fairlane.server.api;

import com.google.common.hash.Hashing;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import dev.fairlane.core.model.CronTicks;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleProgress;
import dev.fairlane.core.model.ScheduleRules;
import dev.fairlane.core.model.TimeRule;
import dev.fairlane.protocol.v1.NewJob;
import dev.fairlane.protocol.v1.ScheduleChange;
import dev.fairlane.protocol.v1.ScheduleSpec;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Schedules as callers see them. What is as usual is left out, so that what was said can be read back and said again. */
final class ScheduleText {
    private static final int MICROS = 1_000_000;
    private static final String TIME = "_micros";
    private static final int SHOWN_BYTES = 1_024;

    private ScheduleText() {}

    static dev.fairlane.protocol.v1.Schedule schedule(Schedule schedule, String tenant, boolean whole) {
        ScheduleProgress progress = schedule.progress();
        long next = schedule.nextTick();
        JobId last = progress.lastJob();
        dev.fairlane.protocol.v1.Schedule.Builder text = dev.fairlane.protocol.v1.Schedule.newBuilder()
                .setName(schedule.id().name())
                .setTenant(tenant)
                .setSpec(spec(schedule, whole))
                .setState(state(schedule))
                .setNextMicros(progress.pause() != null || next == Schedule.NEVER ? 0 : next)
                .setLastTickMicros(progress.lastTick())
                .setLastFiredMicros(progress.lastFiredAt())
                .setLastJob(last == null ? "" : last.toString())
                .setFired(progress.fired())
                .setSkipped(progress.skipped())
                .setMissed(progress.missed())
                .setRefused(progress.refused())
                .setTriggered(progress.triggered())
                .setProblem(problem(schedule))
                .setBufferedTickMicros(progress.buffered())
                .setCreatedAtMicros(schedule.createdAt())
                .setChangedAtMicros(schedule.changedAt());
        progress.open().forEach(job -> text.addOpenJobs(job.toString()));
        ScheduleProgress.Pause pause = progress.pause();
        if (pause != null) {
            text.setPausedBy(pause.by()).setPausedWhy(pause.why()).setPausedAtMicros(pause.at());
        }
        return text.build();
    }

    private static String problem(Schedule schedule) {
        return schedule.rules().time() instanceof TimeRule.InZone zoned && !zoned.known()
                ? "this server has no data of the zone " + zoned.zone()
                        + ": there are no ticks until it has, or another zone is set"
                : schedule.progress().problem();
    }

    private static String state(Schedule schedule) {
        if (schedule.progress().pause() != null) {
            return "paused";
        }
        return schedule.done() ? "done" : "active";
    }

    private static ScheduleSpec spec(Schedule schedule, boolean whole) {
        ScheduleRules rules = schedule.rules();
        ScheduleSpec.Builder spec = ScheduleSpec.newBuilder()
                .setStartMicros(rules.startAt())
                .setEndMicros(rules.endAt())
                .setMaxRuns(rules.maxRuns())
                .setPauseOnFailure(rules.pauseOnFailure())
                .setDescription(rules.description())
                .setJob(job(schedule.job(), whole));
        switch (rules.time()) {
            case TimeRule.InZone zoned -> {
                spec.setCron(zoned.text()).setZone(zoned.zone());
                if (zoned.gap() != CronTicks.Gap.SKIP) {
                    spec.setDstGap(word(zoned.gap()));
                }
                if (zoned.overlap() != CronTicks.Overlap.FIRST) {
                    spec.setDstOverlap(word(zoned.overlap()));
                }
            }
            case TimeRule.Every every ->
                spec.setEveryMs(every.micros() / 1_000).setFromCompletion(every.fromCompletion());
            case TimeRule.Once once -> spec.setAtMicros(once.at());
        }
        if (rules.jitterMicros() != ScheduleRules.USUAL_JITTER) {
            spec.setJitterMs(rules.jitterMicros() / 1_000);
        }
        if (rules.catchup() != ScheduleRules.Catchup.NONE) {
            spec.setCatchup(word(rules.catchup()));
        }
        if (rules.catchupPerMinute() != ScheduleRules.CATCHUP_PER_MINUTE) {
            spec.setCatchupPerMinute(rules.catchupPerMinute());
        }
        if (rules.overlap() != ScheduleRules.Overlap.SKIP) {
            spec.setOverlap(word(rules.overlap()));
        }
        return spec.build();
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static NewJob job(dev.fairlane.core.model.NewJob job, boolean whole) {
        JobTerms terms = job.terms();
        JobNeeds needs = terms.needs();
        NewJob.Builder text = NewJob.newBuilder()
                .setType(job.type())
                .setPayloadVersion(job.payloadVersion())
                .setMaxAttempts(job.maxAttempts())
                .setTimeLimitMs(job.timeLimitMicros() / 1_000)
                .putAllTags(job.tags())
                .putAllHeaders(job.headers())
                .setLane(terms.lane().equals(JobTerms.DEFAULT_LANE) ? "" : terms.lane())
                .setMaxAgeMs(terms.maxAgeMicros() / 1_000)
                .setUniqueKey(terms.uniqueKey())
                .setExact(terms.exact())
                .setWebhook(terms.webhook())
                .setFairKey(needs.fairKey())
                .setConcurrencyKey(needs.concurrencyKey())
                .setRateKey(needs.rateKey())
                .setRateCost(rateCost(needs))
                .addAllRequires(needs.tags());
        if (whole) {
            text.setPayload(Messages.bytes(job.payload()));
        }
        if (!job.payload().contentType().equals(dev.fairlane.core.model.Payload.JSON)) {
            text.setContentType(job.payload().contentType());
        }
        if (job.priority() >= 0) {
            text.setPriority(job.priority());
        }
        if (!needs.demand().isNone()) {
            text.setDemand(NeedsText.resources(needs.demand()));
        }
        return text.build();
    }

    /** As a submit says it: nothing where it is as usual. */
    private static int rateCost(JobNeeds needs) {
        if (needs.rateCost() == JobNeeds.JUST_ONE) {
            return 1;
        }
        return needs.rateCost() == 1 ? 0 : needs.rateCost();
    }

    // ---- differences

    /** What is different, field by field, in the order of the fields' names. */
    static List<ScheduleChange> changes(@Nullable Schedule before, Schedule after) {
        Map<String, String> was = before == null ? Map.of() : fields(spec(before, true));
        Map<String, String> is = fields(spec(after, true));
        List<ScheduleChange> changes = new ArrayList<>();
        TreeMap<String, String> all = new TreeMap<>(was);
        all.putAll(is);
        for (String field : all.keySet()) {
            String one = was.getOrDefault(field, "");
            String other = is.getOrDefault(field, "");
            if (!Objects.equals(one, other)) {
                changes.add(ScheduleChange.newBuilder()
                        .setField(field)
                        .setBefore(one)
                        .setAfter(other)
                        .build());
            }
        }
        return changes;
    }

    /** What is said, by the names the fields have in JSON. */
    private static Map<String, String> fields(Message message) {
        Map<String, String> fields = new TreeMap<>();
        message.getAllFields().forEach((field, value) -> {
            if (value instanceof Message job && field.getName().equals("job")) {
                fields(job).forEach((name, text) -> fields.put("job." + name, text));
            } else {
                boolean time = field.getName().endsWith(TIME);
                String name =
                        time ? field.getName().substring(0, field.getName().length() - TIME.length()) : field.getName();
                fields.put(name, time ? instant((long) value).toString() : text(value));
            }
        });
        return fields;
    }

    private static String text(Object value) {
        return switch (value) {
            case ByteString bytes when bytes.isValidUtf8() && bytes.size() <= SHOWN_BYTES -> bytes.toStringUtf8();
            case ByteString bytes ->
                bytes.size() + " bytes, SHA-256 " + Hashing.sha256().hashBytes(bytes.toByteArray());
            case Message message ->
                TextFormat.printer().emittingSingleLine(true).printToString(message);
            case List<?> list -> {
                List<String> texts =
                        new ArrayList<>(list.stream().map(ScheduleText::text).toList());
                Collections.sort(texts);
                yield String.join(", ", texts);
            }
            default -> value.toString();
        };
    }

    // ---- previews

    /** A tick in the zone of its rule. */
    static String local(TimeRule rule, long micros) {
        ZoneId zone = rule instanceof TimeRule.InZone zoned ? ZoneId.of(zoned.zone()) : ZoneId.of("UTC");
        return DateTimeFormatter.ISO_ZONED_DATE_TIME.format(instant(micros).atZone(zone));
    }

    private static Instant instant(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1_000L);
    }
}
