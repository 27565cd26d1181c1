package dev.fairlane.sdk.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** A lock whose holder wakes threads that want it next: they wake up when it is free, and do not run into it. */
public final class WakingLock {
    private final ReentrantLock lock = new ReentrantLock();
    /** With the lock. */
    private List<Thread> waking = new ArrayList<>();

    public void lock() {
        lock.lock();
    }

    /** Gives it back, and wakes those who were named meanwhile. */
    public void unlock() {
        List<Thread> woken = waking;
        if (!woken.isEmpty()) {
            waking = new ArrayList<>();
        }
        lock.unlock();
        woken.forEach(LockSupport::unpark);
    }

    /** With the lock. */
    public void wake(Thread waiter) {
        waking.add(waiter);
    }

    public Condition newCondition() {
        return lock.newCondition();
    }
}
