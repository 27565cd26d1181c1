package dev.fairlane.bench.load;

import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.Payload;
import dev.fairlane.sdk.SubmitStream;
import java.time.Instant;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Submits jobs that run later, at the very time they say, and waits until all are accepted. */
final class LaterJobs {
    private static final int WINDOW = 16;

    private LaterJobs() {}

    /**
     * @param from when the first is due, milliseconds since the epoch
     * @param overMillis they are spread over this time at random; 0: all are due at once
     * @param numbered the number of the first, which {@link Payloads#isTime} tells from a time
     */
    static Map<String, Object> submit(
            String url, String key, long jobs, int batch, long from, long overMillis, long numbered) {
        AtomicLong accepted = new AtomicLong();
        SplittableRandom random = new SplittableRandom(numbered);
        long begin = System.nanoTime();
        try (Fairlane fairlane = Fairlane.connect(url, key);
                SubmitStream stream = fairlane.submitter()
                        .batchSize(batch)
                        .window(WINDOW)
                        .onBatch(answer -> accepted.addAndGet(answer.accepted()))
                        .open()) {
            for (long i = 0; i < jobs; i++) {
                long at = overMillis == 0 ? from : from + random.nextLong(overMillis);
                stream.submit(Job.raw(Payloads.TYPE, Payloads.of(numbered + i), Payload.JSON)
                        .runAt(Instant.ofEpochMilli(at))
                        .exact());
            }
        }
        if (accepted.get() != jobs) {
            throw new IllegalStateException("expected " + jobs + " jobs to be accepted, but got " + accepted);
        }
        return Map.of("accepted", accepted.get(), "seconds", (System.nanoTime() - begin) / 1e9);
    }
}
