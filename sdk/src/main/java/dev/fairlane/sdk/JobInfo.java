package dev.fairlane.sdk;

import com.google.protobuf.ByteString;
import dev.fairlane.protocol.v1.Attempt;
import dev.fairlane.sdk.internal.Codec;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A job as the server saw it at one moment. */
public final class JobInfo {
    private final dev.fairlane.protocol.v1.Job job;
    private final Codec codec;

    private final Function<String, byte[]> download;
    private final Function<String, byte[]> downloadPayload;

    /**
     * @param download fetches a result that is too large for messages, by the id of its job
     * @param downloadPayload the same for a payload
     */
    JobInfo(
            dev.fairlane.protocol.v1.Job job,
            Codec codec,
            Function<String, byte[]> download,
            Function<String, byte[]> downloadPayload) {
        this.job = job;
        this.codec = codec;
        this.download = download;
        this.downloadPayload = downloadPayload;
    }

    /** A job that cannot have a result. */
    JobInfo(dev.fairlane.protocol.v1.Job job, Codec codec) {
        this(job, codec, id -> new byte[0], id -> new byte[0]);
    }

    /**
     * One lease of the job, and how it ended.
     *
     * @param detail the beginning of its stack trace or output; empty in lists
     */
    public record AttemptInfo(
            int execution,
            String worker,
            Optional<Instant> leasedAt,
            Optional<Instant> endedAt,
            Optional<String> failureClass,
            String message,
            String detail) {}

    /**
     * Why an attempt failed.
     *
     * @param failureClass {@code APP_ERROR}, {@code NON_RETRYABLE}, {@code TIMEOUT}, …
     * @param detail stack trace or output, as far as it was kept
     * @param error name of the error, or why the server gave the job up: {@code MAX_AGE_EXCEEDED}, {@code RETRY_BUDGET_EXCEEDED},
     *     {@code TYPE_QUARANTINED}; empty if nobody said
     */
    public record FailureInfo(String failureClass, String message, String detail, String error) {}

    public String id() {
        return job.getId();
    }

    public String tenant() {
        return job.getTenant();
    }

    public String type() {
        return job.getType();
    }

    public Pool pool() {
        return Pool.named(job.getPool());
    }

    /** 0, the most urgent, to 9. */
    public int priority() {
        return job.getPriority();
    }

    public JobState state() {
        return state(job.getState());
    }

    /** The payload, read as the class; null when the job has none. A payload above 256 KiB is downloaded by this call. */
    public <T> @Nullable T payload(Class<T> as) {
        return codec.decode(payloadBytes(), job.getContentType(), as);
    }

    public Payload payload() {
        return Codec.payload(payloadBytes(), job.getContentType());
    }

    private ByteString payloadBytes() {
        return job.hasPayloadBytes() ? ByteString.copyFrom(downloadPayload.apply(id())) : job.getPayload();
    }

    /** Grows with every change of the waiting job, for {@link JobChange#ifRevision(int)}. */
    public int revision() {
        return job.getRevision();
    }

    /** Held back by hand until it is resumed. */
    public boolean paused() {
        return job.getPaused();
    }

    /** Taken while the server was near its bounds: expect it to wait. */
    public boolean degraded() {
        return job.getDegraded();
    }

    /** The version given by the submitter, 0 if none. */
    public int payloadVersion() {
        return job.getPayloadVersion();
    }

    /**
     * The result of a job that {@link JobState#SUCCEEDED}, read as the class; null when there is none. A result above 256 KiB is
     * downloaded by this call.
     */
    public <T> @Nullable T result(Class<T> as) {
        return codec.decode(resultBytes(), job.getResultContentType(), as);
    }

    public Payload result() {
        return Codec.payload(resultBytes(), job.getResultContentType());
    }

    private ByteString resultBytes() {
        return job.getResultBytes() > 0 ? ByteString.copyFrom(download.apply(id())) : job.getResult();
    }

    /** The last failure. A job that succeeded in the end may still have one per attempt in {@link #attempts()}. */
    public Optional<FailureInfo> failure() {
        if (!job.hasFailure()) {
            return Optional.empty();
        }
        var failure = job.getFailure();
        return Optional.of(new FailureInfo(
                failure.getFailureClass(), failure.getMessage(), failure.getDetail(), failure.getError()));
    }

    /** Attempts so far that count against the limit. */
    public int attempt() {
        return job.getAttempt();
    }

    public int maxAttempts() {
        return job.getMaxAttempts();
    }

    /** Leases given so far, those lost to crashes included. */
    public int execution() {
        return job.getExecution();
    }

    /** Leases lost to crashes. */
    public int crashes() {
        return job.getCrashes();
    }

    /** The worker that holds the lease or held the last one; empty when there was none. */
    public Optional<String> worker() {
        return job.getWorker().isEmpty() ? Optional.empty() : Optional.of(job.getWorker());
    }

    public Instant submittedAt() {
        return instant(job.getSubmittedAtMicros());
    }

    /** The earliest start that was asked for. */
    public Optional<Instant> runAt() {
        return optional(job.getRunAtMicros());
    }

    public Optional<Instant> notAfter() {
        return optional(job.getNotAfterMicros());
    }

    /** When the job is due, for one that waits for its time or its next attempt. */
    public Optional<Instant> dueAt() {
        return optional(job.getDueAtMicros());
    }

    public Optional<Instant> leasedAt() {
        return optional(job.getLeasedAtMicros());
    }

    public Optional<Instant> startedAt() {
        return optional(job.getStartedAtMicros());
    }

    public Optional<Instant> endedAt() {
        return optional(job.getEndedAtMicros());
    }

    public Instant changedAt() {
        return instant(job.getChangedAtMicros());
    }

    public boolean cancelRequested() {
        return job.getCancelRequested();
    }

    /** Past leases, oldest first. */
    public List<AttemptInfo> attempts() {
        return job.getAttemptsList().stream().map(JobInfo::attempt).toList();
    }

    public Optional<String> idempotencyKey() {
        return job.getIdempotencyKey().isEmpty() ? Optional.empty() : Optional.of(job.getIdempotencyKey());
    }

    public Map<String, String> tags() {
        return job.getTagsMap();
    }

    public Map<String, String> headers() {
        return job.getHeadersMap();
    }

    /** The stream of work inside the tenant. */
    public String lane() {
        return job.getLane();
    }

    /** What makes it one of a kind among its type's jobs. */
    public Optional<String> uniqueKey() {
        return Optional.of(job.getUniqueKey()).filter(key -> !key.isEmpty());
    }

    /** The longest time from its submit to its end, where it was told one. */
    public Optional<Duration> maxAge() {
        return job.getMaxAgeMs() == 0 ? Optional.empty() : Optional.of(Duration.ofMillis(job.getMaxAgeMs()));
    }

    public Optional<Duration> timeLimit() {
        return job.getTimeLimitMs() == 0 ? Optional.empty() : Optional.of(Duration.ofMillis(job.getTimeLimitMs()));
    }

    /** What it needs beyond a slot, and whom it shares with: what it said, and what its type said then. */
    public JobNeeds needs() {
        return job.hasNeeds() ? JobNeeds.ofWire(job.getNeeds()) : JobNeeds.NONE;
    }

    static JobState state(dev.fairlane.protocol.v1.JobState state) {
        return switch (state) {
            case SCHEDULED -> JobState.SCHEDULED;
            case QUEUED -> JobState.QUEUED;
            case LEASED -> JobState.LEASED;
            case RUNNING -> JobState.RUNNING;
            case RETRY_WAIT -> JobState.RETRY_WAIT;
            case SUCCEEDED -> JobState.SUCCEEDED;
            case DEAD -> JobState.DEAD;
            case CANCELLED -> JobState.CANCELLED;
            case EXPIRED -> JobState.EXPIRED;
            case JOB_STATE_UNSPECIFIED, UNRECOGNIZED ->
                throw new FairlaneException(
                        "UNKNOWN_STATE",
                        "the server answered with a job state this SDK does not know",
                        false,
                        null,
                        null);
        };
    }

    private static AttemptInfo attempt(Attempt attempt) {
        return new AttemptInfo(
                attempt.getExecution(),
                attempt.getWorker(),
                optional(attempt.getLeasedAtMicros()),
                optional(attempt.getEndedAtMicros()),
                attempt.getFailureClass().isEmpty() ? Optional.empty() : Optional.of(attempt.getFailureClass()),
                attempt.getMessage(),
                attempt.getDetail());
    }

    /** How far the present execution says it is, 0 to 1. */
    public OptionalDouble progress() {
        return job.getProgress().hasFraction()
                ? OptionalDouble.of(job.getProgress().getFraction())
                : OptionalDouble.empty();
    }

    /** What the present execution says about its progress. */
    public Optional<String> progressMessage() {
        return job.getProgress().getMessage().isEmpty()
                ? Optional.empty()
                : Optional.of(job.getProgress().getMessage());
    }

    /** When the newest checkpoint was saved. */
    public Optional<Instant> checkpointAt() {
        return optional(job.getCheckpoint().getSavedAtMicros());
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    private static Optional<Instant> optional(long micros) {
        return micros == 0 ? Optional.empty() : Optional.of(instant(micros));
    }

    @Override
    public String toString() {
        return "JobInfo[" + id() + ", " + type() + ", " + job.getState() + "]";
    }
}
