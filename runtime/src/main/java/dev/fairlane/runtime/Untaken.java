package dev.fairlane.runtime;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Messages of one connection that the loop has not taken. Who asks the network for the next message only while {@link #listens} says so
 * has at most {@link #MOST} of them here; what the worker says beyond waits in the network, and at last in the worker.
 *
 * <p>No wake-up is lost: the speaker says that it is held back and then counts again, the loop counts down and then looks whether
 * somebody is. A wake-up too many may come, and does no harm.
 */
final class Untaken {
    static final int MOST = 64;

    /** A speaker goes on when so few are left: not one by one. */
    private static final int FEW = MOST / 2;

    private final AtomicInteger count = new AtomicInteger();
    private volatile boolean heldBack;

    /** One more was said. */
    void said() {
        count.incrementAndGet();
    }

    /** Whether one more may be said; if not, {@link #taken} tells when. For one speaker. */
    boolean listens() {
        if (count.get() < MOST) {
            return true;
        }
        heldBack = true;
        return count.get() < MOST;
    }

    /** The loop took one. True if a speaker that was held back has to be told that it may go on. */
    boolean taken() {
        if (count.decrementAndGet() > FEW || !heldBack) {
            return false;
        }
        heldBack = false;
        return true;
    }

    int count() {
        return count.get();
    }
}
