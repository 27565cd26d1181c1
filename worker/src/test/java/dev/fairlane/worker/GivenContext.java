package dev.fairlane.worker;

import dev.fairlane.sdk.EffectKey;
import dev.fairlane.sdk.FencingToken;
import dev.fairlane.sdk.JobContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;

/** A job under way, as a test says it is. */
final class GivenContext implements JobContext {
    private final List<Runnable> actions = new ArrayList<>();
    private boolean cancelled;

    synchronized void cancel() {
        cancelled = true;
        actions.forEach(Runnable::run);
    }

    @Override
    public String id() {
        return "0199c0de-0000-7000-8000-000000000001";
    }

    @Override
    public String tenant() {
        return "acme";
    }

    @Override
    public String type() {
        return "resize";
    }

    @Override
    public int attempt() {
        return 2;
    }

    @Override
    public int maxAttempts() {
        return 5;
    }

    @Override
    public int execution() {
        return 3;
    }

    @Override
    public boolean firstAttempt() {
        return false;
    }

    @Override
    public EffectKey effectKey() {
        return new EffectKey(id());
    }

    @Override
    public FencingToken fencingToken() {
        return new FencingToken(42);
    }

    @Override
    public synchronized boolean isCancelled() {
        return cancelled;
    }

    @Override
    public void throwIfCancelled() {
        if (isCancelled()) {
            throw new CancellationException("cancelled");
        }
    }

    @Override
    public synchronized void onCancel(Runnable action) {
        actions.add(action);
    }

    @Override
    public void checkLease() {}

    @Override
    public Duration timeLeft() {
        return Duration.ofMinutes(1);
    }

    @Override
    public Map<String, String> headers() {
        return Map.of("traceparent", "00-aa-bb-01");
    }

    @Override
    public int payloadVersion() {
        return 0;
    }

    @Override
    public Instant submittedAt() {
        return Instant.EPOCH;
    }
}
