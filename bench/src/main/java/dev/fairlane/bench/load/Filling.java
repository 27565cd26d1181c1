package dev.fairlane.bench.load;

import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.Payload;
import dev.fairlane.sdk.SubmitStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Submits a number of jobs, spread evenly over the tenants of some keys, to be run after a delay or at once, and waits until all are
 * accepted.
 */
final class Filling {
    private static final int WINDOW = 16;

    private Filling() {}

    static Map<String, Object> fill(String url, List<String> keys, long jobs, int batch, Duration delay) {
        AtomicLong accepted = new AtomicLong();
        long begin = System.nanoTime();
        long stamp = 0;
        for (int k = 0; k < keys.size(); k++) {
            long share = jobs * (k + 1) / keys.size() - jobs * k / keys.size();
            try (Fairlane fairlane = Fairlane.connect(url, keys.get(k));
                    SubmitStream stream = fairlane.submitter()
                            .batchSize(batch)
                            .window(WINDOW)
                            .onBatch(answer -> accepted.addAndGet(answer.accepted()))
                            .open()) {
                for (long i = 0; i < share; i++) {
                    Job job = Job.raw(Payloads.TYPE, Payloads.of(stamp++), Payload.JSON);
                    stream.submit(delay.isZero() ? job : job.delay(delay));
                }
            }
        }
        if (accepted.get() != jobs) {
            throw new IllegalStateException("expected " + jobs + " jobs to be accepted, but got " + accepted);
        }
        return Map.of("accepted", accepted.get(), "seconds", (System.nanoTime() - begin) / 1e9);
    }
}
