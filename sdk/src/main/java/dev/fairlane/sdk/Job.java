package dev.fairlane.sdk;

import dev.fairlane.protocol.v1.NewJob;
import dev.fairlane.sdk.internal.Codec;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job to be submitted: a type, a payload and options. Immutable: every option returns a new one, so a job can be kept as a
 * template and submitted many times. What is not said is decided by the job's type, or by the server's defaults.
 */
public final class Job {
    private final String type;
    private final @Nullable Object payload;
    // Written only by the method that makes a copy, before it hands it out.
    private int payloadVersion;
    private int priority = -1;
    private @Nullable Instant runAt;
    private @Nullable Duration delay;
    private @Nullable Instant notAfter;
    private int maxAttempts;
    private @Nullable Duration timeLimit;
    private @Nullable String idempotencyKey;
    private @Nullable String lane;
    private @Nullable Duration maxAge;
    private @Nullable String uniqueKey;
    private boolean exact;
    private @Nullable String webhook;
    private @Nullable String group;
    private JobNeeds needs = JobNeeds.NONE;
    private Map<String, String> tags = Map.of();
    private Map<String, String> headers = Map.of();

    private Job(String type, @Nullable Object payload) {
        this.type = Objects.requireNonNull(type, "type");
        this.payload = payload;
    }

    private Job(Job other) {
        this(other.type, other.payload);
        payloadVersion = other.payloadVersion;
        priority = other.priority;
        runAt = other.runAt;
        delay = other.delay;
        notAfter = other.notAfter;
        maxAttempts = other.maxAttempts;
        timeLimit = other.timeLimit;
        idempotencyKey = other.idempotencyKey;
        lane = other.lane;
        maxAge = other.maxAge;
        uniqueKey = other.uniqueKey;
        exact = other.exact;
        webhook = other.webhook;
        group = other.group;
        needs = other.needs;
        tags = other.tags;
        headers = other.headers;
    }

    /**
     * A job of a type with a payload.
     *
     * @param type name of the handler, independent of any class name: 1 to 128 of letters, digits and {@code ._-:/}
     * @param payload written as JSON when the job is submitted; a {@link Payload} or {@code byte[]} goes as it is; null for none.
     *     One above 256 KiB is stored apart when the job is submitted; the server bounds it
     */
    public static Job of(String type, @Nullable Object payload) {
        return new Job(type, payload);
    }

    /** A job without payload. */
    public static Job of(String type) {
        return new Job(type, null);
    }

    /** A job whose payload is bytes of some content type. */
    public static Job raw(String type, byte[] payload, String contentType) {
        return new Job(type, Payload.of(payload, contentType));
    }

    /** 0, the most urgent, to 9; default 5. Orders the jobs of a tenant among themselves, never against other tenants. */
    public Job priority(int priority) {
        if (priority < 0 || priority > 9) {
            throw new IllegalArgumentException("expected a priority of 0 to 9, but got " + priority);
        }
        Job copy = new Job(this);
        copy.priority = priority;
        return copy;
    }

    /** Not before this time. In the past: at once. Replaces {@link #delay}. */
    public Job runAt(Instant runAt) {
        Job copy = new Job(this);
        copy.runAt = runAt;
        copy.delay = null;
        return copy;
    }

    /** Not before this much time after the server has taken it. Replaces {@link #runAt}. */
    public Job delay(Duration delay) {
        Job copy = new Job(this);
        copy.delay = delay;
        copy.runAt = null;
        return copy;
    }

    /** No longer worth starting after this time: unless a worker has it by then, the job ends {@link JobState#EXPIRED}. */
    public Job notAfter(Instant notAfter) {
        Job copy = new Job(this);
        copy.notAfter = notAfter;
        return copy;
    }

    /** How many attempts that count it gets before it is {@link JobState#DEAD}. Default: what its type says. */
    public Job maxAttempts(int maxAttempts) {
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("expected at least one attempt, but got " + maxAttempts);
        }
        Job copy = new Job(this);
        copy.maxAttempts = maxAttempts;
        return copy;
    }

    /** How long one attempt may run. Default: what its type says. */
    public Job timeLimit(Duration timeLimit) {
        if (timeLimit.isNegative() || timeLimit.isZero()) {
            throw new IllegalArgumentException("expected a time limit above zero, but got " + timeLimit);
        }
        Job copy = new Job(this);
        copy.timeLimit = timeLimit;
        return copy;
    }

    /**
     * Unique per tenant for 24 hours. Submitting the same job with the same key again answers with the first one; another job
     * with the same key is refused with {@code IDEMPOTENCY_KEY_REUSED}. A submit with a key is repeated by the SDK when its answer
     * was lost; one without is not.
     */
    public Job idempotencyKey(String idempotencyKey) {
        Job copy = new Job(this);
        copy.idempotencyKey = idempotencyKey;
        return copy;
    }

    /**
     * What makes it one of a kind, where its type has a unique rule by key: while another job of the type with this key keeps others
     * out, the rule says what becomes of this one.
     */
    public Job uniqueKey(String uniqueKey) {
        Job copy = new Job(this);
        copy.uniqueKey = uniqueKey;
        return copy;
    }

    /** The stream of work inside the tenant it belongs to. Default: {@code default}. */
    public Job lane(String lane) {
        Job copy = new Job(this);
        copy.lane = lane;
        return copy;
    }

    /** The longest time from its submit to its end. Default: what its type says. */
    public Job maxAge(Duration maxAge) {
        if (maxAge.isNegative() || maxAge.isZero()) {
            throw new IllegalArgumentException("expected an age above zero, but got " + maxAge);
        }
        Job copy = new Job(this);
        copy.maxAge = maxAge;
        return copy;
    }

    /** Due at exactly its time: a job due more than an hour ahead is otherwise started up to a minute later, to spread load. */
    public Job exact() {
        Job copy = new Job(this);
        copy.exact = true;
        return copy;
    }

    /** Id of an open group that the job joins. */
    public Job group(String id) {
        Job copy = new Job(this);
        copy.group = id;
        return copy;
    }

    /**
     * Address that is called when the job is at its end; {@link Webhooks} is for who receives it. Servers take {@code https} addresses on
     * the open internet unless they are told otherwise.
     */
    public Job webhook(String address) {
        Job copy = new Job(this);
        copy.webhook = address;
        return copy;
    }

    /** Part of the tenant that it is charged to, e.g. a user: parts share the tenant's share evenly. */
    public Job fairKey(String key) {
        return needing(needs.withFairKey(key));
    }

    /** Jobs with the same key run at most so many at once as the tenant's limits of keys say. */
    public Job concurrencyKey(String key) {
        return needing(needs.withConcurrencyKey(key));
    }

    /**
     * Jobs with the same key start at most so often as the tenant's limits of keys say. A start counts as many times as the job's type
     * says, or once.
     */
    public Job rateKey(String key) {
        return needing(needs.withRate(key, 0));
    }

    /**
     * The same for a job that counts as several.
     *
     * @param cost how many starts one start counts as, whatever its type says
     */
    public Job rateKey(String key, int cost) {
        if (cost < 1) {
            throw new IllegalArgumentException("expected a cost of at least one, but got " + cost);
        }
        return needing(needs.withRate(key, cost));
    }

    /** What it takes of its worker. Default: what its type says, else one slot's. */
    public Job demand(Resources demand) {
        return needing(needs.withDemand(demand));
    }

    /** Tags its worker must have, all of them; at most 16. Default: what its type says. */
    public Job requires(String... tags) {
        return needing(needs.withRequires(List.of(tags)));
    }

    private Job needing(JobNeeds other) {
        Job copy = new Job(this);
        copy.needs = other;
        return copy;
    }

    /** A word to find it by. At most 16. */
    public Job tag(String name, String value) {
        Job copy = new Job(this);
        copy.tags = with(tags, name, value);
        return copy;
    }

    /** All its tags at once, instead of those it had. */
    public Job tags(Map<String, String> tags) {
        Job copy = new Job(this);
        copy.tags = Map.copyOf(tags);
        return copy;
    }

    /** Something that travels to the handler beside the payload, e.g. W3C trace context. At most 16. */
    public Job header(String name, String value) {
        Job copy = new Job(this);
        copy.headers = with(headers, name, value);
        return copy;
    }

    /** Which shape the payload has, for handlers that read old jobs after a deploy. */
    public Job payloadVersion(int payloadVersion) {
        Job copy = new Job(this);
        copy.payloadVersion = payloadVersion;
        return copy;
    }

    /** The name of its handler. */
    public String type() {
        return type;
    }

    NewJob encode(Codec codec) {
        Codec.Encoded body = codec.encode(payload);
        NewJob.Builder job = NewJob.newBuilder().setType(type).setPayload(body.bytes());
        if (!body.contentType().isEmpty()) {
            job.setContentType(body.contentType());
        }
        if (payloadVersion != 0) {
            job.setPayloadVersion(payloadVersion);
        }
        if (priority >= 0) {
            job.setPriority(priority);
        }
        if (runAt != null) {
            job.setRunAtMicros(micros(runAt));
        }
        if (delay != null) {
            job.setDelayMs(delay.toMillis());
        }
        if (notAfter != null) {
            job.setNotAfterMicros(micros(notAfter));
        }
        if (maxAttempts != 0) {
            job.setMaxAttempts(maxAttempts);
        }
        if (timeLimit != null) {
            job.setTimeLimitMs(Math.max(1, timeLimit.toMillis()));
        }
        if (idempotencyKey != null) {
            job.setIdempotencyKey(idempotencyKey);
        }
        if (lane != null) {
            job.setLane(lane);
        }
        if (maxAge != null) {
            job.setMaxAgeMs(Math.max(1, maxAge.toMillis()));
        }
        if (uniqueKey != null) {
            job.setUniqueKey(uniqueKey);
        }
        if (exact) {
            job.setExact(true);
        }
        if (webhook != null) {
            job.setWebhook(webhook);
        }
        if (group != null) {
            job.setGroup(group);
        }
        if (!needs.equals(JobNeeds.NONE)) {
            encodeNeeds(job);
        }
        if (!tags.isEmpty()) {
            job.putAllTags(tags);
        }
        if (!headers.isEmpty()) {
            job.putAllHeaders(headers);
        }
        return job.build();
    }

    private void encodeNeeds(NewJob.Builder job) {
        job.setFairKey(needs.fairKey())
                .setConcurrencyKey(needs.concurrencyKey())
                .setRateKey(needs.rateKey())
                .setRateCost(needs.rateCost())
                .addAllRequires(needs.requires());
        if (!needs.demand().equals(Resources.NONE)) {
            job.setDemand(needs.demand().wire());
        }
    }

    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    private static Map<String, String> with(Map<String, String> map, String name, String value) {
        Map<String, String> copy = new LinkedHashMap<>(map);
        copy.put(name, value);
        return Map.copyOf(copy);
    }

    @Override
    public String toString() {
        return "Job[" + type + (idempotencyKey == null ? "" : ", key " + idempotencyKey) + "]";
    }
}
