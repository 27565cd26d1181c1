package dev.fairlane.server.api;

import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.server.fault.Refused;
import java.util.concurrent.atomic.AtomicInteger;

/** A bound on calls that stay open for long: each holds memory here and in the node. */
final class Waiting {
    private final int most;
    private final AtomicInteger open = new AtomicInteger();

    Waiting(int most) {
        this.most = most;
    }

    /** @throws Refused when there are too many; else {@link #leave} must follow, once */
    void enter() {
        int now = open.incrementAndGet();
        if (now > most) {
            open.decrementAndGet();
            throw Refused.later(
                    ErrorCode.OVERLOADED,
                    "expected at most " + most + " calls waiting for jobs, but there are more",
                    1_000,
                    most,
                    now);
        }
    }

    void leave() {
        open.decrementAndGet();
    }
}
