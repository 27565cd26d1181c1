package dev.fairlane.sdk.internal;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;

/**
 * A worker that is going: first its jobs get the drain window, then they are interrupted and given back, and what still does not
 * stop is left to the end of its lease. Results get a last while to be acked. Immutable; only the loop uses it.
 */
final class Drainage {
    private static final Logger LOG = System.getLogger("dev.fairlane.sdk.Worker");

    /** Leases that were under way when the server read the drain arrive within this time. */
    private static final long LAST_LEASES_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final long STOP_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LAST_ACKS_NANOS = TimeUnit.SECONDS.toNanos(5);

    final boolean sent;
    private final long sentNanos;
    private final long windowEnd;
    private final boolean interrupted;

    private Drainage(boolean sent, long sentNanos, long windowEnd, boolean interrupted) {
        this.sent = sent;
        this.sentNanos = sentNanos;
        this.windowEnd = windowEnd;
        this.interrupted = interrupted;
    }

    static Drainage begin(long now, long windowNanos) {
        return new Drainage(false, now, now + windowNanos, false);
    }

    Drainage sentAt(long now) {
        return new Drainage(true, now, windowEnd, interrupted);
    }

    /** On a new link the server has to be told again. */
    Drainage unsent() {
        return new Drainage(false, sentNanos, windowEnd, interrupted);
    }

    boolean mayEnd(long now, boolean nothingHeld, boolean online) {
        if (now - (windowEnd + STOP_NANOS + LAST_ACKS_NANOS) >= 0) {
            return true;
        }
        return nothingHeld && (!online || (sent && now - sentNanos >= LAST_LEASES_NANOS));
    }

    Drainage enforce(long now, HeldLeases held) {
        if (now - windowEnd < 0) {
            return this;
        }
        if (!interrupted) {
            LOG.log(Level.WARNING, "drain window over with {0} jobs running: interrupting them", held.running());
            held.all().forEach(Execution::stop);
        } else if (now - (windowEnd + STOP_NANOS) >= 0) {
            for (Execution execution : held.all()) {
                if (execution.drop()) {
                    held.forget(execution);
                    LOG.log(Level.WARNING, () -> execution + " did not stop; it runs again after its lease");
                }
            }
        }
        return new Drainage(sent, sentNanos, windowEnd, true);
    }
}
