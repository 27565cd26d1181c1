package dev.fairlane.sdk.internal;

import dev.fairlane.protocol.v1.LeaseProgress;
import dev.fairlane.protocol.v1.LeaseRef;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything this worker holds: jobs that run, and outcomes the server has not acked yet. Leases and acks come in from the network
 * thread; the rules of time are applied by {@link #scan}, which only the loop calls.
 */
final class HeldLeases {
    private static final Logger LOG = System.getLogger("dev.fairlane.sdk.Worker");

    /** A short job that ends within this time never says that it started: its end says it all. */
    static final long STARTED_AFTER_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    static final long SHORT_LEASE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** What a handler gets between the interrupt at its time limit and the report without it; the server waits 10 s. */
    static final long LIMIT_GRACE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long SCAN_MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long SCAN_MAX_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ConcurrentHashMap<LeaseKey, Execution> held = new ConcurrentHashMap<>();
    private final LongAdder acked = new LongAdder();
    private final long cancelGraceNanos;

    HeldLeases(long cancelGraceNanos) {
        this.cancelGraceNanos = cancelGraceNanos;
    }

    /** @return false when that lease is held already */
    boolean add(Execution execution) {
        return held.putIfAbsent(execution.key, execution) == null;
    }

    @Nullable Execution get(LeaseRef lease) {
        return held.get(LeaseKey.of(lease));
    }

    /** The server has the outcome, or does not want it. */
    void acked(LeaseRef lease, boolean revoked) {
        LeaseKey key = LeaseKey.of(lease);
        if (revoked) {
            revoked(key);
        } else {
            Execution execution = held.get(key);
            // An ack answers an outcome; a job that still runs has told none.
            if (execution != null && !execution.running()) {
                held.remove(key);
                acked.increment();
            }
        }
    }

    /** Outcomes the server has taken. */
    long acked() {
        return acked.sum();
    }

    void revoked(LeaseKey key) {
        Execution execution = held.remove(key);
        if (execution != null) {
            boolean stopped = execution.drop();
            LOG.log(
                    Level.WARNING,
                    () -> "lease of " + execution + " was revoked; " + (stopped ? "stopped it" : "its result is void"));
        }
    }

    void forget(Execution execution) {
        held.remove(execution.key);
    }

    boolean isEmpty() {
        return held.isEmpty();
    }

    Collection<Execution> all() {
        return held.values();
    }

    int running() {
        int running = 0;
        for (Execution execution : held.values()) {
            if (execution.running()) {
                running++;
            }
        }
        return running;
    }

    /** Everything held, as heartbeat {@code beat} lists it. */
    List<LeaseRef> listedIn(long beat) {
        List<LeaseRef> refs = new ArrayList<>(held.size());
        for (Execution execution : held.values()) {
            if (execution.firstBeat == 0) {
                execution.firstBeat = beat;
            }
            refs.add(execution.ref());
        }
        return refs;
    }

    /** What has come further since the last heartbeat. */
    List<LeaseProgress> progress() {
        List<LeaseProgress> told = new ArrayList<>();
        for (Execution execution : held.values()) {
            LeaseProgress next = execution.nextProgress();
            if (next != null) {
                told.add(next);
            }
        }
        return told;
    }

    /** The server heard heartbeat {@code beat}: what it listed is renewed from the moment it was sent. */
    void renewed(long beat, long sentNanos) {
        for (Execution execution : held.values()) {
            if (execution.firstBeat != 0 && execution.firstBeat <= beat) {
                execution.leaseEndNanos = sentNanos + execution.leaseNanos;
            }
        }
    }

    /**
     * Applies what time brings.
     *
     * @param started is given each job that runs long enough to say so
     * @return when to scan again
     */
    long scan(long now, Consumer<Execution> started) {
        long next = now + SCAN_MAX_NANOS;
        for (Execution execution : held.values()) {
            if (execution.running()) {
                next = earlier(next, scan(execution, now, started));
            }
        }
        return next - now < SCAN_MIN_NANOS ? now + SCAN_MIN_NANOS : next;
    }

    private long scan(Execution execution, long now, Consumer<Execution> started) {
        long next = leaseEnd(execution);
        if (now - next >= 0) {
            held.remove(execution.key);
            if (execution.drop()) {
                LOG.log(
                        Level.WARNING,
                        () -> "lease of " + execution + " ran out without the server's renewal; stopped it");
            }
            return now + SCAN_MAX_NANOS;
        }
        if (!execution.startedSent) {
            long at = execution.receivedNanos + (execution.leaseNanos <= SHORT_LEASE_NANOS ? STARTED_AFTER_NANOS : 0);
            if (now - at >= 0) {
                execution.startedSent = true;
                started.accept(execution);
            } else {
                next = earlier(next, at);
            }
        }
        if (execution.limitNanos > 0) {
            next = earlier(next, limit(execution, now));
        }
        if (execution.isCancelled() && !execution.interruptedForCancel) {
            next = earlier(next, cancel(execution, now));
        }
        return next;
    }

    /** A little early: the server counts from when it gave the lease, this process from when it came. */
    private static long leaseEnd(Execution execution) {
        return execution.leaseEndNanos - Math.min(execution.leaseNanos / 10, TimeUnit.MILLISECONDS.toNanos(500));
    }

    private static long limit(Execution execution, long now) {
        long limit = execution.receivedNanos + execution.limitNanos;
        if (now - limit < 0) {
            return limit;
        }
        if (!execution.timedOut()) {
            execution.timeOut();
        }
        long end = limit + LIMIT_GRACE_NANOS;
        if (now - end >= 0) {
            execution.endWithoutHandler();
        }
        return end;
    }

    private long cancel(Execution execution, long now) {
        if (execution.cancelSeenNanos == 0) {
            execution.cancelSeenNanos = now;
        }
        long end = execution.cancelSeenNanos + cancelGraceNanos;
        if (now - end >= 0) {
            execution.interruptedForCancel = true;
            execution.interrupt();
        }
        return end;
    }

    private static long earlier(long a, long b) {
        return a - b < 0 ? a : b;
    }
}
