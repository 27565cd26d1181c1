package dev.fairlane.worker;

import dev.fairlane.sdk.EffectKey;
import dev.fairlane.sdk.FencingToken;
import dev.fairlane.sdk.JobContext;
import dev.fairlane.sdk.LeaseLostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;

/** A job under way, as a test says it is. */
final class GivenContext implements JobContext {
    private final List<Runnable> actions = new ArrayList<>();
    final List<String> checkpoints = new CopyOnWriteArrayList<>();
    final List<String> progress = new CopyOnWriteArrayList<>();
    volatile boolean handOverRequested;
    volatile boolean leaseLost;
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
    public void checkLease() {
        if (leaseLost) {
            throw new LeaseLostException("another has it");
        }
    }

    @Override
    public void checkpoint(Object state) {
        checkLease();
        checkpoints.add(new String((byte[]) state, StandardCharsets.UTF_8));
    }

    @Override
    public Optional<byte[]> loadCheckpoint() {
        return checkpoints.isEmpty()
                ? Optional.empty()
                : Optional.of(checkpoints.getLast().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void heartbeat(double fraction, String message) {
        progress.add(fraction + " " + message);
    }

    @Override
    public boolean handOverRequested() {
        return handOverRequested;
    }

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
