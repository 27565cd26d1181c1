package dev.fairlane.sdk.testing;

import dev.fairlane.sdk.EffectKey;
import dev.fairlane.sdk.FencingToken;
import dev.fairlane.sdk.JobContext;
import dev.fairlane.sdk.LeaseLostException;
import dev.fairlane.sdk.Payload;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The context of an attempt that exists in a test only. Begins as the first attempt of a job of its own; the test may say otherwise,
 * cancel it, or take its lease away while the handler runs.
 */
public final class TestJobContext implements JobContext {
    private static final JsonMapper JSON = new JsonMapper();

    private final String id;
    private final String type;
    private final int execution;
    private final List<Runnable> cancelActions = new ArrayList<>();
    private int attempt;
    private int maxAttempts = 6;
    private String tenant = "default";
    private Duration timeLeft = Duration.ofSeconds(30);
    private Map<String, String> headers = Map.of();
    private int payloadVersion;
    private Instant submittedAt = Instant.EPOCH;
    private boolean cancelled;
    private volatile boolean leaseLost;
    private volatile boolean handOverRequested;
    private volatile double progress = Double.NaN;
    private volatile byte @Nullable [] checkpoint;

    private TestJobContext(String id, String type, int execution, int attempt) {
        this.id = id;
        this.type = type;
        this.execution = execution;
        this.attempt = attempt;
    }

    /** The first attempt of a new job of this type. */
    public static TestJobContext of(String type) {
        return new TestJobContext(UUID.randomUUID().toString(), type, 1, 1);
    }

    /** The next attempt of the same job, after this one failed: same id, effect key and checkpoint, greater fencing token. */
    public TestJobContext next() {
        return following(attempt + 1);
    }

    /** The next attempt of the same job, after the worker of this one died: costs no attempt. */
    public TestJobContext nextAfterCrash() {
        return following(attempt);
    }

    private TestJobContext following(int itsAttempt) {
        TestJobContext next = new TestJobContext(id, type, execution + 1, itsAttempt);
        next.maxAttempts = maxAttempts;
        next.tenant = tenant;
        next.timeLeft = timeLeft;
        next.headers = headers;
        next.payloadVersion = payloadVersion;
        next.submittedAt = submittedAt;
        next.checkpoint = checkpoint;
        return next;
    }

    public TestJobContext attempts(int attempt, int maxAttempts) {
        this.attempt = attempt;
        this.maxAttempts = maxAttempts;
        return this;
    }

    public TestJobContext tenant(String tenant) {
        this.tenant = tenant;
        return this;
    }

    public TestJobContext timeLeft(Duration timeLeft) {
        this.timeLeft = timeLeft;
        return this;
    }

    public TestJobContext headers(Map<String, String> headers) {
        this.headers = Map.copyOf(headers);
        return this;
    }

    public TestJobContext payloadVersion(int payloadVersion) {
        this.payloadVersion = payloadVersion;
        return this;
    }

    public TestJobContext submittedAt(Instant submittedAt) {
        this.submittedAt = submittedAt;
        return this;
    }

    /** Somebody asks for the job to be cancelled. What the handler gave to {@link #onCancel} runs on the calling thread. */
    public void cancel() {
        List<Runnable> actions;
        synchronized (this) {
            if (cancelled) {
                return;
            }
            cancelled = true;
            actions = List.copyOf(cancelActions);
        }
        actions.forEach(Runnable::run);
    }

    /** The lease ran out or was revoked: from now on {@link #checkLease} throws. */
    public void loseLease() {
        leaseLost = true;
    }

    /** The worker wants to go and asks for the job to be handed over. */
    public void requestHandOver() {
        handOverRequested = true;
    }

    /** What the handler said last of how far it is; NaN when it said nothing. */
    public double progress() {
        return progress;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String tenant() {
        return tenant;
    }

    @Override
    public String type() {
        return type;
    }

    @Override
    public int attempt() {
        return attempt;
    }

    @Override
    public int maxAttempts() {
        return maxAttempts;
    }

    @Override
    public int execution() {
        return execution;
    }

    @Override
    public boolean firstAttempt() {
        return execution == 1;
    }

    @Override
    public EffectKey effectKey() {
        return new EffectKey(id);
    }

    @Override
    public FencingToken fencingToken() {
        return new FencingToken(execution);
    }

    @Override
    public synchronized boolean isCancelled() {
        return cancelled;
    }

    @Override
    public void throwIfCancelled() {
        if (isCancelled()) {
            throw new CancellationException("job " + id + " was cancelled");
        }
    }

    @Override
    public void onCancel(Runnable action) {
        synchronized (this) {
            if (!cancelled) {
                cancelActions.add(action);
                return;
            }
        }
        action.run();
    }

    @Override
    public void checkLease() {
        if (leaseLost) {
            throw new LeaseLostException("job " + id + ": the lease of execution " + execution + " is lost");
        }
    }

    @Override
    public void heartbeat(double fraction, String message) {
        progress = fraction;
    }

    @Override
    public void checkpoint(Object state) {
        checkLease();
        checkpoint = switch (state) {
            case byte[] bytes -> bytes.clone();
            case Payload payload -> payload.bytes();
            case InputStream stream -> read(stream);
            default -> JSON.writeValueAsBytes(state);
        };
    }

    @Override
    public Optional<byte[]> loadCheckpoint() {
        return Optional.ofNullable(checkpoint).map(byte[]::clone);
    }

    @Override
    public <T> Optional<T> loadCheckpoint(Class<T> as) {
        return loadCheckpoint()
                .map(bytes -> as == byte[].class
                        ? as.cast(bytes)
                        : as == Payload.class ? as.cast(Payload.of(bytes, Payload.BYTES)) : JSON.readValue(bytes, as));
    }

    @Override
    public boolean handOverRequested() {
        return handOverRequested;
    }

    private static byte[] read(InputStream stream) {
        try {
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("the checkpoint could not be read", e);
        }
    }

    @Override
    public Duration timeLeft() {
        return timeLeft;
    }

    @Override
    public Map<String, String> headers() {
        return headers;
    }

    @Override
    public int payloadVersion() {
        return payloadVersion;
    }

    @Override
    public Instant submittedAt() {
        return submittedAt;
    }

    @Override
    public String toString() {
        return type + " " + id + ", execution " + execution;
    }
}
