package dev.fairlane.runtime;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Who drives the loop: one thread at a time, of two.
 *
 * <pre>
 *                         ┌─ nothing is being appended ──► the thread that appends: turn, and append what came of it
 *   something was put in ─┤
 *                         └─ a batch is being appended ──► the loop's own thread: turn, gather
 *   a batch was appended ────────────────────────────────► the thread that appended it: tell, turn, append the next
 *   a time has come ─────────────────────────────────────► the loop's own thread
 * </pre>
 *
 * A job that comes alone is so handed over to one thread on its way to the store and to none on its way back, where it would be two and one;
 * on a small machine waking a thread takes a tenth of what the store does for a job. The loop is never driven by two, and each sees all that the other did.
 *
 * <p>A writer makes its item visible, then says so; whoever drives forgets what was said, then drains. A writer that finds the loop driven wakes
 * nobody: whoever drives looks for what was said after it has let go.
 */
public final class Drivers implements Runnable {
    /** What is driven. All but {@link #over} and {@link #now} is called by one thread at a time. */
    interface Turns {
        /** True when there is more to do at once. */
        boolean turn();

        /** When the next turn is due if nothing comes in before. */
        long nextTurnAt();

        long now();

        boolean over();

        /** A turn failed: nothing is driven after it. */
        void broke(Throwable fault);
    }

    private static final long FOREVER = Long.MAX_VALUE;
    private static final long AT_ONCE = Long.MIN_VALUE;

    private final @Nullable Executor appending;
    private final AtomicBoolean driven = new AtomicBoolean();
    /** What the appending thread was given and is not done with. */
    private final AtomicInteger given = new AtomicInteger();

    private volatile boolean signalled;
    private volatile @Nullable Turns turns;
    private volatile @Nullable Thread helping;
    private volatile @Nullable Thread sleeper;
    private volatile long dueAt = AT_ONCE;
    /** {@link #AT_ONCE} while the loop's own thread is awake. */
    private volatile long sleepsUntil = AT_ONCE;

    /** The loop's own thread alone. */
    public Drivers() {
        this.appending = null;
    }

    /** @param appending one thread, not the caller's, that does nothing else than what it is given through {@link #encoder} */
    public Drivers(Executor appending) {
        this.appending = appending;
    }

    /** For the node's parts: where it encodes and appends. */
    public Executor encoder() {
        return appending == null ? Runnable::run : task -> give(appending, task);
    }

    /** Called by writers after their item is visible. */
    @Override
    public void run() {
        if (signalled) {
            return;
        }
        signalled = true;
        if (driven.get() || Thread.currentThread() == helping) {
            // it looks when it lets go, or when it is done with what it was given
            return;
        }
        if (appending != null && turns != null && given.get() == 0) {
            give(appending, () -> {});
        } else {
            LockSupport.unpark(sleeper);
        }
    }

    /** Whoever has done what it was given turns the loop, until there is something to append. */
    private void give(Executor to, Runnable task) {
        given.incrementAndGet();
        to.execute(() -> {
            helping = Thread.currentThread();
            try {
                task.run();
            } finally {
                try {
                    help();
                } finally {
                    helping = null;
                    given.decrementAndGet();
                }
            }
        });
    }

    private void help() {
        Turns driving = turns;
        if (driving == null) {
            return;
        }
        try {
            boolean drives = true;
            while (drives && signalled && !hasMoreToAppend() && !driving.over()) {
                drives = drive(driving, true);
            }
        } finally {
            if (signalled || driving.over() || sleepsUntil > dueAt) {
                LockSupport.unpark(sleeper);
            }
        }
    }

    /** Beside what it is at. */
    private boolean hasMoreToAppend() {
        return given.get() > 1;
    }

    /** Runs the loop on the calling thread, which sleeps while the other one does, until it is over. */
    void drive(Turns driving) {
        turns = driving;
        while (!driving.over()) {
            boolean drove = drive(driving, false);
            if (!driving.over() && !(drove && signalled)) {
                sleep(driving);
            }
        }
        // What is left is for the caller alone: the other one's last turn has to be behind it.
        while (!driven.compareAndSet(false, true)) {
            Thread.onSpinWait();
        }
    }

    /** False when somebody else drives, who sees what was said before. */
    private boolean drive(Turns driving, boolean helps) {
        if (!driven.compareAndSet(false, true)) {
            return false;
        }
        long due = FOREVER;
        try {
            boolean more = true;
            while (more && !driving.over()) {
                signalled = false;
                more = driving.turn();
                due = more ? AT_ONCE : driving.nextTurnAt();
                more &= !(helps && hasMoreToAppend());
            }
        } catch (Throwable e) {
            driving.broke(e);
        } finally {
            dueAt = due;
            driven.set(false);
        }
        return true;
    }

    /** Until a time has come or somebody wakes it; while the other one drives, until that one lets go. */
    private void sleep(Turns driving) {
        sleeper = Thread.currentThread();
        boolean waits = driven.get();
        long until = waits ? FOREVER : dueAt;
        sleepsUntil = until;
        // Whoever lets go writes when the loop is due, then reads until when we sleep: one of the two sees the other.
        boolean asleep = waits ? driven.get() : !signalled && dueAt == until;
        if (asleep && until == FOREVER) {
            LockSupport.park(this);
        } else if (asleep) {
            long micros = until == AT_ONCE ? 0 : until - driving.now();
            if (micros > 0) {
                LockSupport.parkNanos(this, micros * 1_000);
            }
        }
        sleepsUntil = AT_ONCE;
    }
}
