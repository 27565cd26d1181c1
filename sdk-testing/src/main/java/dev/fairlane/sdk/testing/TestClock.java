package dev.fairlane.sdk.testing;

import dev.fairlane.sdk.WorkerClock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time of a {@link TestFairlane}: of its server, its store and its workers. It runs as real time does, and the test moves it
 * forward. It never goes back.
 */
public final class TestClock implements InstantSource, WorkerClock {
    private final long originNanos = System.nanoTime();
    private final long startMicros;
    private final AtomicLong skippedNanos = new AtomicLong();
    private final Set<Reader> workers = ConcurrentHashMap.newKeySet();
    private volatile Mover mover = nanos -> skip(nanos - nanos());

    /** Moves the time to a moment, letting everything happen that is due on the way. */
    interface Mover {
        void moveTo(long nanos);
    }

    TestClock(Instant start) {
        this.startMicros = ChronoUnit.MICROS.between(Instant.EPOCH, start);
    }

    void movedBy(Mover by) {
        this.mover = by;
    }

    @Override
    public Instant instant() {
        return Instant.EPOCH.plus(micros(), ChronoUnit.MICROS);
    }

    /**
     * Moves the time forward, as if it had passed: what becomes due on the way (retries, delayed jobs, ends of leases, time limits) happens
     * in its order, and jobs that become due run before the time moves on. Workers that live keep their leases. Returns when
     * all that is due has been done, but does not wait for handlers that block, or were just interrupted: {@link TestFairlane#awaitIdle}
     * does.
     *
     * <p>While a job runs, the time moves in steps of a heartbeat, about a thousand of them a second; else it jumps.
     */
    public void advance(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("expected a time to come, but got " + by + ": time does not go back");
        }
        mover.moveTo(nanos() + by.toNanos());
    }

    /** Moves the time to a moment; nothing happens if that has passed. */
    public void advanceTo(Instant moment) {
        Duration left = Duration.between(instant(), moment);
        if (!left.isNegative()) {
            advance(left);
        }
    }

    /** Nanoseconds since this clock was made. */
    @Override
    public long nanos() {
        return System.nanoTime() - originNanos + skippedNanos.get();
    }

    /** Since the epoch. */
    long micros() {
        return startMicros + nanos() / 1_000;
    }

    /** Just the time: nobody has been asked to do anything about it yet. */
    void skip(long nanos) {
        if (nanos > 0) {
            skippedNanos.addAndGet(nanos);
        }
        workers.forEach(Reader::look);
    }

    boolean workersUpToDate() {
        return workers.stream().allMatch(Reader::upToDate);
    }

    @Override
    public void started(Reader worker) {
        workers.add(worker);
    }

    @Override
    public void ended(Reader worker) {
        workers.remove(worker);
    }
}
