package dev.fairlane.sdk.testing;

import dev.fairlane.runtime.Outlook;
import dev.fairlane.server.RunningNode;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * How time passes: from one moment at which something is due to the next, and never on before what was due is done. Steps over a
 * running job are no longer than a heartbeat, and each waits until workers' heartbeats were heard, so that no lease of a living
 * worker ends only because the time was in a hurry.
 */
final class Passage implements TestClock.Mover {
    private static final long HEARTBEAT_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long LOOK_AGAIN_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final Duration SETTLED_WITHIN = Duration.ofSeconds(30);

    private final TestClock clock;
    private final RunningNode node;
    private final Duration patience;
    /** Leases up to this one have had their chance to end; the handlers of those that have not are not waited for any more. */
    private long waitedForToken;

    Passage(TestClock clock, RunningNode node, Duration patience) {
        this.clock = clock;
        this.node = node;
        this.patience = patience;
    }

    @Override
    public synchronized void moveTo(long nanos) {
        while (true) {
            Outlook outlook = patiently();
            long left = nanos - clock.nanos();
            if (left <= 0) {
                return;
            }
            clock.skip(Math.min(left, step(outlook)));
        }
    }

    /** Moves on to what is due next. False if nothing runs, and nothing is due within that time. */
    synchronized boolean moveToNextDue(Duration within) {
        Outlook outlook = patiently();
        if (outlook.leased() == 0
                && outlook.nextDueAt() - outlook.now() > TimeUnit.NANOSECONDS.toMicros(within.toNanos())) {
            return false;
        }
        clock.skip(step(outlook));
        patiently();
        return true;
    }

    /** Until nothing runs, and nothing waits that could run now. */
    Outlook idle(Duration within) {
        return await(outlook -> outlook.settled() && outlook.leased() == 0, within);
    }

    Outlook now() {
        try {
            return node.outlook().get(SETTLED_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the server", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the server does not answer: was it closed?", e);
        }
    }

    private static long stepOver(boolean running) {
        return running ? HEARTBEAT_NANOS : Long.MAX_VALUE;
    }

    private long step(Outlook outlook) {
        long toNextDue = outlook.nextDueAt() == Long.MAX_VALUE
                ? Long.MAX_VALUE
                : Math.max(1, outlook.nextDueAt() - clock.micros()) * 1_000;
        return Math.min(toNextDue, stepOver(outlook.leased() > 0));
    }

    /** Until all that is due is done, and handlers that just began have ended or turned out to take their time. */
    private Outlook patiently() {
        Outlook outlook = await(Outlook::settled, SETTLED_WITHIN);
        long end = System.nanoTime() + patience.toNanos();
        while (outlook.leased() > 0 && outlook.lastToken() > waitedForToken) {
            if (System.nanoTime() - end >= 0) {
                waitedForToken = outlook.lastToken();
            }
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
            outlook = await(Outlook::settled, SETTLED_WITHIN);
        }
        return outlook;
    }

    private Outlook await(Predicate<Outlook> condition, Duration within) {
        long end = System.nanoTime() + within.toNanos();
        while (true) {
            boolean workersUpToDate = clock.workersUpToDate();
            Outlook outlook = now();
            if (workersUpToDate && condition.test(outlook)) {
                return outlook;
            }
            if (System.nanoTime() - end >= 0) {
                throw new AssertionError("expected everything to come to rest, but after " + within.toMillis() + " ms "
                        + outlook.leased() + " jobs run"
                        + (outlook.settled() ? "" : ", the server is busy")
                        + (workersUpToDate ? "" : ", a worker is behind"));
            }
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
    }
}
