package dev.fairlane.sdk.internal;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes on their way to the loop: many handlers put, the loop takes all. A stack linked through the executions themselves, so
 * that a put is one compare-and-set and allocates nothing.
 */
final class Outbox {
    private final AtomicReference<@Nullable Execution> top = new AtomicReference<>();

    void put(Execution execution) {
        Execution below;
        do {
            below = top.get();
            execution.linkTo(below);
        } while (!top.compareAndSet(below, execution));
    }

    boolean isEmpty() {
        return top.get() == null;
    }

    /** Everything there is, oldest first, as a chain over {@link Execution#next}. */
    @Nullable Execution takeAll() {
        Execution from = top.getAndSet(null);
        Execution reversed = null;
        while (from != null) {
            Execution below = from.next;
            from.linkTo(reversed);
            reversed = from;
            from = below;
        }
        return reversed;
    }
}
