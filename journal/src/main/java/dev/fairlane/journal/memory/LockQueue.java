package dev.fairlane.journal.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/** A lock with shared and exclusive holders and one queue: who asks later waits behind who waits already. */
final class LockQueue {
    enum Mode {
        SHARED,
        EXCLUSIVE
    }

    private final Map<StoreOperation<?>, Mode> holders = new LinkedHashMap<>();
    private final Deque<Waiter> waiters = new ArrayDeque<>();

    private record Waiter(StoreOperation<?> operation, Mode mode) {}

    /** True when granted at once; otherwise {@link StoreOperation#granted} tells later. */
    boolean request(StoreOperation<?> operation, Mode mode) {
        if (waiters.isEmpty() && compatible(mode)) {
            holders.put(operation, mode);
            return true;
        }
        waiters.add(new Waiter(operation, mode));
        return false;
    }

    /** Gives up the lock or the place in the queue. */
    void release(StoreOperation<?> operation) {
        holders.remove(operation);
        waiters.removeIf(waiter -> waiter.operation() == operation);
        while (!waiters.isEmpty() && compatible(waiters.getFirst().mode())) {
            Waiter next = waiters.removeFirst();
            holders.put(next.operation(), next.mode());
            next.operation().granted();
        }
    }

    private boolean compatible(Mode mode) {
        return holders.isEmpty() || mode == Mode.SHARED && !holders.containsValue(Mode.EXCLUSIVE);
    }
}
