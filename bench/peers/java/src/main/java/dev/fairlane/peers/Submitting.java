package dev.fairlane.peers;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** The client's side: floods, fills, offers at a rate, and single calls. */
final class Submitting {
    private static final long HIGHEST_NANOS = 300_000_000_000L;
    private static final long PAUSE_NANOS = 500_000;
    private static final long LATEST_NANOS = 5_000_000_000L;
    /** Calls under way at once when jobs are offered at a rate: as many as there are connections for. */
    private static final int OFFERING = 32;

    private final Library library;
    private final LongSupplier finished;
    private final AtomicLong submitted = new AtomicLong();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private volatile boolean over;
    private ExecutorService flooding;

    Submitting(Library library, LongSupplier finished) {
        this.library = library;
        this.finished = finished;
    }

    Map<String, Object> flood(long bound, int batch, int threads) {
        over = false;
        submitted.set(0);
        long before = finished.getAsLong();
        flooding = Executors.newFixedThreadPool(threads);
        for (int i = 0; i < threads; i++) {
            flooding.execute(() -> flood(bound, batch, before));
        }
        return Map.of();
    }

    private void flood(long bound, int batch, long before) {
        try {
            while (!over) {
                if (submitted.get() - (finished.getAsLong() - before) > bound - batch) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                    continue;
                }
                submitted.addAndGet(batch);
                library.submit(stamps(batch));
            }
        } catch (Exception e) {
            failure.set(e);
        }
    }

    private static long[] stamps(int batch) {
        long[] stamps = new long[batch];
        java.util.Arrays.fill(stamps, System.nanoTime());
        return stamps;
    }

    Map<String, Object> pause() throws Exception {
        over = true;
        flooding.close();
        throwFailure();
        return Map.of("submitted", submitted.get());
    }

    Map<String, Object> fill(long jobs, int batch, int threads) throws Exception {
        long begin = System.nanoTime();
        AtomicLong left = new AtomicLong(jobs);
        try (ExecutorService filling = Executors.newFixedThreadPool(threads)) {
            for (int i = 0; i < threads; i++) {
                filling.execute(() -> {
                    try {
                        for (long rest = left.getAndAdd(-batch); rest > 0; rest = left.getAndAdd(-batch)) {
                            library.submit(stamps((int) Math.min(batch, rest)));
                        }
                    } catch (Exception e) {
                        failure.set(e);
                    }
                });
            }
        }
        throwFailure();
        return Map.of("accepted", jobs, "seconds", (System.nanoTime() - begin) / 1e9);
    }

    /** Times count from when a call was due. Calls that have not begun some seconds after the last was due are not made: a slow one's only. */
    Map<String, Object> offer(long rate, long seconds) throws Exception {
        Histogram submit = new ConcurrentHistogram(HIGHEST_NANOS, 3);
        AtomicLong leftOut = new AtomicLong();
        long jobs = rate * seconds;
        try (ExecutorService calls = Executors.newFixedThreadPool(OFFERING)) {
            long begin = System.nanoTime() + 1_000_000;
            long end = begin + seconds * 1_000_000_000L + LATEST_NANOS;
            for (long i = 0; i < jobs; i++) {
                long due = begin + i * 1_000_000_000L / rate;
                for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                calls.execute(() -> {
                    if (System.nanoTime() - end > 0) {
                        leftOut.incrementAndGet();
                        return;
                    }
                    try {
                        library.submit(due);
                        submit.recordValue(Math.min(HIGHEST_NANOS, System.nanoTime() - due));
                    } catch (Exception e) {
                        failure.set(e);
                    }
                });
            }
        }
        throwFailure();
        Map<String, Object> figures = percentiles("submit", submit);
        figures.put("offered", jobs - leftOut.get());
        return figures;
    }

    Map<String, Object> single(int clients, long seconds) throws Exception {
        Histogram times = new ConcurrentHistogram(HIGHEST_NANOS, 3);
        long begin = System.nanoTime();
        long end = begin + seconds * 1_000_000_000L;
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            for (int i = 0; i < clients; i++) {
                threads.execute(() -> {
                    try {
                        for (long before = System.nanoTime(); before < end; ) {
                            library.submit(before);
                            long after = System.nanoTime();
                            times.recordValue(Math.min(HIGHEST_NANOS, after - before));
                            before = after;
                        }
                    } catch (Exception e) {
                        failure.set(e);
                    }
                });
            }
        }
        throwFailure();
        Map<String, Object> figures = percentiles("submit", times);
        figures.put("jobs_per_s", times.getTotalCount() * 1e9 / (System.nanoTime() - begin));
        return figures;
    }

    private void throwFailure() throws Exception {
        Exception e = failure.getAndSet(null);
        if (e != null) {
            throw e;
        }
    }

    static Map<String, Object> percentiles(String prefix, Histogram nanos) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put(prefix + "_count", nanos.getTotalCount());
        figures.put(prefix + "_p50_ms", nanos.getValueAtPercentile(50) / 1e6);
        figures.put(prefix + "_p99_ms", nanos.getValueAtPercentile(99) / 1e6);
        return figures;
    }
}
