package dev.fairlane.runtime;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Lets the loop's thread sleep until somebody puts something into the inbox or a time has come. */
public final class LoopWaker implements Runnable {
    private volatile boolean signalled;
    private volatile @Nullable Thread sleeper;

    /** Called by writers after their item is visible. */
    @Override
    public void run() {
        if (!signalled) {
            signalled = true;
            LockSupport.unpark(sleeper);
        }
    }

    /** Called by the loop before it drains: whatever was put in before this is seen by the drain that follows. */
    public void reset() {
        signalled = false;
    }

    public void await(long nanos) {
        sleeper = Thread.currentThread();
        if (!signalled && nanos > 0) {
            LockSupport.parkNanos(this, nanos);
        }
    }
}
