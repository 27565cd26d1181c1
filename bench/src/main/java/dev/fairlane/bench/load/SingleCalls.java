package dev.fairlane.bench.load;

import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.Payload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/**
 * Threads that submit one job at a time and wait for its answer: each with a client and a connection of its own, or all with one client, as the threads
 * of one program have.
 */
final class SingleCalls {
    private static final long HIGHEST_NANOS = 60_000_000_000L;

    private SingleCalls() {}

    static Map<String, Object> run(String url, String key, int threads, boolean shared, int seconds)
            throws InterruptedException, ExecutionException {
        List<Future<Histogram>> results = new ArrayList<>();
        Histogram all = new Histogram(HIGHEST_NANOS, 3);
        long begin = System.nanoTime();
        long end = begin + seconds * 1_000_000_000L;
        try (Fairlane one = Fairlane.connect(url, key);
                ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < threads; i++) {
                results.add(pool.submit(() -> shared ? submit(one, end) : client(url, key, end)));
            }
        }
        double elapsed = (System.nanoTime() - begin) / 1e9;
        for (Future<Histogram> result : results) {
            all.add(result.get());
        }
        Map<String, Object> figures = new LinkedHashMap<>(Orders.percentiles("submit", all));
        figures.put("jobs_per_s", all.getTotalCount() / elapsed);
        return figures;
    }

    private static Histogram client(String url, String key, long end) {
        try (Fairlane own = Fairlane.connect(url, key)) {
            return submit(own, end);
        }
    }

    private static Histogram submit(Fairlane fairlane, long end) {
        Histogram times = new Histogram(HIGHEST_NANOS, 3);
        for (long before = System.nanoTime(); before < end; ) {
            fairlane.submit(Job.raw(Payloads.TYPE, Payloads.of(before), Payload.JSON));
            long after = System.nanoTime();
            times.recordValue(Math.min(HIGHEST_NANOS, after - before));
            before = after;
        }
        return times;
    }
}
