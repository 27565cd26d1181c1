package dev.fairlane.server.admit;

import com.google.protobuf.ByteString;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.PayloadRef;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.server.fault.Refused;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** From a job as it came over the wire to one the node may see, or a refusal that names the field. */
public final class JobCheck {
    private static final byte[] NO_BYTES = {};
    private static final Pattern REFERENCE =
            Pattern.compile("payloads/[A-Za-z0-9._-]{1,128}/([0-9a-f-]{36})/[0-9a-f]{64}-(\\d{1,15})");

    private JobCheck() {}

    public static NewJob check(dev.fairlane.protocol.v1.NewJob job) {
        Payload payload =
                job.getPayloadRef().isEmpty() ? payload(job.getPayload(), job.getContentType()) : reference(job);
        String type = Text.typeName("type", job.getType());
        int priority = job.hasPriority() ? (int) between("priority", job.getPriority(), 0, 9) : -1;
        int version = (int) between("payload_version", job.getPayloadVersion(), 0, Integer.MAX_VALUE);
        int attempts = (int) between("max_attempts", job.getMaxAttempts(), 0, Limits.ATTEMPTS);
        long timeLimit = between("time_limit_ms", job.getTimeLimitMs(), 0, Limits.TIME_LIMIT_MS) * 1_000;
        long runAt = time("run_at", job.getRunAtMicros());
        long delay = between("delay_ms", job.getDelayMs(), 0, Limits.DELAY_MS) * 1_000;
        if (runAt != 0 && delay != 0) {
            throw Refused.invalid("delay_ms", "expected run_at or a delay, but there are both");
        }
        long notAfter = time("not_after", job.getNotAfterMicros());
        if (notAfter != 0 && notAfter <= runAt) {
            throw Refused.invalid("not_after", "expected a time after run_at");
        }
        String key = Text.line("idempotency_key", job.getIdempotencyKey(), Limits.IDEMPOTENCY_KEY_LENGTH);
        Map<String, String> tags = entries("tags", job.getTagsMap(), Limits.TAG_LENGTH);
        Map<String, String> headers = entries("headers", job.getHeadersMap(), Limits.HEADER_LENGTH);
        NewJob checked = new NewJob(
                type,
                payload,
                version,
                priority,
                runAt,
                delay,
                notAfter,
                attempts,
                timeLimit,
                key,
                0,
                tags,
                headers,
                terms(job));
        return key.isEmpty() ? checked : checked.keyed(key, BodyHash.of(checked));
    }

    /** @param given content type as given; empty for JSON */
    public static Payload payload(ByteString bytes, String given) {
        if (bytes.size() > Limits.PAYLOAD_BYTES) {
            throw Refused.over(
                    ErrorCode.PAYLOAD_TOO_LARGE,
                    "payload",
                    "expected at most " + Limits.PAYLOAD_BYTES + " bytes, but got " + bytes.size()
                            + "; store it with POST /v1/objects and send its reference as payload_ref",
                    Limits.PAYLOAD_BYTES,
                    bytes.size());
        }
        String contentType =
                given.isEmpty() || given.equals(Payload.JSON) ? Payload.JSON : Text.contentType("content_type", given);
        byte[] copy = bytes.isEmpty() ? NO_BYTES : bytes.toByteArray();
        if (copy.length > 0 && Json.isJson(contentType)) {
            Json.check("payload", copy);
        }
        return new Payload(copy, contentType);
    }

    /** What it refers to is looked for later. */
    private static Payload reference(dev.fairlane.protocol.v1.NewJob job) {
        if (!job.getPayload().isEmpty()) {
            throw Refused.invalid("payload_ref", "expected a payload or a reference to one, but there are both");
        }
        Matcher ref = REFERENCE.matcher(job.getPayloadRef());
        if (!ref.matches() || JobId.find(ref.group(1)).isEmpty()) {
            throw Refused.invalid("payload_ref", "expected what POST /v1/objects answered");
        }
        String type = job.getContentType().isEmpty() ? Payload.JSON : job.getContentType();
        return new PayloadRef(job.getPayloadRef(), Long.parseLong(ref.group(2)), Text.contentType("content_type", type))
                .payload();
    }

    /** Nearly all jobs say nothing here beyond their lane and share one object. */
    private static JobTerms terms(dev.fairlane.protocol.v1.NewJob job) {
        JobTerms terms = LaneTerms.of(job.getLane());
        JobNeeds needs = NeedsCheck.of(job);
        if (needs == JobNeeds.NONE
                && job.getMaxAgeMs() == 0
                && !job.getExact()
                && job.getUniqueKey().isEmpty()
                && job.getGroup().isEmpty()
                && job.getWebhook().isEmpty()) {
            return terms;
        }
        return new JobTerms(
                        terms.lane(),
                        between("max_age_ms", job.getMaxAgeMs(), 0, Limits.MAX_AGE_MS) * 1_000,
                        Text.line("unique_key", job.getUniqueKey(), Limits.IDEMPOTENCY_KEY_LENGTH),
                        group(job.getGroup()),
                        Text.line("webhook", job.getWebhook(), Limits.WEBHOOK_LENGTH),
                        job.getExact(),
                        0,
                        needs)
                .shared();
    }

    private static String group(String id) {
        try {
            return id.isEmpty() ? "" : JobId.parse(id).toString();
        } catch (IllegalArgumentException e) {
            throw Refused.invalid("group", "expected the id of a group, a UUID of version 7");
        }
    }

    static Map<String, String> entries(String field, Map<String, String> given, int lengthMax) {
        if (given.isEmpty()) {
            return Map.of();
        }
        if (given.size() > Limits.ENTRIES) {
            throw Refused.invalid(field, "expected at most " + Limits.ENTRIES + ", but got " + given.size());
        }
        UnaryOperator<String> path = name -> field + "." + name;
        for (Map.Entry<String, String> entry : given.entrySet()) {
            String name = entry.getKey();
            if (name.isEmpty()) {
                throw Refused.invalid(field, "expected a name, but one is empty");
            }
            Text.line(field, name, Limits.ENTRY_NAME_LENGTH);
            Text.line(path.apply(name), entry.getValue(), lengthMax);
        }
        return Collections.unmodifiableMap(new TreeMap<>(given)); // an order that does not differ between runs
    }

    /** @throws Refused if it is none that anybody could mean */
    public static long time(String field, long micros) {
        if (micros < 0 || micros > Limits.TIME_MICROS) {
            throw Refused.invalid(field, "expected a time between 1970 and 2100");
        }
        return micros;
    }

    /** @throws Refused if it is not between the two, both included */
    public static long between(String field, long value, long least, long most) {
        if (value < least || value > most) {
            throw Refused.invalid(field, "expected " + least + " to " + most + ", but got " + value);
        }
        return value;
    }
}
