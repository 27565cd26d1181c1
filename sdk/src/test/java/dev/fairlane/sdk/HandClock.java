package dev.fairlane.sdk;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A worker's clock that stands until the test moves it: whatever the machine does meanwhile takes no time. */
final class HandClock implements WorkerClock {
    private final AtomicLong moved = new AtomicLong();
    private final Set<Reader> workers = ConcurrentHashMap.newKeySet();
    private volatile LongSupplier passed = () -> 0;

    @Override
    public long nanos() {
        return moved.get() + passed.getAsLong();
    }

    @Override
    public void started(Reader worker) {
        workers.add(worker);
    }

    @Override
    public void ended(Reader worker) {
        workers.remove(worker);
    }

    void advance(Duration by) {
        moved.addAndGet(by.toNanos());
        workers.forEach(Reader::look);
    }

    /** Whether the workers have done what is due, and were answered. */
    boolean settled() {
        return workers.stream().allMatch(Reader::upToDate);
    }

    /** From now on it is as any other clock, so that workers can end. */
    void letRun() {
        long now = System.nanoTime();
        passed = () -> System.nanoTime() - now;
        workers.forEach(Reader::look);
    }
}
