package dev.fairlane.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A process and everything it started, ended together: SIGTERM first, SIGKILL for what is left after a grace. */
final class ProcessTree {
    private final Process root;
    private final Duration grace;

    /** Everybody ever seen: children of a parent that has died are no longer found through it. */
    private final Set<ProcessHandle> seen = new LinkedHashSet<>();

    private boolean asked;

    ProcessTree(Process root, Duration grace) {
        this.root = root;
        this.grace = grace;
    }

    /** Begins to end it, without waiting. */
    void end() {
        if (ask()) {
            Thread.startVirtualThread(this::insist);
        }
    }

    /** Ends it and waits until it is gone; does nothing to one that has ended by itself. Is not disturbed by interrupts. */
    void endNow() {
        if (!root.isAlive() && !asked()) {
            return;
        }
        ask();
        boolean interrupted = Thread.interrupted();
        insist();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean asked() {
        return asked;
    }

    private synchronized boolean ask() {
        if (asked) {
            return false;
        }
        asked = true;
        look().forEach(ProcessHandle::destroy);
        return true;
    }

    private void insist() {
        long end = System.nanoTime() + grace.toNanos();
        for (ProcessHandle process : look()) {
            await(process, end - System.nanoTime());
        }
        look().forEach(ProcessHandle::destroyForcibly);
    }

    private synchronized List<ProcessHandle> look() {
        seen.add(root.toHandle());
        for (ProcessHandle known : List.copyOf(seen)) {
            known.descendants().forEach(seen::add);
        }
        List<ProcessHandle> alive = new ArrayList<>();
        for (ProcessHandle process : seen) {
            if (process.isAlive()) {
                alive.add(process);
            }
        }
        return alive;
    }

    private static void await(ProcessHandle process, long nanos) {
        CompletableFuture<ProcessHandle> exit = process.onExit();
        try {
            exit.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (TimeoutException stillThere) {
            return; // it is killed next
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the end of process " + process.pid() + " could not be awaited", e);
        }
    }
}
