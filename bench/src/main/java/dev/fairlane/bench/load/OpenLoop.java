package dev.fairlane.bench.load;

import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.FairlaneException;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.Payload;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Offers jobs at fixed times, whether or not earlier calls have come back: one call per job, each on its own thread. Every time counts
 * from when the call was due, not from when this process came round to it, so a stall is charged to every call it delayed. With more calls open
 * than this process has memory for, it gives up: at a rate far above what the server takes it would only collect garbage.
 */
final class OpenLoop {
    private static final long HIGHEST_NANOS = 60_000_000_000L;
    private static final long OPEN_MAX = 20_000;

    private OpenLoop() {}

    static Map<String, Object> offer(Fairlane fairlane, int rate, int seconds) {
        Histogram submit = new ConcurrentHistogram(HIGHEST_NANOS, 3);
        Histogram late = new Histogram(HIGHEST_NANOS, 3);
        AtomicLong failed = new AtomicLong();
        AtomicLong open = new AtomicLong();
        AtomicReference<String> lastFailure = new AtomicReference<>("");
        long jobs = (long) rate * seconds;
        long offered = 0;
        // connected, whatever happened since the last time
        fairlane.status();
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            long begin = System.nanoTime() + 1_000_000;
            for (; offered < jobs && open.get() < OPEN_MAX; offered++) {
                long due = begin + offered * 1_000_000_000L / rate;
                awaitTime(due);
                late.recordValue(Math.clamp(System.nanoTime() - due, 0, HIGHEST_NANOS));
                open.incrementAndGet();
                calls.execute(() -> {
                    try {
                        call(fairlane, due, submit, failed, lastFailure);
                    } finally {
                        open.decrementAndGet();
                    }
                });
            }
        }
        Map<String, Object> figures = new LinkedHashMap<>(Orders.percentiles("submit", submit));
        figures.put("offered", offered);
        figures.put("given_up", offered < jobs);
        figures.put("failed", failed.get());
        figures.put("last_failure", lastFailure.get());
        figures.put("late_p99_ms", late.getValueAtPercentile(99) / 1e6);
        return figures;
    }

    private static void call(
            Fairlane fairlane, long due, Histogram submit, AtomicLong failed, AtomicReference<String> lastFailure) {
        try {
            fairlane.submit(Job.raw(Payloads.TYPE, Payloads.of(due), Payload.JSON));
            submit.recordValue(Math.min(HIGHEST_NANOS, System.nanoTime() - due));
        } catch (FairlaneException e) {
            failed.incrementAndGet();
            lastFailure.set(e.toString());
        }
    }

    private static void awaitTime(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
