package dev.fairlane.e2e.chaos;

import java.util.concurrent.locks.LockSupport;

/** Keeps all callers together below a rate, so that what is submitted in a run can also be worked off in it. Thread-safe. */
final class Pace {
    private final long nanosPerJob;
    private long next = System.nanoTime();

    Pace(int jobsPerSecond) {
        this.nanosPerJob = 1_000_000_000L / jobsPerSecond;
    }

    /** Waits for the turn of that many jobs. Time in which nobody called is not saved up. */
    void next(int jobs) {
        long turn;
        synchronized (this) {
            turn = Math.max(next, System.nanoTime());
            next = turn + jobs * nanosPerJob;
        }
        for (long left = turn - System.nanoTime(); left > 0; left = turn - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
