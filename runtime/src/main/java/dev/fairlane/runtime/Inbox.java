package dev.fairlane.runtime;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How the rest of the world reaches the loop: two queues, any number of writers, one reader.
 *
 * <p><em>Calls</em> are what edges ask; they are bounded by weight (jobs, results), and a call over the bound is not taken. <em>Signals</em> are
 * what the node tells itself (a commit is done, a timer of an executor); they are few, and always taken, also while calls have
 * to wait for a commit.
 */
final class Inbox {
    private final ConcurrentLinkedQueue<Call> calls = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Runnable> signals = new ConcurrentLinkedQueue<>();
    private final AtomicInteger weight = new AtomicInteger();
    private final AtomicLong offered = new AtomicLong();
    private final int maxWeight;
    private final Runnable wake;
    private long taken;

    /** @param wake called after something was put in; must be cheap when the loop is awake */
    Inbox(int maxWeight, Runnable wake) {
        this.maxWeight = maxWeight;
        this.wake = wake;
    }

    /** False when the inbox is full. A call on its own is always taken by an empty inbox, whatever its weight. */
    boolean offer(int callWeight, Runnable action) {
        int before = weight.getAndAdd(callWeight);
        if (before > 0 && before + callWeight > maxWeight) {
            weight.addAndGet(-callWeight);
            return false;
        }
        // Counted before it is visible: a reader that saw `offered` has all of these in front of it or already taken.
        offered.incrementAndGet();
        calls.add(new Call(callWeight, action));
        wake.run();
        return true;
    }

    /** Takes a call whatever the weight: for what must not be lost (heartbeats, closings). */
    void offerAlways(Runnable action) {
        offered.incrementAndGet();
        calls.add(new Call(0, action));
        wake.run();
    }

    void signal(Runnable action) {
        signals.add(action);
        wake.run();
    }

    @Nullable Runnable nextSignal() {
        return signals.poll();
    }

    @Nullable Runnable nextCall() {
        Call call = calls.poll();
        if (call == null) {
            return null;
        }
        taken++;
        weight.addAndGet(-call.weight);
        return call.action;
    }

    /** Runs what is left after the last turn, on any thread: every call then finds a node that no longer serves. */
    void runAll() {
        for (Call call = calls.poll(); call != null; call = calls.poll()) {
            weight.addAndGet(-call.weight);
            call.action.run();
        }
    }

    /** Calls ever put in. */
    long offered() {
        return offered.get();
    }

    /** Calls ever taken out; for the reader only. */
    long taken() {
        return taken;
    }

    boolean isEmpty() {
        return calls.isEmpty() && signals.isEmpty();
    }

    private record Call(int weight, Runnable action) {}
}
